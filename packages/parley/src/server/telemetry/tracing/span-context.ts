import type { Context, Span, SpanContext } from '@opentelemetry/api';
import { continuedTrace, readTraceparent } from '../../../model/basics/trace-context.ts';
import type { TraceContext } from '../../../model/call.ts';
import type { OpenTelemetry } from '../open-telemetry.ts';

/** Between the traces that requests carry and the contexts of OpenTelemetry, whatever propagator is registered. */
export class SpanContexts {
  readonly #api: OpenTelemetry;

  constructor(api: OpenTelemetry) {
    this.#api = api;
  }

  /** The span in a trace as the parent of another; the root where the trace names none. */
  parentOf(trace: TraceContext | undefined): Context {
    const { trace: spans, ROOT_CONTEXT } = this.#api;
    const parent = this.#contextOf(trace);
    return parent ? spans.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  }

  /** The same, or the span at hand where that is of the same trace: what runs around the work has made one of its own. */
  nearestOf(trace: TraceContext | undefined): Context {
    const active = this.#api.context.active();
    const span = this.#api.trace.getSpanContext(active);
    if (!span || !this.#api.isSpanContextValid(span)) return this.parentOf(trace);
    const named = readTraceparent(trace?.traceparent)?.traceId;
    return named === undefined || named === span.traceId ? active : this.parentOf(trace);
  }

  /** The trace as the span continues it. */
  continued(trace: TraceContext | undefined, span: Span): TraceContext | undefined {
    return this.#toldBy(span.spanContext(), trace);
  }

  /** The trace of the span at hand; undefined if there is none. */
  current(ambient: TraceContext | undefined): TraceContext | undefined {
    const span = this.#api.trace.getSpanContext(this.#api.context.active());
    return span && this.#toldBy(span, ambient);
  }

  #toldBy(span: SpanContext, before: TraceContext | undefined): TraceContext | undefined {
    if (!this.#api.isSpanContextValid(span)) return before;
    const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0');
    const traceparent = `00-${span.traceId}-${span.spanId}-${flags}`;
    return continuedTrace(before, { traceparent, tracestate: span.traceState?.serialize() });
  }

  #contextOf(trace: TraceContext | undefined): SpanContext | undefined {
    const ids = readTraceparent(trace?.traceparent);
    if (!ids || !trace) return undefined;
    const traceFlags = Number.parseInt(trace.traceparent?.split('-')[3] ?? '0', 16);
    const { tracestate } = trace;
    const traceState = tracestate === undefined ? undefined : this.#api.createTraceState(tracestate);
    return { ...ids, traceFlags, isRemote: true, ...(traceState && { traceState }) };
  }
}
