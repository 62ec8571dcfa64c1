import type { ClientBinding } from '../bindings/binding.ts';
import type { ProtocolName } from '../dialects/calling/informal-calling.ts';
import type { CardCheck, CardVerifier } from '../dialects/cards/read-card.ts';
import type { DialectDefinition } from '../dialects/definition.ts';
import type { FileEncodingOptions } from '../dialects/file-encoding.ts';
import type { SecurityScheme } from '../model/card.ts';
import type { A2AError } from '../model/errors/errors.ts';
import type { OperationInputs, OperationName } from '../model/operations.ts';
import type { Timing } from './call/timing.ts';
import type { Answering } from './input/answerer.ts';
import type { InputHandlers } from './input/inputs.ts';
import type { SendSettings } from './message/content.ts';
import { IDLE_WITH_KEEP_ALIVE_MS, IDLE_WITHOUT_MS } from './pace.ts';

export type { ReceivedEvent } from '../bindings/caller.ts';
export type { DialectDefinition, ProtocolName };

export type Awaitable<T> = T | Promise<T>;

/** Options of every call. */
export interface CallOptions {
  /** Stops waiting when it aborts; the task goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the response, or until a stream begins; 0 for no limit. */
  readonly timeout?: number | undefined;
  /** Headers of this call, beside those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Extensions to ask for beside those of the client, by their URI. */
  readonly extensions?: readonly string[] | undefined;
  /** Another tenant than that of the interface. */
  readonly tenant?: string | undefined;
}

export interface SendOptions extends CallOptions, SendSettings, InputHandlers {
  /** A key that lets the client repeat this send without a second task. Default: a new key. */
  readonly idempotencyKey?: string | undefined;
}

/** Proof of the caller: a token or key, a name with a password, or what gets a token from an OAuth 2 server. */
export type Credential = string | { readonly username: string; readonly password: string } | ClientCredentials;

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Instead of the scopes that the card asks for. */
  readonly scopes?: readonly string[] | undefined;
  /** Instead of the address on the card, which is used only on the card's own origin or an allowed one. */
  readonly tokenUrl?: string | undefined;
}

/** The purpose of a credential. */
export interface CredentialRequest {
  /** The scheme's name on the card; '' if the card has none and the server asked on its own. */
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
  /** The skill that the call is for. */
  readonly skill: string | undefined;
  /** `WWW-Authenticate` of a 401: the server asks, or what was sent before was refused. */
  readonly challenge: string | undefined;
  /** The credential that this call sent and the server refused. */
  readonly refused: Credential | undefined;
  /** The address that it will be sent to. */
  readonly url: string;
}

/** Credentials by the names of the card's schemes, or a function that gets them. */
export type Credentials =
  | Readonly<Record<string, Credential>>
  | ((request: CredentialRequest) => Awaitable<Credential | undefined>);

