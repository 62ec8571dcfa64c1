import type { ReactNode } from 'react';
import { classes } from '../../classes.ts';
import styles from './panel.module.css';

interface PanelProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  /** Without room around the content, for lists and tables. */
  readonly flush?: boolean | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Panel({ title, actions, flush, className, children }: PanelProps) {
  return (
    <section className={classes(styles.panel, className)}>
      {title !== undefined && (
        <div className={styles.head}>
          <h2>{title}</h2>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
