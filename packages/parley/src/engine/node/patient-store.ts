import { isA2AError } from '../../model/errors/errors.ts';
import { storeUnreachable } from '../log/refusals.ts';
import type { Clock, Logger, QueueFacet, Store } from '../ports.ts';
import { QUEUE_METHODS } from '../queue/queue-methods.ts';
import { inTime } from './in-time.ts';

export interface PatientStoreOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds that a call may take. */
  readonly patience: number;
  /** The time by which heartbeats are judged. */
  readonly judgedAt: () => number;
}

/** Those who call these wait on their own terms: a commit that is late may still be written. */
const UNBOUNDED: ReadonlySet<string> = new Set<keyof Store>([
  'open',
  'close',
  'commit',
  'heartbeat',
  'time',
  'probe',
  'purge',
  'trim',
]);

/** Milliseconds between two notes in the log about a store that fails. */
const NOTED_EVERY = 5000;

type Method = (...values: unknown[]) => unknown;

/**
 * A store as requests meet it: where a call fails or takes too long, they are told that it is unavailable. Whether other nodes
 * are alive is judged by the clock of the store.
 */
export function patientStore(store: Store, options: PatientStoreOptions): Store {
  const { clock, log, patience, judgedAt } = options;
  let notedAt = Number.NEGATIVE_INFINITY;
  const failureOf = (name: string, error: unknown): unknown => {
    if (clock.now() - notedAt >= NOTED_EVERY) {
      notedAt = clock.now();
      log.warn('The store cannot be reached', { method: name, error });
    }
    return isA2AError(error) ? error : storeUnreachable(error);
  };
  const late = () => new Error(`The store did not respond within ${patience} ms`);
  const bounded =
    (name: string, call: Method): Method =>
    (...values) => {
      try {
        const result = call(...values);
        if (!(result instanceof Promise)) return result;
        return inTime(clock, patience, result, late).catch((error: unknown) => {
          throw failureOf(name, error);
        });
      } catch (error) {
        throw failureOf(name, error);
      }
    };
  const members: Record<string, unknown> = { exclusive: store.exclusive };
  for (const name of methodsOf(store)) {
    const call = (store[name as keyof Store] as Method).bind(store);
    members[name] = UNBOUNDED.has(name) ? call : bounded(name, call);
  }
  const patient = members as unknown as Store;
  const { queue } = store;
  return {
    ...patient,
    ...(queue && { queue: patientQueue(queue, bounded, judgedAt) }),
    isAlive: (node) => patient.isAlive(node, judgedAt()),
    abandoned: (node, _, limit) => patient.abandoned(node, judgedAt(), limit),
    // The wall clock of this node may be ahead, and others alive.
    sweep: (now) => patient.sweep(Math.min(now, judgedAt())),
  };
}

function patientQueue(
  queue: QueueFacet,
  bounded: (name: string, call: Method) => Method,
  judgedAt: () => number,
): QueueFacet {
  const members: Record<string, Method> = {};
  for (const name of QUEUE_METHODS) members[name] = bounded(name, queue[name].bind(queue) as Method);
  const patient = members as unknown as QueueFacet;
  return {
    ...patient,
    claim: (claim) => patient.claim({ ...claim, now: judgedAt() }),
    liveNodes: () => patient.liveNodes(judgedAt()),
  };
}

/** The names of all methods, also of those that only some stores have. */
function methodsOf(store: Store): ReadonlySet<string> {
  const names = new Set<string>();
  for (let place: object = store; place !== Object.prototype && place !== null; place = Object.getPrototypeOf(place)) {
    for (const name of Object.getOwnPropertyNames(place)) {
      if (name !== 'constructor' && typeof store[name as keyof Store] === 'function') names.add(name);
    }
  }
  return names;
}