/** A token that is wanted, for credentials that get one. */
export interface TokenRequest extends Pick<CredentialRequest, 'name' | 'scheme' | 'scopes'> {
  readonly client: ClientCredentials;
  /** The token that was refused; it is not returned again. */
  readonly refused: string | undefined;
  /** Tells whether an address on the card may get secrets. */
  readonly isTrusted: (url: string) => boolean;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

/** Gets tokens from OAuth 2 servers: `clientCredentials()` of `parley-a2a/client`, or a flow of your own. */
export interface OAuth {
  token(request: TokenRequest): Promise<string>;
}

/** One request that is about to go out. */
export interface OutgoingCall<Name extends OperationName = OperationName> {
  readonly operation: Name;
  readonly input: OperationInputs[Name];
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Wraps every call, repeated ones included. Takes the call, passes it on, changed or not, and returns the
 * result, changed or not: the operation's result, or for a stream an async iterable, or a list, of `ReceivedEvent`.
 * Headers that it adds go to the card's own origin and to `allowedOrigins`, as all others do.
 */
export type ClientInterceptor = (
  call: OutgoingCall,
  next: (call: OutgoingCall) => Promise<unknown>,
) => Promise<unknown>;

export interface RetryOptions {
  /** Attempts in all. Default 3. */
  readonly attempts?: number | undefined;
  /** The longest delay before the second attempt, in milliseconds; it doubles with each further one. Default 200. */
  readonly firstDelay?: number | undefined;
  /** The longest delay, in milliseconds; a longer `Retry-After` ends the attempts. Default 10 000. */
  readonly longestDelay?: number | undefined;
}

export interface ReconnectOptions {
  /** Attempts in a row without a new event. Default 8. */
  readonly attempts?: number | undefined;
  /** The longest delay before the second attempt, in milliseconds; it doubles with each further one. Default 200. */
  readonly firstDelay?: number | undefined;
  /** The longest delay, in milliseconds, unless `Retry-After` asks for more, up to 60 000. Default 10 000. */
  readonly longestDelay?: number | undefined;
  /**
   * Milliseconds of silence, without even a keep-alive, after which a connection counts as lost; 0 for never. Default:
   * one minute if the server has the resume extension, and so keeps its streams alive, else five minutes.
   */
  readonly idleTimeout?: number | undefined;
}

export interface ReconnectInfo {
  readonly taskId: string | undefined;
  /** 1, 2, … since the last new event. */
  readonly attempt: number;
  /** Milliseconds until it is made. */
  readonly delay: number;
  /** The failure that ended the connection. */
  readonly error: A2AError;
  /** True: the server resumes at the very event (the resume extension). False: the client compares the task. */
  readonly resumes: boolean;
}

export interface Preference {
  /** As cards name it; also one of `bindings`. */
  readonly binding?: 'JSONRPC' | 'HTTP+JSON' | (string & Record<never, never>) | undefined;
  readonly version?: '1.0' | '0.3' | undefined;
}

export interface ClientLimits {
  /** The largest card that the client reads. Default 1 MiB. */
  readonly cardBytes?: number | undefined;
  /** The largest response that the client reads. Default 64 MiB. */
  readonly bodyBytes?: number | undefined;
  /** The largest event of a stream. Default 16 MiB. */
  readonly eventBytes?: number | undefined;
  /** The largest task that the events of a stream may add up to. Default 256 MiB. */
  readonly taskBytes?: number | undefined;
}

export interface ClientOptions extends InputHandlers {
  /** Headers of every call to the card's own origin and to `allowedOrigins`. */
  readonly headers?: Readonly<Record<string, string>> | (() => Awaitable<Readonly<Record<string, string>>>) | undefined;
  /**
   * Milliseconds for every call, and for a stream to begin; 0 for no limit. Default 30 000; none for sends that wait
   * for the end of the turn, unless you set it.
   */
  readonly timeout?: number | undefined;
  /** The path of the card, below the base address. */
  readonly agentCardPath?: string | undefined;
  /** The path of JSON-RPC, below the base address, whatever the card says. The client also uses it without a card. */
  readonly rpcPath?: string | undefined;
  /**
   * The protocol to speak, whatever the card says: an official version or an informal dialect. The client speaks a
   * dialect over JSON-RPC at the card's address, at `rpcPath`, or, without a card, at its own address. Default: the
   * protocol on the card, or the one that the card is written in.
   */
  readonly protocol?: ProtocolName | (string & {}) | undefined;
  /**
   * Informal dialects that the client speaks beside 1.0 and 0.3, from `parley-a2a/dialects` or of your own. The client
   * uses a dialect if the card of an agent is in it. The client of `parley-a2a` has the built-in ones.
   */
  readonly dialects?: readonly DialectDefinition[] | undefined;
  /**
   * Looks for more faults of cards, for `cardProblems`: `cardFaults` of `parley-a2a/client`. The client of `parley-a2a`
   * has it.
   */
  readonly checkCard?: CardCheck | undefined;
  /**
   * Verifies cards before the client reads them. `verifiedCards` of `parley-a2a/cards` sets it, and verifies extended
   * cards too. With the client of `parley-a2a`, use `trust` instead.
   */
  readonly verifyCard?: CardVerifier | undefined;
  /** The client of `parley-a2a` has it; here `verifiedCards` takes its place. */
  readonly trust?: undefined;
  /** Makes the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Only interfaces of this binding or version; if there is none, the client refuses to connect. */
  readonly prefer?: Preference | undefined;
  /** Bindings of your own beside JSON-RPC and HTTP+JSON, for agents whose cards name them. */
  readonly bindings?: readonly ClientBinding[] | undefined;
  /** Repeats calls that are safe to repeat; `false` repeats none. Default: 3 attempts. */
  readonly retry?: RetryOptions | false | undefined;
  /** Resumes streams that lost their connection; `false` resumes none. Default: 8 attempts without a new event. */
  readonly reconnect?: ReconnectOptions | false | undefined;
  /** Called before each attempt to resume a stream. */
  readonly onReconnect?: ((info: ReconnectInfo) => void) | undefined;
  /** Credentials by the names of the card's schemes, or a function that returns them. */
  readonly credentials?: Credentials | undefined;
  /** Gets the tokens for credentials with a `clientId`. The client of `parley-a2a` has `clientCredentials()`. */
  readonly oauth?: OAuth | undefined;
  /** Origins beside the card's that may see credentials, headers and messages, e.g. `https://api.example.com`. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Answers questions with `onInput` and `tools`: `answering` of `parley-a2a/client`. The client of `parley-a2a` has
   * it.
   */
  readonly answering?: Answering | undefined;
  /** Functions around every call; the first one is the outermost. */
  readonly interceptors?: readonly ClientInterceptor[] | undefined;
  /** Extensions to ask for with every call, by their URI. */
  readonly extensions?: readonly string[] | undefined;
  /** Ends everything that the client does. */
  readonly signal?: AbortSignal | undefined;
  /** The largest card, response, event and task that the client reads. Default: see ClientLimits. */
  readonly limits?: ClientLimits | undefined;
  /**
   * Encoding of files over HTTP+JSON of A2A 0.3, where SDKs differ from the specification. Default: detected when read,
   * written as the server writes, and before its first file as the SDKs of Python, Go and Java read it.
   */
  readonly fileEncoding?: FileEncodingOptions | undefined;
  /** For tests. */
  readonly timing?: Timing | undefined;
}

export const DEFAULT_TIMEOUT = 30_000;

export const DEFAULT_LIMITS = {
  cardBytes: 2 ** 20,
  bodyBytes: 64 * 2 ** 20,
  eventBytes: 16 * 2 ** 20,
  taskBytes: 256 * 2 ** 20,
} as const satisfies ClientLimits;

const DEFAULT_RETRY = { attempts: 3, firstDelay: 200, longestDelay: 10_000 } as const;

export type RetrySettings = Required<{ readonly [Name in keyof RetryOptions]: number }>;

export function retrySettings(options: RetryOptions | false | undefined): RetrySettings {
  return withDefaults(DEFAULT_RETRY, options === false ? { attempts: 1 } : options);
}

export type ReconnectSettings = RetrySettings & { readonly idleTimeout: number };

export function reconnectSettings(
  options: ReconnectOptions | false | undefined,
  keepsAlive: boolean,
): ReconnectSettings {
  const idleTimeout = keepsAlive ? IDLE_WITH_KEEP_ALIVE_MS : IDLE_WITHOUT_MS;
  const defaults = { ...DEFAULT_RETRY, attempts: 8, idleTimeout };
  return withDefaults(defaults, options === false ? { attempts: 0, idleTimeout: 0 } : options);
}

/** The defaults, and over them whatever is set. */
export function withDefaults<T extends object>(
  defaults: T,
  options: object | undefined,
): { [Name in keyof T]: number } {
  const set = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) } as { [Name in keyof T]: number };
}

/** The options that hold for every agent. */
const HARMLESS: readonly string[] = [
  'fetch',
  'timeout',
  'retry',
  'reconnect',
  'onReconnect',
  'limits',
  'signal',
  'timing',
  'dialects',
  'bindings',
  'answering',
  'checkCard',
  'verifyCard',
];
/** The options that hold for no other agent. */
const OF_ONE_AGENT: readonly string[] = ['agentCardPath', 'rpcPath', 'protocol', 'fileEncoding', 'agent'];

/** The settings of a client that hold for another agent, too: all but those of one agent, where its origin is trusted. */
export function settingsElsewhere(options: ClientOptions, isTrusted: boolean): ClientOptions {
  const isKept = (name: string) => (isTrusted ? !OF_ONE_AGENT.includes(name) : HARMLESS.includes(name));
  return Object.fromEntries(Object.entries(options).filter(([name]) => isKept(name)));
}
