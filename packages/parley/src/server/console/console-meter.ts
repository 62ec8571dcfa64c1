import type { CommitFollower } from '../../engine/follow/commit-followers.ts';
import type { Clock } from '../../engine/ports.ts';
import { isoTime } from '../../model/basics/timestamps.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { isStreamOperation } from '../../model/operations.ts';
import { isTerminal } from '../../model/states.ts';
import type { ServerInterceptor } from '../intercept/interceptors.ts';
import type { MetricsPoint, MetricsSnapshot } from '../operator/console-api.ts';
import type { OperatorResource } from '../operator/operator-routes.ts';

/** Milliseconds of a point, and the number of points that are kept. */
const STEP = 5_000;
const MOST_POINTS = 120;
/** Latencies that are kept of one point; of more, the first ones. */
const MOST_LATENCIES = 2_000;
/** Milliseconds between two looks at the loop, the heap and the queues, and for how long they go on after the last request. */
const SAMPLED_EVERY = 500;
const SAMPLED_FOR = 120_000;

/** The work of the server at this moment. */
type MeterLoad = Omit<MetricsSnapshot['now'], 'heapBytes' | 'residentBytes' | 'uptime'>;

interface ConsoleMeterOptions {
  readonly clock: Clock;
  readonly node: () => string;
  readonly load: () => MeterLoad;
}

interface Bucket {
  readonly at: number;
  operations: number;
  failures: number;
  events: number;
  readonly latencies: number[];
  streams: number;
  runsWaiting: number;
  loopDelay: number;
  heapBytes: number;
}

/** Counts what the charts of the console show. Only a server with a console has one. */
export class ConsoleMeter {
  readonly #options: ConsoleMeterOptions;
  readonly #startedAt: number;
  readonly #buckets: Bucket[] = [];
  readonly #totals = { operations: 0, failures: 0, events: 0 };
  readonly #ended: Record<string, number> = {};
  #timer: ReturnType<typeof setInterval> | undefined;
  #askedAt = 0;

  constructor(options: ConsoleMeterOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /** Around each operation. */
  readonly interceptor: Pick<ServerInterceptor, 'operation'> = {
    operation: async (call, next) => {
      const begun = performance.now();
      this.#totals.operations += 1;
      this.#bucket().operations += 1;
      try {
        return await next();
      } catch (error) {
        if (A2AError.from(error).code === 'INTERNAL') {
          this.#totals.failures += 1;
          this.#bucket().failures += 1;
        }
        throw error;
      } finally {
        const { latencies } = this.#bucket();
        if (!isStreamOperation(call.operation) && latencies.length < MOST_LATENCIES) {
          latencies.push(performance.now() - begun);
        }
      }
    },
  };

  /** Told of commits. */
  readonly follower: CommitFollower = (commits) => {
    let events = 0;
    for (const { records } of commits) {
      for (const { event } of records) {
        events += 1;
        if (event.kind !== 'status' || !isTerminal(event.status.state)) continue;
        this.#ended[event.status.state] = (this.#ended[event.status.state] ?? 0) + 1;
      }
    }
    this.#totals.events += events;
    this.#bucket().events += events;
  };

  readonly resource: OperatorResource = { method: 'GET', respond: () => this.snapshot() };

  snapshot(): MetricsSnapshot {
    const { node, load, clock } = this.#options;
    const now = clock.now();
    this.#askedAt = now;
    this.#watch();
    const { at } = this.#bucket();
    const { heapUsed = 0, rss = 0 } = memoryNow();
    return {
      at: isoTime(now),
      startedAt: isoTime(this.#startedAt),
      node: node(),
      step: STEP,
      points: this.#buckets.filter((bucket) => bucket.at < at).map(pointOf),
      now: { ...load(), heapBytes: heapUsed, residentBytes: rss, uptime: now - this.#startedAt },
      totals: { ...this.#totals, tasksEnded: { ...this.#ended } },
    };
  }

  /** The bucket of this moment; those of silent times before it are there too. */
  #bucket(): Bucket {
    const at = Math.floor(this.#options.clock.now() / STEP) * STEP + STEP;
    const last = this.#buckets.at(-1);
    if (last && last.at >= at) return last;
    const first = last ? Math.max(last.at + STEP, at - (MOST_POINTS - 1) * STEP) : at;
    for (let time = first; time <= at; time += STEP) this.#buckets.push(emptyBucket(time));
    this.#buckets.splice(0, this.#buckets.length - MOST_POINTS);
    return this.#buckets.at(-1) as Bucket;
  }

  /** Samples what is not counted, as long as the charts are open. */
  #watch(): void {
    if (this.#timer !== undefined) return;
    let expected = performance.now() + SAMPLED_EVERY;
    const look = () => {
      const late = performance.now() - expected;
      expected = performance.now() + SAMPLED_EVERY;
      const bucket = this.#bucket();
      const { streams, runsWaiting } = this.#options.load();
      bucket.loopDelay = Math.max(bucket.loopDelay, late);
      bucket.streams = Math.max(bucket.streams, streams);
      bucket.runsWaiting = Math.max(bucket.runsWaiting, runsWaiting);
      bucket.heapBytes = memoryNow().heapUsed ?? 0;
      if (this.#options.clock.now() - this.#askedAt < SAMPLED_FOR) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
    const timer = setInterval(look, SAMPLED_EVERY);
    // A look keeps no process alive.
    if (typeof timer === 'object') timer.unref();
    this.#timer = timer;
  }
}

function emptyBucket(at: number): Bucket {
  const counts = { operations: 0, failures: 0, events: 0, streams: 0, runsWaiting: 0, loopDelay: 0, heapBytes: 0 };
  return { at, latencies: [], ...counts };
}

function pointOf({ at, latencies, loopDelay, ...counts }: Bucket): MetricsPoint {
  const sorted = latencies.toSorted((one, other) => one - other);
  const placeAt = (share: number) =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  const latency = sorted.length === 0 ? undefined : { p50: placeAt(0.5), p95: placeAt(0.95), max: placeAt(1) };
  return { at: isoTime(at), ...counts, loopDelay: rounded(Math.max(0, loopDelay)), latency };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Not every runtime tells. */
function memoryNow(): { readonly heapUsed?: number; readonly rss?: number } {
  const { process } = globalThis as { readonly process?: { memoryUsage?: () => { heapUsed: number; rss: number } } };
  return process?.memoryUsage?.() ?? {};
}
