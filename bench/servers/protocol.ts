/** What the runner and a server process say to each other. */
export const SERVER_KINDS = ['memory', 'sqlite', 'official', 'simple', 'limit'] as const;
/** The same server in memory, put on the network by its own listener and by each adapter. */
export const ADAPTER_KINDS = [
  'listen',
  'node',
  'express',
  'express4',
  'fastify',
  'koa',
  'fetch',
  'hono',
  'next',
] as const;
export type AdapterKind = (typeof ADAPTER_KINDS)[number];
/** The server in memory with a setting: callers have tokens, have a rate that they do not reach, or are shed under load. */
export type SettingKind = 'jwt' | 'rate' | 'load';
/**
 * The loop of `streamText`, by itself and around it `llmAgent`, in memory and on SQLite; both once more in a second process;
 * and an agent that only yields the text.
 */
export const MODEL_KINDS = ['sdk', 'sdk-again', 'sdk-written', 'llm', 'llm-again', 'llm-sqlite', 'yielding'] as const;
/**
 * Nodes on one Postgres database; `watched` notes when metered chunks were committed; with `steps`, the agent is durable:
 * three steps, each on disk before the next.
 */
export const POSTGRES_KINDS = ['postgres', 'postgres-watched', 'postgres-steps', 'sqlite-steps'] as const;
export type PostgresKind = (typeof POSTGRES_KINDS)[number];
/** Servers that are asked over gRPC: ours, the official SDK's, and bare grpc-js. */
export const GRPC_KINDS = ['grpc-memory', 'grpc-sqlite', 'grpc-official', 'grpc-floor'] as const;
export type GrpcKind = (typeof GRPC_KINDS)[number];
export type ModelKind = (typeof MODEL_KINDS)[number];
/**
 * `again`: the same as `memory`, to tell how far two processes of one server are apart. `untold`: the same without the code of
 * telemetry.
 */
export type ServerKind =
  | (typeof SERVER_KINDS)[number]
  | AdapterKind
  | SettingKind
  | ModelKind
  | PostgresKind
  | GrpcKind
  | 'again'
  | 'told'
  | 'told-again'
  | 'untold';

export interface StartOptions {
  readonly kind: ServerKind;
  /** A folder of this server alone. */
  readonly folder: string;
  /** How many tasks the store holds before the server starts. */
  readonly seed: number;
}

/**
 * `settle` collects garbage first; `release` opens the gate of waiting agents; `watch` begins to measure the loop's delay,
 * `watch-turns` its turns until the next question; `fill` puts old tasks into the store, `fill-less` a tenth of them, and
 * `purge` removes them: the answer comes when that is done.
 */
export type Question = 'usage' | 'settle' | 'release' | 'watch' | 'watch-turns' | 'fill' | 'fill-less' | 'purge';

export interface Usage {
  /** User and system time of the process, all threads, in µs. */
  readonly cpu: number;
  readonly heap: number;
  readonly rss: number;
  /** The highest resident size since the process started, in bytes. */
  readonly peak: number;
  /** How many scripts have ended. */
  readonly finished: number;
  /** p99 of the event loop's delay since the last `watch`, in ms; 0 before the first one. */
  readonly loopDelay: number;
  /** Where its turns were watched. */
  readonly loop?: WatchedLoop | undefined;
  /** Of a watched node, since the last question. */
  readonly commits?: readonly CommitTime[] | undefined;
}

/** When a chunk was written and when it was committed, in µs of the clock that all processes share. */
export type CommitTime = readonly [written: number, committed: number];

/** The event loop since it is watched, in milliseconds. */
export interface WatchedLoop {
  /** The longest delay of a timer. */
  readonly delay: number;
  /** The longest turn, in CPU time of the main thread: what else the machine does is not in it. */
  readonly turn: number;
  readonly turnP99: number;
}

export type Report =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'usage'; readonly usage: Usage };
