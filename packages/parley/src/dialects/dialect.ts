import type { AgentCard } from '../model/card.ts';
import type { A2AError, WireError } from '../model/errors/errors.ts';
import type { InputLimits } from '../model/input-limits.ts';
import type {
  OperationInputs,
  OperationName,
  OperationResults,
  SendInput,
  SubscribeInput,
  UnaryOperationName,
} from '../model/operations.ts';
import type { Message, StreamEvent, Task, TaskStatus } from '../model/task.ts';
import type { TrafficLimits } from '../model/traffic-limits.ts';
import type { RequestedFiles } from './file-encoding.ts';

/** A value that `JSON.stringify` writes as it is meant. */
export type WireValue = unknown;

/**
 * The serving half of a dialect: it reads requests and writes responses. Pure, without I/O, and without any knowledge of
 * the binding that carries it.
 */
export interface Dialect {
  /** The name of its folder, with the form where there are several. */
  readonly name: string;
  /** Its name in `A2A-Version`. */
  readonly version: string;
  /** The header, in lower case, in which requests name extensions and responses list the active ones. */
  readonly extensionsHeader: string;
  /** JSON-RPC method names. */
  readonly methods: ReadonlyMap<string, OperationName>;
  /** Reads a request's parameters; throws INVALID_PARAMS with the fields that are wrong. */
  readonly decode: { readonly [Name in OperationName]: DecodeRequest<OperationInputs[Name]> };
  /** Writes a result; `input` is that of the request. */
  readonly encode: {
    readonly [Name in UnaryOperationName]: (result: OperationResults[Name], input?: OperationInputs[Name]) => WireValue;
  };
  /** Writes one event of a stream. */
  readonly encodeEvent: (event: StreamEvent) => WireValue;
  readonly encodeCard: (card: AgentCard) => WireValue;
  /** The details of an error beside its code and message; undefined if there are none. */
  readonly errorDetails: (error: A2AError) => WireValue;
  /** The error as this dialect knows it, where the same mistake has another code than in the others. */
  readonly errorOf: (error: A2AError, operation: OperationName | undefined) => WireError;
  /**
   * Streaming operations whose errors before the first event are the only event of a stream. `accepted`: of any of them,
   * where the request accepts event streams and no JSON.
   */
  readonly errorsInStream: ReadonlySet<OperationName> | 'accepted';
  readonly webhooks: DialectWebhooks;
  /** Its paths and bodies over HTTP+JSON. */
  readonly rest: RestShape;
  /** Headers of its responses beside those of all. */
  readonly answerHeaders?: Readonly<Record<string, string>> | undefined;
  /** It has no HTTP+JSON, whatever `rest` says: only JSON-RPC is served at its mounts. */
  readonly jsonRpcOnly?: boolean | undefined;
  /** The signs of requests that name no version. Undefined: only an address or a version tells this dialect. */
  readonly signs?: DialectSigns | undefined;
  /** The limits of its mounts, where they are not those of all servers. Settings win. */
  readonly limits?: Partial<InputLimits> | undefined;
  /** The limits of callers at its mounts, where they are not those of all servers. Settings win. */
  readonly traffic?: Partial<TrafficLimits> | undefined;
  /** The addresses that its clients expect. */
  readonly addresses?: DialectAddresses | undefined;
  /** Differences from the official versions. */
  readonly quirks?: DialectQuirks | undefined;
}

/** Reads the parameters of a request within limits. Default: those of a server that sets none. */
export type DecodeRequest<Input> = (params: unknown, limits?: InputLimits) => Input;

/** Reads a request's header by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined;

/** The parts of a JSON-RPC request that can show its dialect. */
export interface RequestSigns {
  readonly method: string;
  /** As parsed. */
  readonly params: unknown;
  readonly header: ReadHeader;
}

/** Recognises requests in a dialect that name no version. */
export interface DialectSigns {
  /** Names the sign in `X-Parley-Dialect`, e.g. `X-A2A headers`. */
  readonly sign: string;
  readonly isRequest: (signs: RequestSigns) => boolean;
  /** The headers alone prove it, for a request whose body cannot be read. Default: `isRequest`, with '' as the method. */
  readonly isClient?: ((header: ReadHeader) => boolean) | undefined;
  /** The sign counts only where the server is lenient with requests that name no version. */
  readonly needsLenience?: boolean | undefined;
}

export interface DialectAddresses {
  /** The paths of its default mounts. Settings may put other mounts there. */
  readonly mounts?: ((basePath: string) => readonly string[]) | undefined;
  /** Official clients may use its mounts too: the cards of its version list them. */
  readonly isListed?: boolean | undefined;
  /** The segment below every mount at which another form of the dialect is spoken. */
  readonly below?: { readonly segment: string; readonly dialect: Dialect } | undefined;
  /** This form is spoken at the segment below an agent's address too. */
  readonly segment?: string | undefined;
  readonly card?: CardAddress | undefined;
}

/** The addresses at which clients of a dialect look for its cards, beside `/.well-known/agent-card.json`. */
export interface CardAddress {
  readonly path: string;
  /** The path has a list of the cards of all agents. */
  readonly isList?: boolean | undefined;
  /** Clients read an agent's card at the agent's own address too, and at `/card` below it. */
  readonly isAtAgents?: boolean | undefined;
}

/** The configs of webhooks in a dialect's requests, and the requests that its webhooks get. */
export interface DialectWebhooks {
  /** The member that has the config in requests about it alone; undefined: the request is the config. */
  readonly member: string | undefined;
  /** The member of a send's `configuration` that has the config. */
  readonly sendMember: string;
  /** Requests name a config by its id; without one, or with the task's in its place, they mean the first config. */
  readonly requiresId: boolean;
  /** The media type of what webhooks get. */
  readonly contentType: string;
  /** A status change is told by the whole task, where not all events are asked for. */
  readonly tellsTasks: boolean;
}

