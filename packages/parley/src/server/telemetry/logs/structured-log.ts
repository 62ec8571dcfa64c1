import type { Logger } from '../../../engine/ports.ts';

/** A logger of pino, or one that is called like it: details first, then the text. */
export interface StructuredLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
  isLevelEnabled(level: string): boolean;
  bindings(): unknown;
}

/** Tells pino's loggers, which have the type of a log, by the members that only they have. */
export function isStructuredLog(log: Logger | StructuredLog): log is StructuredLog {
  return 'bindings' in log && typeof log.bindings === 'function' && typeof log.isLevelEnabled === 'function';
}

/** Any log as the server writes to it. */
export function asLogger(log: Logger | StructuredLog): Logger {
  if (!isStructuredLog(log)) return log;
  return {
    error: (message, details) => log.error(named(details), message),
    warn: (message, details) => log.warn(named(details), message),
  };
}

/** Errors are called `err` there: under this name they are written with their stack. */
function named({ error, ...details }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return error === undefined ? details : { ...details, err: error };
}
