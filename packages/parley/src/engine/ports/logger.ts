/** Receives what only operators may read. */
export interface Logger {
  error(message: string, details: Readonly<Record<string, unknown>>): void;
  warn(message: string, details: Readonly<Record<string, unknown>>): void;
}
