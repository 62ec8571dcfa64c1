/** The engine's limits, in milliseconds, counts and bytes. */
export interface EngineLimits {
  /** Time after which a run without output becomes a task. Default 100 ms. */
  readonly replyWindow: number;
  /** Time that `onCancel` handlers may hold back the cancellation. Default 2 s. */
  readonly cancelGrace: number;
  /** Runs that work at the same time on this node; the others wait, by priority. Default 0 = no limit. */
  readonly runs: number;
  /** Longest time of a turn, not counting waits for answers; 0 for no limit. Default 1 hour. */
  readonly runTimeout: number;
  /** Longest silence of a turn; 0 for no limit. Default 10 minutes. */
  readonly inactivityTimeout: number;
  /** Time after which a blocking send returns the task as it is; 0 waits for the end of the turn. Default 5 minutes. */
  readonly requestTimeout: number;
  /** Messages that may wait for a working task to read them. Default 100. */
  readonly queuedMessages: number;
  /** Messages of both sides that a task may have; then it takes no more. 0 for no limit. Default 10 000. */
  readonly messagesPerTask: number;
  /** Questions that one run may have open at the same time. Default 32. */
  readonly openQuestions: number;
  /**
   * Time that a run in memory waits for an answer, unless the question has its own; 0 for no limit. Default 24 hours.
   */
  readonly askTimeout: number;
  /**
   * Time after which a waiting resumable run leaves memory until its answer comes; 0 keeps it there. Default 10
   * minutes.
   */
  readonly parkAfter: number;
  /** Uncommitted events that an agent may have before it waits. Default 256. */
  readonly pendingEvents: number;
  /** Uncommitted bytes that an agent may have before it waits. Default 64 KB. */
  readonly pendingBytes: number;
  /** Recent events that a live task keeps in memory for its readers; slower readers read the store. Default 128 KB. */
  readonly recentBytes: number;
  /** Memory for recently read ended tasks. Default 16 MB. */
  readonly finishedBytes: number;
  /** Memory for tasks that wait for their caller, to speed up their next turn. Default 16 MB. */
  readonly waitingBytes: number;
  /**
   * Largest page of a list. A page ends before the task that would exceed it, but has at least one task. Default 16 MB.
   */
  readonly pageBytes: number;
  /** Times that a lost run of a resumable agent starts again without recording anything new. Default 5. */
  readonly resumes: number;
  /** Largest state of one context (`task.context.set`), in bytes of JSON. Default 64 KB. */
  readonly contextBytes: number;
  /** Interval of the heartbeats of a node. Default: a third of `leaseLifetime`. */
  readonly heartbeatInterval: number;
  /** Time that a node counts as alive after its last heartbeat. Default 10 s. */
  readonly leaseLifetime: number;
  /** Time that a request waits for a store that several nodes share; then it fails with `UNAVAILABLE`. Default 5 s. */
  readonly storeTimeout: number;
  /**
   * Interval at which a node looks for commits of other nodes that no notice told it of; 0 never looks. Default 2 s.
   */
  readonly pollInterval: number;
  /** Time that a node waits for another node to carry out a message or a cancellation. Default 10 s. */
  readonly commandTimeout: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const DEFAULT_LIMITS: EngineLimits = {
  replyWindow: 100,
  cancelGrace: 2 * SECOND,
  runs: 0,
  runTimeout: HOUR,
  inactivityTimeout: 10 * MINUTE,
  requestTimeout: 5 * MINUTE,
  queuedMessages: 100,
  messagesPerTask: 10_000,
  openQuestions: 32,
  askTimeout: 24 * HOUR,
  parkAfter: 10 * MINUTE,
  pendingEvents: 256,
  pendingBytes: 64 * 1024,
  // With twice as much, nearly all events of a stream outlive the first collections: V8 then makes all later ones in the old generation.
  recentBytes: 128 * 1024,
  finishedBytes: 16 * 1024 * 1024,
  waitingBytes: 16 * 1024 * 1024,
  pageBytes: 16 * 1024 * 1024,
  resumes: 5,
  contextBytes: 64 * 1024,
  heartbeatInterval: heartbeatFor(10 * SECOND),
  leaseLifetime: 10 * SECOND,
  storeTimeout: 5 * SECOND,
  pollInterval: 2 * SECOND,
  commandTimeout: 10 * SECOND,
};

/** Milliseconds for which runs may go on when a server is closed, unless it is told otherwise. */
export const DEFAULT_DRAIN_TIMEOUT = 10 * SECOND;

/** So often a node says that it is alive, unless it is told otherwise: two heartbeats in a row may be lost. */
export function heartbeatFor(leaseLifetime: number): number {
  return Math.floor(leaseLifetime / 3);
}

/** Milliseconds. A shorter lease would be over before a store across a network has noted it. */
const SHORTEST_LEASE = 100;

/** Throws where one heartbeat that is late would cost a node its leases. */
export function requireLongerLease({ heartbeatInterval, leaseLifetime }: EngineLimits): void {
  if (!(leaseLifetime >= SHORTEST_LEASE)) {
    throw new TypeError(
      `limits.leaseLifetime (${leaseLifetime} ms) must be at least ${SHORTEST_LEASE} ms: a node needs time to say that it is alive`,
    );
  }
  if (leaseLifetime >= 2 * heartbeatInterval) return;
  throw new TypeError(
    `limits.leaseLifetime (${leaseLifetime} ms) must be at least twice limits.heartbeatInterval (${heartbeatInterval} ms): a node whose heartbeat is late would lose its tasks`,
  );
}

/** The limits for which 0 means that there is none. */
export const ENDLESS_LIMITS = [
  'runs',
  'runTimeout',
  'inactivityTimeout',
  'requestTimeout',
  'messagesPerTask',
  'askTimeout',
  'parkAfter',
  'pollInterval',
] as const satisfies readonly (keyof EngineLimits)[];

/** All limits of an engine, with their defaults. A limit for which 0 means none is Infinity then. */
export function resolveEngineLimits(given: Partial<EngineLimits> = {}): EngineLimits {
  const limits: { -readonly [name in keyof EngineLimits]: number } = { ...DEFAULT_LIMITS, ...given };
  for (const name of ENDLESS_LIMITS) if (limits[name] === 0) limits[name] = Number.POSITIVE_INFINITY;
  return given.heartbeatInterval === undefined
    ? { ...limits, heartbeatInterval: heartbeatFor(limits.leaseLifetime) }
    : limits;
}
