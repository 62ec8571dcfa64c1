import type { RunHandle } from '../../engine/turn/runner.ts';
import type { StepRetry } from '../task-context.ts';

const DEFAULTS = { attempts: 3, firstDelay: 500, factor: 2 };
const ONCE = { ...DEFAULTS, attempts: 1 };

/** Tries again what failed, after a while that grows; stops waiting when the run is aborted. */
export async function retried<Result>(
  action: (attempt: number) => Promise<Result>,
  options: StepRetry | boolean | undefined,
  handle: Pick<RunHandle, 'signal' | 'after'>,
): Promise<Result> {
  const given = typeof options === 'object' ? options : {};
  const { attempts, firstDelay, factor } = options ? { ...DEFAULTS, ...given } : ONCE;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action(attempt);
    } catch (error) {
      if (attempt >= attempts || handle.signal.aborted) throw error;
      await pause(firstDelay * factor ** (attempt - 1), handle);
    }
  }
}

/** Waits, unless the run is aborted meanwhile. */
export function pause(milliseconds: number, handle: Pick<RunHandle, 'signal' | 'after'>): Promise<void> {
  const { signal } = handle;
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      stop();
      reject(signal.reason);
    };
    const stop = handle.after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
