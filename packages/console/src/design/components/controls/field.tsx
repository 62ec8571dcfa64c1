import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from '../../classes.ts';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  /** The label is there for screen readers alone. */
  readonly hideLabel?: boolean | undefined;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
}

interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

function FieldFrame({
  label,
  hideLabel,
  hint,
  problem,
  className,
  children,
}: FieldProps & { readonly className?: string | undefined; readonly children: (ids: ControlIds) => ReactNode }) {
  const id = useId();
  const hasNote = hint !== undefined || problem !== undefined;
  const ids: ControlIds = {
    id,
    ...(hasNote && { 'aria-describedby': `${id}-note` }),
    ...(problem !== undefined && { 'aria-invalid': true }),
  };
  return (
    <div className={classes(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children(ids)}
      {hasNote && (
        <div id={`${id}-note`} className={problem === undefined ? styles.hint : styles.problem}>
          {problem ?? hint}
        </div>
      )}
    </div>
  );
}

export function TextField({
  label,
  hideLabel,
  hint,
  problem,
  className,
  ...rest
}: FieldProps & ComponentProps<'input'>) {
  return (
    <FieldFrame label={label} hideLabel={hideLabel} hint={hint} problem={problem} className={className}>
      {(ids) => <input type="text" {...rest} {...ids} className={styles.control} />}
    </FieldFrame>
  );
}

export function TextArea({
  label,
  hideLabel,
  hint,
  problem,
  className,
  ...rest
}: FieldProps & ComponentProps<'textarea'>) {
  return (
    <FieldFrame label={label} hideLabel={hideLabel} hint={hint} problem={problem} className={className}>
      {(ids) => <textarea {...rest} {...ids} className={styles.control} />}
    </FieldFrame>
  );
}

export function SelectField({
  label,
  hideLabel,
  hint,
  problem,
  className,
  ...rest
}: FieldProps & ComponentProps<'select'>) {
  return (
    <FieldFrame label={label} hideLabel={hideLabel} hint={hint} problem={problem} className={className}>
      {(ids) => <select {...rest} {...ids} className={styles.control} />}
    </FieldFrame>
  );
}
