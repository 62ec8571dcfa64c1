import { isPlainObject, type JsonObject } from '../basics/json.ts';
import { readTraceparent, type TraceIds } from '../basics/trace-context.ts';
import type { TraceContext } from '../call.ts';

/** Traces: the statuses of a task tell the trace and the span of the run that they are from. */
export const TRACE_EXTENSION = 'urn:parley:ext:trace:v1';

export type { TraceIds } from '../basics/trace-context.ts';

/** The metadata that a run adds to its statuses; undefined where its caller did not ask for it or named no span. */
export function traceMark(
  { traceparent }: TraceContext,
  extensions: readonly string[],
  isShown = false,
): JsonObject | undefined {
  if (!isShown && !extensions.includes(TRACE_EXTENSION)) return undefined;
  const ids = readTraceparent(traceparent);
  return ids && { [TRACE_EXTENSION]: { ...ids } };
}

/** Reads the trace and the span in the metadata of an event or a task; undefined if there is none. */
export function traceIdsOf(metadata: JsonObject | undefined): TraceIds | undefined {
  const value = metadata?.[TRACE_EXTENSION];
  if (!isPlainObject(value)) return undefined;
  const { traceId, spanId } = value;
  return typeof traceId === 'string' && typeof spanId === 'string' ? { traceId, spanId } : undefined;
}
