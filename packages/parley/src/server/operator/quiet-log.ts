import type { Logger } from '../../engine/ports.ts';
import { asLogger } from '../telemetry/logs/structured-log.ts';

/** A log of the host that may throw or reject: nothing that is logged breaks a request, a run or the process. */
export function quietLog(setting: Logger): Logger {
  const log = asLogger(setting);
  return {
    error: (message, details) => tell(() => log.error(message, details)),
    warn: (message, details) => tell(() => log.warn(message, details)),
  };
}

/** Nothing is left to tell of a log that fails. */
function tell(write: () => unknown): void {
  try {
    const written = write();
    if (written instanceof Promise) written.catch(() => {});
  } catch {
    // See above.
  }
}
