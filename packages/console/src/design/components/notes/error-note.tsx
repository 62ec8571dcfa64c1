import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { describeError } from '../../../api/describe-error.ts';
import { Button } from '../controls/button.tsx';
import styles from './notes.module.css';

interface ErrorNoteProps {
  readonly error: unknown;
  /** A way on: tries again what failed. */
  readonly onRetry?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** An error in words, what can be done about it, and a way on. */
export function ErrorNote({ error, onRetry, children }: ErrorNoteProps) {
  const { sentence, advice } = describeError(error);
  return (
    <div className={styles.error} role="alert">
      <CircleAlert size={18} aria-hidden />
      <div className={styles.words}>
        <div>{sentence} </div>
        {advice !== undefined && <div className={styles.advice}>{advice}</div>}
      </div>
      {children}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
