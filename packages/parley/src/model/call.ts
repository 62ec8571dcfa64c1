import type { JsonObject } from './basics/json.ts';
import type { InputLimits } from './input-limits.ts';
import { isStreamOperation, type OperationName, type StreamOperationName } from './operations.ts';
import type { TrafficLimits } from './traffic-limits.ts';

/** The one on whose behalf a request is made. */
export interface Caller {
  /** The caller's name; '' for an anonymous one. */
  readonly subject: string;
  /** The tenant that the caller belongs to; '' where its credentials name none. */
  readonly tenant: string;
  readonly scopes: readonly string[];
  /** Further facts that the credentials state. */
  readonly claims: JsonObject;
  /** The security scheme by which the caller is known; undefined for an anonymous one. */
  readonly scheme?: string | undefined;
  /** The caller is a program on this machine, and no other machine reaches the server. */
  readonly isLocal?: boolean | undefined;
}

/** Security schemes of cards have no colon in their names, so this cannot be one. */
const AGENT_SCHEME = 'parley:agent';

/** The caller of a request that comes from inside the process and says nothing about itself. */
export const ANONYMOUS: Caller = { subject: '', tenant: '', scopes: [], claims: {} };

/** An agent of this server that calls another one for the owner of its task. */
export function agentCaller({ subject, tenant }: Pick<Caller, 'subject' | 'tenant'>): Caller {
  return { subject, tenant, scopes: [], claims: {}, scheme: AGENT_SCHEME };
}

export function isAgentCaller({ scheme }: Caller): boolean {
  return scheme === AGENT_SCHEME;
}

/** The trace that a request is part of; JSON, as the journal keeps it. */
export type TraceContext = {
  /** The name of the trace: `X-A2A-Trace-Id`, else the id in `traceparent`. */
  readonly id: string;
  /** As W3C Trace Context has it; undefined where it was missing or malformed. */
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
};

/** One operation that a client asks for: all that is known of the request beside its parameters. */
export interface Call<Name extends OperationName = OperationName> {
  readonly operation: Name;
  /** The name in the agent's address. */
  readonly agent: string;
  /** The name of the binding, e.g. `JSONRPC`. */
  readonly binding: string;
  /** The name of the dialect, e.g. `v1_0`. */
  readonly dialect: string;
  readonly caller: Caller;
  /** The call came by the operators' address: it is about the tasks of every owner. */
  readonly everyone?: boolean | undefined;
  /** The limits of what a request may say at the address that was called; undefined: those of the server. */
  readonly limits?: InputLimits | undefined;
  /** The limits of the caller at that address; undefined: those of the server. */
  readonly traffic?: TrafficLimits | undefined;
  /** The address of the server, as the client uses it; undefined if there is none. */
  readonly base?: string | undefined;
  /** The URIs of the extensions that the client asks for. */
  readonly extensions: readonly string[];
  /** The position in a stream after which the client wants to read on, as the request has it. */
  readonly resumeAt: string | undefined;
  /** As the request has it: quoted or bare, and perhaps not valid. */
  readonly idempotencyKey: string | undefined;
  /** The trace that the request is part of, or the span of it that `continueTrace` names. */
  readonly trace: TraceContext | undefined;
  /** Makes what the call starts (runs, webhooks) part of another span or trace. For interceptors, before `next()`. */
  continueTrace(trace: TraceContext): void;
  /** The address that the request comes from; behind a proxy that is trusted, as that saw it. Undefined if unknown. */
  readonly clientAddress?: string | undefined;
  /** `X-Request-Id` of the request: the name that a proxy or the client has for it; undefined where it has none. */
  readonly requestId?: string | undefined;
  /** The headers `Parley-Push-Events` and `Parley-Push-Snapshot`, as the request has them. */
  readonly pushWishes?: { readonly events?: string | undefined; readonly snapshot?: string | undefined } | undefined;
  /** Aborted when the client closes its connection before the response is complete. Made when it is first read. */
  readonly signal: AbortSignal;
  /** The same as a function, for code that runs for each request: it makes no signal. Returns what prevents the call back. */
  onAbort(listener: () => void): () => void;
  /** Calls back once, when the response was made or, for a stream, when it is over. */
  onEnd(listener: (end: CallEnd) => void): void;
}

/** The end of a call. */
export interface CallEnd {
  /** False where the client left before the response was ready, and for a stream that was left or cut before its end. */
  readonly isComplete: boolean;
}

/** The facts of a call that a binding learns by reading the request. */
export interface CallDetails<Name extends OperationName = OperationName>
  extends Pick<Call<Name>, 'operation' | 'binding' | 'dialect'> {
  /** Set if not in the headers. */
  readonly resumeAt?: string | undefined;
}

/** Makes the calls of one request; a batch has several. */
export type NewCall = <Name extends OperationName>(details: CallDetails<Name>) => Call<Name>;

export function isStreamCall(call: Call): call is Call<StreamOperationName> {
  return isStreamOperation(call.operation);
}
