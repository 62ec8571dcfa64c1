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

/** A call of a tool of a server that speaks another protocol. */
export interface ProtocolCall {
  /** The method of that protocol. */
  readonly method: string;
  readonly tool: string;
  /** Undefined for a process that is spoken to through a pipe. */
  readonly address?: string | undefined;
  /** The tool itself has failed, not the way to it. */
  readonly isToolError: (error: unknown) => boolean;
}

/** Does a call as a span of its own; `work` gets the trace that the request carries. */
export type SpanProtocolCall = <Result>(
  call: ProtocolCall,
  work: (trace: TraceContext | undefined) => Promise<Result>,
) => Promise<Result>;

let storage: Storage | undefined;
let source: TraceSource | undefined;
let isFetchTraced: () => boolean = () => false;
let spanCall: SpanProtocolCall = (_, work) => work(currentTrace());

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
 * @param fetchIsTraced tells that `fetch` itself passes on that trace
 * @param calls makes spans of calls of tools of other protocols
 */
export function useTraceSource(tell: TraceSource, fetchIsTraced: () => boolean, calls: SpanProtocolCall): void {
  source = tell;
  isFetchTraced = fetchIsTraced;
  spanCall = calls;
}

/** Calls a tool of a server of another protocol as part of the trace of the work at hand. */
export function tracedProtocolCall<Result>(
  call: ProtocolCall,
  work: (trace: TraceContext | undefined) => Promise<Result>,
): Promise<Result> {
  return spanCall(call, work);
}

/** The headers that make a request part of a trace; none if `fetch` itself adds them. */
export function outgoingTrace(trace: TraceContext | undefined): Readonly<Record<string, string>> {
  return !trace || isFetchTraced() ? {} : traceHeaders(trace);
}

/**
 * A `fetch` whose requests are part of the trace of the work at hand. Headers that a request has already stay.
 *
 * @param headersOf the headers of a trace; default: those that `fetch` itself does not add
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
