/** The rate of one caller's requests. */
export interface RateLimit {
  /** Requests that one caller may send within the window. */
  readonly requests: number;
  /** Length of the window, in milliseconds. */
  readonly window: number;
  /** Requests that one caller may send within one second. Default: as many as `requests`. */
  readonly burst?: number | undefined;
  /**
   * Also sends the headers `X-RateLimit-*`, beside `RateLimit` and `RateLimit-Policy`. Default: on the mounts of
   * dialects that have them.
   */
  readonly legacyHeaders?: boolean | undefined;
}

/** Bounds of one caller. Times are in milliseconds; 0 means no limit. */
export interface TrafficLimits {
  /** The rate of one caller's requests. Default: any. */
  readonly rate: RateLimit | undefined;
  /** Requests that one caller may have at the same time, open streams included. Default 0 = no limit. */
  readonly requestsPerCaller: number;
  /** Streams that one caller may have open at the same time. Default 0 = no limit. */
  readonly streamsPerCaller: number;
  /** Tasks of one context that may work at the same time, on this node. Default 0 = no limit. */
  readonly tasksPerContext: number;
  /** Longest run of a blocking send, if the request names no time. Default 0 = `runTimeout`. */
  readonly sendTimeout: number;
  /** Time after which a blocking send returns the task as it is. Default 5 minutes. */
  readonly requestTimeout: number;
  /**
   * Time after which the server closes a stream. The task goes on, and clients can resume the stream. Default 0 =
   * never.
   */
  readonly streamTimeout: number;
  /** Longest time that a request may ask for; the server cuts longer ones to it. Default 0 = no limit. */
  readonly longestTimeout: number;
  /** Longest time of a turn, not counting waits for answers. Default: that of the server, 1 hour. */
  readonly runTimeout: number | undefined;
  /** Longest silence of a turn. Default: that of the server, 10 minutes. */
  readonly inactivityTimeout: number | undefined;
  /** Time that a run in memory waits for an answer. Default: that of the server, 24 hours. */
  readonly askTimeout: number | undefined;
  /** Messages of both sides that a task may have. Default: that of the server, 10 000. */
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
