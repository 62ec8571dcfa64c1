import { isHeaderText, readTraceparent, traceHeaders } from '../../model/basics/trace-context.ts';
import type { TraceContext } from '../../model/call.ts';

/** Characters; W3C Trace Context lets nobody rely on more. */
const LONGEST_VALUE = 512;

/** The members of `_meta` that make a request of MCP part of a trace; undefined if there is none. */
export function metaOfTrace(trace: TraceContext | undefined): Record<string, string> | undefined {
  const { traceparent, tracestate } = trace ? traceHeaders(trace) : {};
  return traceparent === undefined ? undefined : { traceparent, ...(tracestate !== undefined && { tracestate }) };
}

/** The trace that a client of MCP names in `_meta`; undefined where it names none, or nothing that is one. */
export function traceOfMeta(meta: Readonly<Record<string, unknown>> | undefined): TraceContext | undefined {
  const traceparent = textOf(meta?.traceparent);
  const ids = readTraceparent(traceparent);
  if (!ids) return undefined;
  const tracestate = textOf(meta?.tracestate);
  return { id: ids.traceId, traceparent, ...(isHeaderText(tracestate) && { tracestate }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= LONGEST_VALUE ? value : undefined;
}
