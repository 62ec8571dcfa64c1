import { traceHeaders } from '../../model/basics/trace-context.ts';
import type { TraceContext } from '../../model/call.ts';

interface Storage {
  run<Result>(trace: TraceContext, work: () => Result): Result;
  getStore(): TraceContext | undefined;
}

/** Node, Bun, Deno and Workers have it; elsewhere only what is handed on by name is part of a trace. */
interface Surroundings {
  readonly process?: {
    getBuiltinModule?(name: 'node:async_hooks'): { readonly AsyncLocalStorage: new () => Storage } | undefined;
  };
}

/** Tells the trace of the work at hand; `ambient`: as it is known without it. */
export type TraceSource = (ambient: TraceContext | undefined) => TraceContext | undefined;

let storage: Storage | undefined;
let source: TraceSource | undefined;
let isFetchTraced: () => boolean = () => false;

/** Does the work as part of a trace: clients that are called in it pass the trace on. */
export function withTrace<Result>(trace: TraceContext, work: () => Result): Result {
  if (!storage) {
    const { process } = globalThis as Surroundings;
    const hooks = process?.getBuiltinModule?.('node:async_hooks');
    if (!hooks) return work();
    storage = new hooks.AsyncLocalStorage();
  }
  return storage.run(trace, work);
}

/** The trace of the work at hand; undefined where it is part of none. */
export function currentTrace(): TraceContext | undefined {
  const ambient = storage?.getStore();
  return source?.(ambient) ?? ambient;
}

/**
 * Has another part of the program tell the trace of the work at hand, where it knows better.
 *
 * @param fetchIsTraced tells that `fetch` passes on that trace by itself
 */
export function useTraceSource(tell: TraceSource, fetchIsTraced: () => boolean): void {
  source = tell;
  isFetchTraced = fetchIsTraced;
}

/** The headers that make a request part of a trace; none where `fetch` adds them by itself. */
export function outgoingTrace(trace: TraceContext | undefined): Readonly<Record<string, string>> {
  return !trace || isFetchTraced() ? {} : traceHeaders(trace);
}

/**
 * A `fetch` whose requests are part of the trace of the work at hand. Headers that a request has already stay.
 *
 * @param headersOf the headers of a trace; default: those that `fetch` does not add by itself
 */
export function tracedFetch(send: typeof fetch, headersOf: typeof outgoingTrace = outgoingTrace): typeof fetch {
  return (input, init) => {
    const trace = currentTrace();
    if (!trace) return send(input, init);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const isTraced = headers.has('traceparent') || headers.has('x-a2a-trace-id');
    if (!isTraced) for (const [name, value] of Object.entries(headersOf(trace))) headers.set(name, value);
    return send(input, { ...init, headers });
  };
}
