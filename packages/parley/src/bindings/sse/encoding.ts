import type { Dialect, RpcError } from '../../dialects/dialect.ts';

/** The content of a binding's frames. */
export interface SseEncoding {
  readonly dialect: Dialect;
  /** The text before and after each event, as SSE data: the envelope of the binding. */
  readonly before: string;
  readonly after: string;
  /** Writes an error instead of an event, as SSE data. Default: an object with the member `error`. */
  readonly error?: ((error: RpcError) => string) | undefined;
}
