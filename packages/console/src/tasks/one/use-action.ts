import { useState } from 'react';

/** Something that a person asks for once: whether it is on its way, and why it failed. */
export function useAction(act: () => Promise<void>): {
  readonly run: () => void;
  readonly error: unknown;
  readonly isRunning: boolean;
} {
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const run = () => {
    setRunning(true);
    setError(undefined);
    act()
      .catch(setError)
      .finally(() => setRunning(false));
  };
  return { run, error, isRunning };
}
