import type { TaskEvent } from '../../../src/engine/log/events.ts';
import type { Store } from '../../../src/engine/ports.ts';
import { isA2AError } from '../../../src/model/errors/errors.ts';
import { SCOPE, sendCall, userMessage } from '../../engine/support/puppet.ts';
import type { Chance } from './chance.ts';
import { ALL, type Node } from './nodes.ts';
import type { NodeClock } from './world.ts';

export interface ClientPlace {
  readonly nodes: readonly [Node, ...Node[]];
  readonly chance: Chance;
  /** The client's own time, which never stops. */
  readonly clock: NodeClock;
  readonly store: Store;
}

/** Milliseconds after which a client asks another node. */
const PATIENCE = 4_000;

/** One client of several nodes: it sends a message and reads its task to the end, through whichever node responds. */
export class Client {
  readonly #place: ClientPlace;
  readonly #name: string;
  readonly events: TaskEvent[] = [];
  readonly problems: string[] = [];
  /** The task that the server has acknowledged. */
  taskId: string | undefined;
  #reads = 0;
  comebacks = 0;

  constructor(name: string, place: ClientPlace) {
    this.#name = name;
    this.#place = place;
  }

  async live(): Promise<void> {
    const call = { ...sendCall(userMessage(this.#name)), idempotencyKey: this.#name };
    const task = await this.#until(({ engine }) => engine.send(call));
    this.taskId = 'id' in task ? task.id : '';
    while (!this.#isOver) {
      await this.#until((node) => this.#read(node));
      this.comebacks += 1;
    }
  }

  /** What this client saw that it must not have seen, and what it did not see. */
  async check(): Promise<readonly string[]> {
    const log = await this.#place.store.read(this.taskId ?? '', 0, ALL);
    const seen = JSON.stringify(this.events);
    const isSame = seen === JSON.stringify(log);
    return isSame ? this.problems : [...this.problems, `${this.#name} saw ${seen}, the log has ${JSON.stringify(log)}`];
  }

  get #isOver(): boolean {
    const last = this.events.findLast(({ kind }) => kind === 'status');
    return last?.kind === 'status' && ['completed', 'failed'].includes(last.status.state);
  }

  /** Asks one node after the other until one responds. */
  async #until<Answer>(ask: (node: Node) => Promise<Answer>): Promise<Answer> {
    const { nodes, chance, clock } = this.#place;
    for (;;) {
      const node = chance.of(nodes);
      try {
        return await Promise.race([this.#reach(node, ask), this.#late()]);
      } catch (error) {
        if (error !== LATE && !(isA2AError(error) && error.code === 'UNAVAILABLE')) throw error;
        await new Promise<void>((resolve) => void clock.after(300, resolve));
      }
    }
  }

  /** A process that is stopped takes no request. */
  async #reach<Answer>(node: Node, ask: (node: Node) => Promise<Answer>): Promise<Answer> {
    await node.clock.whenRunning();
    return ask(node);
  }

  #late(): Promise<never> {
    return new Promise((_, reject) => void this.#place.clock.after(PATIENCE, () => reject(LATE)));
  }

  /** Compares the task with the store, then reads on for a while. */
  async #read(node: Node): Promise<void> {
    const { store, clock } = this.#place;
    this.#reads += 1;
    const number = this.#reads;
    const id = this.taskId ?? '';
    const head = await store.head(id);
    const subscription = await node.engine.subscribe(SCOPE, id, 'snapshot');
    const shown = subscription.poll()?.snapshot;
    subscription.close();
    // While a node holds the lease, a commit of its own may be on its way back to it.
    if (head && head.lease.node !== node.engine.node && (shown?.seq ?? 0) < head.seq) {
      this.problems.push(`${this.#name} was shown ${shown?.seq} of a task that has ${head.seq}`);
    }
    if (number !== this.#reads || this.#isOver) return;
    const after = this.events.at(-1)?.seq ?? 0;
    const stream = await node.engine.subscribe(SCOPE, id, { after });
    const stop = clock.after(PATIENCE - 500, () => stream.close());
    try {
      for await (const { events } of stream) {
        // The client has gone to another node: nobody hears this one any more.
        if (number !== this.#reads) return;
        for (const { event } of events.records) {
          const last = this.events.at(-1)?.seq ?? 0;
          if (event.seq !== last + 1) this.problems.push(`${this.#name} saw ${event.seq} after ${last}`);
          this.events.push(event);
        }
      }
    } finally {
      stop();
    }
  }
}

const LATE = new Error('The node does not respond');
