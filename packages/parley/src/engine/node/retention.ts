/** Milliseconds for which things are kept; Infinity is for ever. */
export interface Retention {
  /** An ended task, with everything that belongs to it. */
  readonly tasks: number;
  /** A conversation without activity. */
  readonly contexts: number;
  /** An idempotency key. */
  readonly keys: number;
  /** Parts of ended tasks. */
  readonly events: number;
  readonly journals: number;
  readonly deliveries: number;
}

/** Stands for ever; with a time it is still a whole number. */
export const LONGEST_LIFETIME = 8e15;

const DAY = 86_400_000;
const FOREVER = Number.POSITIVE_INFINITY;

export const DEFAULT_RETENTION: Retention = {
  tasks: FOREVER,
  contexts: DAY,
  keys: DAY,
  events: FOREVER,
  journals: FOREVER,
  deliveries: FOREVER,
};

/** All times, with the lifetime of conversations as stores keep it. */
export function resolveEngineRetention(given: Partial<Retention> = {}): Retention {
  const retention = { ...DEFAULT_RETENTION, ...given };
  return { ...retention, contexts: Math.min(retention.contexts, LONGEST_LIFETIME) };
}
