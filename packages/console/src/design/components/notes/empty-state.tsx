import type { ReactNode } from 'react';
import styles from './notes.module.css';

/** What stands where there is nothing yet: what could be here, and what to do for it. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <div className={styles.loading} role="status">
      Loading {what}…
    </div>
  );
}
