import type { TraceContext } from '../../model/call.ts';
import { header, type RequestHeaders } from '../exchange.ts';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/i;

/** Characters; W3C Trace Context lets nobody rely on more. */
const LONGEST_VALUE = 512;

/** Reads the trace that a request is part of; undefined where it names none. */
export function traceOf(headers: RequestHeaders): TraceContext | undefined {
  const named = bounded(header(headers, 'x-a2a-trace-id'));
  const traceparent = bounded(header(headers, 'traceparent'));
  const inherited = traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1];
  const id = named || inherited;
  if (id === undefined) return undefined;
  if (inherited === undefined) return { id };
  const tracestate = bounded(header(headers, 'tracestate'));
  return tracestate === undefined ? { id, traceparent } : { id, traceparent, tracestate };
}

function bounded(value: string | undefined): string | undefined {
  return value !== undefined && value.length <= LONGEST_VALUE ? value : undefined;
}
