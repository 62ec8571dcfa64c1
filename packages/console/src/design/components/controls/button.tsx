import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { classes } from '../../classes.ts';
import styles from './button.module.css';

type Kind = 'plain' | 'primary' | 'danger' | 'quiet';

interface Look {
  readonly kind?: Kind | undefined;
  readonly small?: boolean | undefined;
  /** For the words of an agent, which may be long: they take as many lines as they need. */
  readonly wraps?: boolean | undefined;
}

function lookOf({ kind = 'plain', small, wraps }: Look, isIcon = false): string {
  return classes(
    styles.button,
    kind !== 'plain' && styles[kind],
    small && styles.small,
    wraps && styles.wraps,
    isIcon && styles.icon,
  );
}

export function Button({ kind, small, wraps, className, ...rest }: Look & ComponentProps<'button'>) {
  return <button type="button" {...rest} className={classes(lookOf({ kind, small, wraps }), className)} />;
}

/** A button of an icon alone; the label is its name for those who do not see the icon, and its tooltip. */
export function IconButton({
  kind = 'quiet',
  small,
  label,
  className,
  ...rest
}: Look & { readonly label: string } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classes(lookOf({ kind, small }, true), className)}
    />
  );
}

/** A link within the console that looks like a button. */
export function LinkButton({
  kind,
  small,
  href,
  label,
  children,
}: Look & { readonly href: string; readonly label?: string | undefined; readonly children: ReactNode }) {
  return (
    <Link href={href} className={lookOf({ kind, small })} {...(label !== undefined && { 'aria-label': label })}>
      {children}
    </Link>
  );
}