/** The ways in which informal dialects differ from the official versions. */
export interface DialectQuirks {
  /** Its clients look for the fields `X-RateLimit-*`. */
  readonly hasLegacyRateFields?: boolean | undefined;
  /** The operation of a JSON-RPC method, where its parameters decide too. Undefined: what `methods` says. */
  readonly operationOf?: ((method: string, params: unknown) => OperationName | undefined) | undefined;
  /** An error in numbers and words of its own; undefined where it has none for this one. */
  readonly rpcError?: ((error: WireError, about: ErrorCircumstances) => RpcError | undefined) | undefined;
  /** The HTTP status of a JSON-RPC error, where it is not the usual one. */
  readonly rpcStatus?: ((error: WireError, operation: OperationName | undefined) => number | undefined) | undefined;
  /** For streams whose frames have names, depend on what came before, or may be errors. */
  readonly streamEncoder?: ((input: SendInput | SubscribeInput) => StreamEncoder) | undefined;
  /** The error that replaces this event of a stream; undefined: the event itself. */
  readonly eventError?: ((event: StreamEvent) => RpcError | undefined) | undefined;
  /** Frames of a stream are the events themselves, not JSON-RPC responses; `[DONE]` is the last of them. */
  readonly bareEvents?: boolean | undefined;
  /** A request without an id is not valid. */
  readonly requiresId?: boolean | undefined;
  /** A task as several events, where one cannot show it whole. Only the last of their frames has an id. */
  readonly snapshotEvents?: ((task: Task) => readonly StreamEvent[]) | undefined;
  /**
   * The body for a webhook, where it is not the event itself; `status` is the task's. Undefined: no request is sent.
   */
  readonly encodeNotification?: ((event: StreamEvent, status: TaskStatus) => WireValue) | undefined;
  /** The SSE name of a frame that is an error. */
  readonly errorEvent?: string | undefined;
  /** Adds to an error that a `streamEncoder` has put into a stream. */
  readonly streamError?: ((error: RpcError, about: ErrorCircumstances) => RpcError) | undefined;
  /** The stream of a send stays open while the task waits for its caller. */
  readonly staysOpen?: boolean | undefined;
  /** Refuses a send whose headers name a version that is not served: throws VERSION_NOT_SUPPORTED. */
  readonly requireVersion?: ((header: ReadHeader) => void) | undefined;
  /** Reads the settings of a send from its headers; those in its body win. */
  readonly sendSettings?: ((header: ReadHeader) => SendSettings) | undefined;
  /** The error that replaces this result of a send; undefined: the result itself. */
  readonly resultError?: ((result: Task | Message) => A2AError | undefined) | undefined;
}

export type SendSettings = Pick<SendInput, 'timeout' | 'priority' | 'maxTurns' | 'trace'>;

/** A JSON-RPC error object. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: WireValue;
}

/** The facts of a request that some dialects write beside an error. */
export interface ErrorCircumstances {
  /** As the request names it, shortened. */
  readonly method: string | undefined;
  readonly operation: OperationName | undefined;
  readonly requestId: string | number | null;
  /** ISO 8601. */
  readonly time: string;
  /** As the request named it. */
  readonly traceId: string | undefined;
  /** The names of the agents that are served. */
  readonly agents: readonly string[];
}

/** One frame of a stream: a result, or an error in its place. */
export type StreamFrame = { readonly event?: string | undefined } & (
  | { readonly result: WireValue }
  | { readonly error: RpcError }
);

/** Writes the frames of one stream. */
export interface StreamEncoder {
  /** Its frames depend on earlier events: to go on after a position it has to see those again. */
  readonly remembers?: boolean | undefined;
  /**
   * It makes fewer frames of events that are ready at once. Its frames have no positions, and a stream always begins with
   * the task. Others are given one event at a time, and every frame has a position.
   */
  readonly joins?: boolean | undefined;
  /** The frames of these events, in order. */
  encode(events: readonly StreamEvent[]): readonly StreamFrame[];
}

export interface RestShape {
  readonly paths: RestPaths;
  /** Media types that requests may have, the plain one first; responses use another one only if the client names it. */
  readonly mediaTypes: readonly string[];
  /** The body of an error. */
  readonly errorBody: (error: A2AError, status: RestStatus, place: RestRequest['place']) => WireValue;
  /** Finds the dialect that reads this request and writes its response: several may share their paths. */
  readonly dialectFor: (request: RestRequest) => Dialect;
}

/** The parts of a REST request that can tell its form. */
export interface RestRequest {
  readonly verb: string;
  /** The parsed body; undefined if there is none. */
  readonly body: unknown;
  /** `root`: the routes of the seed documents at the root of the host. */
  readonly place: 'agent' | 'root';
  /** The encoding of files, in the one form where that differs. */
  readonly files?: RequestedFiles | undefined;
}

/** The REST routes of a dialect, as far as dialects differ in them. */
export interface RestPaths {
  /** The segment before every route; undefined = none. */
  readonly prefix: string | undefined;
  /** The segment of the extended card. */
  readonly extendedCard: string;
  /** Tasks can be listed. */
  readonly lists: boolean;
  /** Routes also work below `/{tenant}`. */
  readonly tenants: boolean;
}

/** An error's HTTP status and the name of the gRPC code that goes with it. */
export interface RestStatus {
  readonly http: number;
  readonly grpc: string;
}
