import type { Dialect } from '../dialects/dialect.ts';
import type { NewCall } from '../model/call.ts';
import type { AgentInterface } from '../model/card.ts';
import type { A2AError } from '../model/errors/errors.ts';
import type { InputLimits } from '../model/input-limits.ts';
import type { BindingCaller, BindingCallerOptions } from './caller.ts';
import type { ExchangeRequest, ExchangeResponse } from './exchange.ts';
import type { BindingOptions } from './options.ts';
import type { Service } from './service.ts';

/** A request to an agent's operations, as a binding sees it. */
export interface BindingRequest {
  readonly request: ExchangeRequest;
  readonly query: URLSearchParams;
  /** The path below the agent's address, beginning with a slash; '' for the address itself. */
  readonly path: string;
  /** `root`: at one of the routes of 0.3 at the root of the host, which built-in bindings alone serve. */
  readonly place: 'agent' | 'root';
  /** The dialect that is spoken at this address, whatever the request looks like. */
  readonly pinned?: Dialect | undefined;
  /** The limits of what a request may say at this address; `decode` of a dialect takes them. */
  readonly limits: InputLimits;
}

/** A request that may be handled, and the operations of its agent. */
export interface BindingCall extends BindingRequest {
  readonly service: Service;
  /** Makes the call that the service is handed, once the binding knows what the request asks for. */
  readonly newCall: NewCall;
}

/** A response of a binding of your own. Where its body is an async iterable, nobody cuts it at `limits.streamTimeout`. */
export interface BindingResponse extends Omit<ExchangeResponse, 'body'> {
  readonly body: ExchangeResponse['body'] | AsyncIterable<string | Uint8Array>;
}

/** The serving half of a binding, at work in one server. */
export interface ServedBinding<Response extends BindingResponse = ExchangeResponse> {
  /** Reads a request, performs it and writes the response. Errors are responses too: it throws nothing. */
  handle(call: BindingCall): Response | Promise<Response>;
  /** Refuses a request that never reaches an operation, in the shape that its client understands. */
  refuse(request: BindingRequest, error: A2AError): Response;
  /** Tells, before a large body is read, whether the request needs it. Default: it does. */
  wantsBody?(request: BindingRequest): boolean;
  /** Tells whether a path at the root of the host is that of an operation. Default: none is. */
  isOperation?(path: string): boolean;
}

/** The serving half of a binding: how requests and responses carry operations. Servers take such values as `bindings`. */
export interface ServerBinding<Response extends BindingResponse = BindingResponse> {
  /** The name on cards; a binding of your own has a URI for it. */
  readonly protocolBinding: string;
  /** Its path below every agent's address, e.g. `/lines`; '' for the address itself. */
  readonly path: string;
  /** It serves everything below its path too. Default false. */
  readonly isTree?: boolean | undefined;
  /** The HTTP methods that it takes; others are answered with 405. Default: it decides itself. */
  readonly methods?: readonly string[] | undefined;
  /** The versions of A2A for which cards name it. Default: all that the server speaks. */
  readonly versions?: readonly string[] | undefined;
  /** Called once for each server. */
  serve(options: BindingOptions): ServedBinding<Response>;
}

/** The calling half of a binding. Clients take such values as `bindings`. */
export interface ClientBinding {
  /** The name on cards. */
  readonly protocolBinding: string;
  /** The versions of A2A that it carries. Default: all that the client speaks. */
  readonly versions?: readonly string[] | undefined;
  /** It is used only where it is asked for, or where a card names nothing else that is spoken. Default false. */
  readonly isLastResort?: boolean | undefined;
  /**
   * Returns the http(s) address that stands for that of an interface, where cards write it in another way; `all` are the
   * interfaces of the card. Undefined where it is none.
   */
  readonly addressOf?: ((url: string, all: readonly AgentInterface[]) => string | undefined) | undefined;
  /** Carries its requests, instead of the client's `fetch`. The client adds headers and credentials as it does to others. */
  readonly fetch?: typeof fetch | undefined;
  /** Tells whether an address may see what is meant for a trusted origin that is not its own. Default: no. */
  readonly isTrusted?: ((address: URL, origin: string) => boolean) | undefined;
  /** Called for each call, with the interface of the card that is in use. */
  open(options: BindingCallerOptions): BindingCaller;
}
