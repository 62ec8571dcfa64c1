import type { ClientOptions } from 'parley-a2a';
import { type ClusterLog, readToEnd, recordedClient } from 'parley-a2a/testing';
import { digestOf } from '../../../src/testing/cluster/digest.ts';
import { lookAtTasks } from '../../../src/testing/cluster/final-look.ts';
import { Random } from '../../crash/load/random.ts';
import { orderOf, textOfOrder } from './agents.ts';

/** More than a node that starts on a busy machine needs. A `Retry-After` that is longer than `longestDelay` would end the attempts. */
const PATIENT = { attempts: 1000, firstDelay: 50, longestDelay: 10_000 };
/** A connection that says nothing is given up soon: nodes send a sign of life every second. */
const RECONNECT = { attempts: 1000, firstDelay: 50, longestDelay: 500, idleTimeout: 5000 };
const CHUNKS = [3, 40] as const;
/** Nobody is to hang; on a machine that is busy with much else a node may take long for its answer. */
const ANSWER_MS = 120_000;
const SETTINGS = { retry: PATIENT, reconnect: RECONNECT, timeout: ANSWER_MS } as const;

export interface WorkOptions {
  /** The address of the balancer. */
  readonly url: string;
  readonly log: ClusterLog;
  readonly seed: number;
  readonly client?: ClientOptions | undefined;
  /** How many clients do one thing after the other. */
  readonly atOnce: number;
  /** The fewest and the most chunks of a task. */
  readonly chunks?: readonly [number, number] | undefined;
  /** Asked before each task. */
  readonly goesOn: (begun: number) => boolean;
}

/** Clients of a cluster under faults. Each task has a client that sends and one that watches. */
export class Work {
  readonly #options: WorkOptions;
  /** The address of each task's agent. */
  readonly #agents = new Map<string, string>();
  /** Tasks of the resumable agent, which no fault may end. */
  readonly resumable = new Set<string>();
  readonly canceled = new Set<string>();
  /** Tasks that wait for an answer. */
  readonly #waiting = new Set<string>();
  begun = 0;

  readonly #settings: ClientOptions;

  constructor(options: WorkOptions) {
    this.#options = options;
    this.#settings = { ...SETTINGS, ...options.client };
  }

  async run(): Promise<void> {
    const { atOnce, goesOn } = this.#options;
    const one = async () => {
      while (goesOn(this.begun)) {
        this.begun += 1;
        await this.#doTask(this.begun);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
  }

  /** Looks at every task that a client was told of. */
  async look(): Promise<void> {
    const { log } = this.#options;
    const byAgent = Map.groupBy(this.#agents, ([, url]) => url);
    for (const [url, tasks] of byAgent) {
      await lookAtTasks(
        tasks.map(([id]) => id),
        { url, log, client: this.#looking },
      );
    }
  }

  /** Whoever looks at the end is not bound by the patience of the clients. */
  get #looking(): ClientOptions {
    return { ...this.#settings, signal: undefined };
  }

  async #doTask(number: number): Promise<void> {
    const random = new Random(this.#options.seed, number);
    const agent = random.weighted({ counter: 5, plain: 3, asker: 2 });
    const order = orderOf(`t${number}`, random.between(...(this.#options.chunks ?? CHUNKS)));
    const cancels = random.chance(0.1);
    const url = agent === 'counter' ? this.#options.url : `${this.#options.url}/a2a/agents/${agent}`;
    const name = `${agent} ${number}`;
    const first = await this.#turn(url, `${name}, sender`, order, {
      expects: agent === 'asker' || cancels ? undefined : digestOf(textOfOrder(order)),
      watcher: `${name}, watcher`,
      cancels,
    });
    if (first === undefined) return;
    if (agent === 'counter') this.resumable.add(first);
    // A task that asked and waits outlives its node; one that was lost before does not.
    if (agent !== 'asker' || cancels || !this.#waiting.has(first)) return;
    await this.#turn(url, `${name}, answer`, orderOf(`u${number}`, random.between(1, 10)), { taskId: first });
  }

  /** Sends a message and reads the turn; resolves with the task's id. */
  async #turn(url: string, client: string, text: string, turn: Turn): Promise<string | undefined> {
    const { log } = this.#options;
    const begun = Promise.withResolvers<string | undefined>();
    const told: ClusterLog = (entry) => {
      log(entry);
      if (entry.kind === 'acknowledged') begun.resolve(entry.taskId);
      if (entry.kind === 'ended' && entry.state === 'input-required') this.#waiting.add(entry.taskId);
      if (entry.kind === 'acknowledged') this.#agents.set(entry.taskId, url);
    };
    const sender = recordedClient(url, { ...this.#settings, client, log: told, expects: turn.expects });
    const { taskId } = turn;
    const sending = readToEnd(sender.sendMessageStream(text, { taskId }), { client, log: told }).then(() =>
      begun.resolve(undefined),
    );
    const id = await begun.promise;
    if (id !== undefined && turn.watcher !== undefined) await this.#watch(url, id, turn.watcher, turn.cancels === true);
    await sending;
    return id;
  }

  async #watch(url: string, taskId: string, client: string, cancels: boolean): Promise<void> {
    const { log } = this.#options;
    const watcher = recordedClient(url, { ...this.#settings, client, log });
    const reading = readToEnd(watcher.subscribe(taskId, { lastEventId: 0 }), { client, log, untilQuestion: true });
    if (cancels) {
      this.canceled.add(taskId);
      // A task may have ended by then, or its node may be gone.
      await watcher.cancelTask(taskId).catch(() => {});
    }
    await reading;
  }
}

interface Turn {
  readonly taskId?: string | undefined;
  readonly expects?: string | undefined;
  readonly watcher?: string | undefined;
  readonly cancels?: boolean | undefined;
}
