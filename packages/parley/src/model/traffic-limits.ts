/** The rate of one caller's requests. */
export interface RateLimit {
  /** So many requests may come within the window. */
  readonly requests: number;
  /** In milliseconds. */
  readonly window: number;
  /** So many of them may come within one second. Default: as many as `requests`. */
  readonly burst?: number | undefined;
  /** Sends the fields `X-RateLimit-*` too, beside `RateLimit` and `RateLimit-Policy`. Default: on the mounts of dialects that have them. */
  readonly legacyHeaders?: boolean | undefined;
}

/** What bounds the requests of one caller over time. Times are in milliseconds; 0 means no limit. */
export interface TrafficLimits {
  /** The rate of one caller's requests. Default: any. */
  readonly rate: RateLimit | undefined;
  /** How many requests of one caller may be answered at the same time, open streams included. Default 0 = no limit. */
  readonly requestsPerCaller: number;
  /** How many streams of one caller may be open at the same time. Default 0 = no limit. */
  readonly streamsPerCaller: number;
  /** How many tasks of one context may be at work at the same time, on this node. Default 0 = no limit. */
  readonly tasksPerContext: number;
  /** How long the run of a blocking send may take where the request names no time. Default 0 = `runTimeout`. */
  readonly sendTimeout: number;
  /** How long a blocking send waits before it is answered with the task as it is. Default 5 minutes. */
  readonly requestTimeout: number;
  /** A stream is closed after this long; the task goes on and the stream can be resumed. Default 0 = never. */
  readonly streamTimeout: number;
  /** The longest time that a request may ask for; longer ones are cut to it. Default 0 = no limit. */
  readonly longestTimeout: number;
  /** How long a turn may run, waiting for answers not counted. Default: as for the server, where it is 1 hour. */
  readonly runTimeout: number | undefined;
  /** How long a turn may stay silent. Default: as for the server, where it is 10 minutes. */
  readonly inactivityTimeout: number | undefined;
  /** How long a run that is held in memory waits for an answer. Default: as for the server, where it is 24 hours. */
  readonly askTimeout: number | undefined;
  /** Messages that a task may have, of both sides. Default: as for the server, where it is 10 000. */
  readonly messagesPerTask: number | undefined;
}

/** The limits of a server that sets none. */
export const DEFAULT_TRAFFIC_LIMITS: TrafficLimits = {
  rate: undefined,
  requestsPerCaller: Number.POSITIVE_INFINITY,
  streamsPerCaller: Number.POSITIVE_INFINITY,
  tasksPerContext: Number.POSITIVE_INFINITY,
  sendTimeout: Number.POSITIVE_INFINITY,
  requestTimeout: 300_000,
  streamTimeout: Number.POSITIVE_INFINITY,
  longestTimeout: Number.POSITIVE_INFINITY,
  runTimeout: undefined,
  inactivityTimeout: undefined,
  askTimeout: undefined,
  messagesPerTask: undefined,
};
