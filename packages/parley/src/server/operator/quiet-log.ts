import type { Logger } from '../../engine/ports.ts';

/** A log of the host that may throw or reject: nothing that is logged breaks a request, a run or the process. */
export function quietLog(log: Logger): Logger {
  return {
    error: (message, details) => tell(() => log.error(message, details)),
    warn: (message, details) => tell(() => log.warn(message, details)),
  };
}

/** There is nobody left to tell of a log that fails. */
function tell(write: () => unknown): void {
  try {
    const written = write();
    if (written instanceof Promise) written.catch(() => {});
  } catch {
    // See above.
  }
}
