import type { TraceContext } from '../call.ts';

/** W3C Trace Context: version, trace, span and flags; later versions may add more after a dash. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** A value that a header can carry without being split in two or refused by the sender. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** The trace and the span that a `traceparent` names. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** Undefined for what is no `traceparent`: such a header is as good as none, and is not passed on. */
export function readTraceparent(text: string | undefined): TraceIds | undefined {
  const [, version, traceId, spanId, more] = (text === undefined ? undefined : TRACEPARENT.exec(text)) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined) return undefined;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return traceId === NO_TRACE || spanId === NO_SPAN ? undefined : { traceId, spanId };
}

export function isHeaderText(text: string | undefined): text is string {
  return text !== undefined && PRINTABLE.test(text);
}

/** The headers by which a request becomes part of a trace. */
export function traceHeaders({ id, traceparent, tracestate }: TraceContext): Record<string, string> {
  const ids = readTraceparent(traceparent);
  return {
    ...(ids && traceparent !== undefined && { traceparent }),
    ...(ids && isHeaderText(tracestate) && { tracestate }),
    // The caller's own name for the trace, where it has one.
    ...(id !== ids?.traceId && isHeaderText(id) && { 'x-a2a-trace-id': id }),
  };
}

/** The same trace, seen from another span of it. A name that the caller chose stays. */
export function continuedTrace(
  before: TraceContext | undefined,
  { traceparent, tracestate }: Pick<TraceContext, 'traceparent' | 'tracestate'>,
): TraceContext | undefined {
  const ids = readTraceparent(traceparent);
  if (!ids) return before;
  const isNamed = before !== undefined && before.id !== readTraceparent(before.traceparent)?.traceId;
  return { id: isNamed ? before.id : ids.traceId, traceparent, ...(tracestate && { tracestate }) };
}
