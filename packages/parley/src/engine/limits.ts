/** The engine's limits, in milliseconds, counts and bytes. */
export interface EngineLimits {
  /** A run that has produced nothing after this long becomes a task. Default 100 ms. */
  readonly replyWindow: number;
  /** How long `onCancel` handlers may hold back the cancellation. Default 2 s. */
  readonly cancelGrace: number;
  /** How many runs work at the same time on this node; the others wait, by priority. Default 0 = no limit. */
  readonly runs: number;
  /** How long a turn may run, waiting for answers not counted. Default 1 hour. */
  readonly runTimeout: number;
  /** How long a turn may stay silent. Default 10 minutes. */
  readonly inactivityTimeout: number;
  /** How long a blocking send waits before it answers with the current task. Default 5 minutes. */
  readonly requestTimeout: number;
  /** Messages that may wait for a working task to read them. Default 100. */
  readonly queuedMessages: number;
  /** Messages that a task may have, of both sides; then it takes no more. Default 10 000. */
  readonly messagesPerTask: number;
  /** Questions that one run may have open at the same time. Default 32. */
  readonly openQuestions: number;
  /** How long a run that is held in memory waits for an answer, unless the question says. Default 24 hours. */
  readonly askTimeout: number;
  /** A resumable run that has waited this long for an answer leaves the memory until it comes. Default 10 minutes. */
  readonly parkAfter: number;
  /** An agent waits once so many of its events are not yet committed … Default 256. */
  readonly pendingEvents: number;
  /** … or so many bytes. Default 64 KB. */
  readonly pendingBytes: number;
  /** Recent events held per live task for its readers; who falls behind reads the store. Default 256 KB. */
  readonly recentBytes: number;
  /** Tasks that have ended and were asked for lately are held, up to so many bytes. Default 16 MB. */
  readonly finishedBytes: number;
  /** Tasks that wait for their caller are held, up to so many bytes, for their next turn. Default 16 MB. */
  readonly waitingBytes: number;
  /** A page of a list ends before the task that would make it larger; it has one task at least. Default 16 MB. */
  readonly pageBytes: number;
  /** How often a lost run of a resumable agent begins again without having recorded anything new. Default 5. */
  readonly resumes: number;
  /** How long an idempotency key is kept. Default 24 hours. */
  readonly keyLifetime: number;
  /** A conversation in which nothing has happened for this long is over. Default 24 hours. */
  readonly contextLifetime: number;
  /** What one context may keep (`task.context.set`), in bytes of JSON. Default 64 KB. */
  readonly contextBytes: number;
  /** How long a task is kept after it has ended, with its journal and idempotency keys. Default 0 = for ever. */
  readonly taskRetention: number;
  /** How often a node says that it is alive. Default: a third of `leaseLifetime`. */
  readonly heartbeatInterval: number;
  /** How long after its last heartbeat a node counts as alive. Default 10 s. */
  readonly leaseLifetime: number;
  /** How long a request waits for a store that several nodes share; then it is unavailable. Default 5 s. */
  readonly storeTimeout: number;
  /** How often a node looks for commits of other nodes of which it has heard nothing. Default 2 s; 0 = never. */
  readonly pollInterval: number;
  /** How long a node waits for another one to carry out a message or a cancellation. Default 10 s. */
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
  recentBytes: 256 * 1024,
  finishedBytes: 16 * 1024 * 1024,
  waitingBytes: 16 * 1024 * 1024,
  pageBytes: 16 * 1024 * 1024,
  resumes: 5,
  keyLifetime: 24 * HOUR,
  contextLifetime: 24 * HOUR,
  contextBytes: 64 * 1024,
  taskRetention: Number.POSITIVE_INFINITY,
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

/** All limits of an engine, with their defaults. */
export function resolveEngineLimits(given: Partial<EngineLimits> = {}): EngineLimits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  return given.heartbeatInterval === undefined
    ? { ...limits, heartbeatInterval: heartbeatFor(limits.leaseLifetime) }
    : limits;
}
