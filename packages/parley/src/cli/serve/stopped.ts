import { EXIT } from '../exit-codes.ts';
import type { Surroundings } from '../surroundings.ts';

/** Waits for Ctrl-C, a signal to end, or the end of the watching process. A second Ctrl-C does not wait. */
export function stopped({ onInterrupt, leave }: Surroundings): Promise<void> {
  let isStopping = false;
  return new Promise((resolve) => {
    const stop = () => {
      if (isStopping) leave(EXIT.interrupted);
      isStopping = true;
      resolve();
    };
    onInterrupt(stop);
    process.on('SIGTERM', () => resolve());
    process.on('disconnect', () => resolve());
  });
}
