import { isHeaderText, readTraceparent } from '../../model/basics/trace-context.ts';
import type { TraceContext } from '../../model/call.ts';
import { header, type RequestHeaders } from '../exchange.ts';

/** Characters; W3C Trace Context lets nobody rely on more. */
const LONGEST_VALUE = 512;

/** Reads the trace that a request is part of; undefined where it names none. */
export function traceOf(headers: RequestHeaders): TraceContext | undefined {
  const named = bounded(header(headers, 'x-a2a-trace-id'));
  const traceparent = bounded(header(headers, 'traceparent'));
  const inherited = readTraceparent(traceparent)?.traceId;
  const id = named || inherited;
  if (id === undefined) return undefined;
  if (inherited === undefined) return { id };
  const tracestate = bounded(header(headers, 'tracestate'));
  return isHeaderText(tracestate) ? { id, traceparent, tracestate } : { id, traceparent };
}

function bounded(value: string | undefined): string | undefined {
  return value !== undefined && value.length <= LONGEST_VALUE ? value : undefined;
}
