import type { CommitFollower, Committed } from '../../engine/follow/commit-followers.ts';
import type { PushConfigPlace, PushConfigRecord } from '../../engine/ports.ts';
import { isTerminal } from '../../model/states.ts';
import { isLive, stateOf } from './delivery/delivery-state.ts';
import { type Rest, type RestartPlace, TaskWebhooks, type TaskWebhooksServices } from './delivery/task-webhooks.ts';
import type { Webhook } from './delivery/webhook.ts';

export interface DeliveriesOptions extends TaskWebhooksServices {
  readonly followCommits: (follower: CommitFollower) => () => void;
}

/** Configs that are read at once when the server starts. */
const PAGE = 200;
/** Milliseconds after which a node looks again for webhooks that no node delivers to any more. */
const TAKE_UP_EVERY = 15_000;

/**
 * The deliveries to all webhooks. A task at rest is its id in a map and nothing else: no timer, no reader, no config. Its
 * next commit wakes it.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  /** Tasks that have webhooks. Undefined: it is at rest. */
  readonly #tasks = new Map<string, TaskWebhooks | undefined>();
  #awake = 0;
  #stopFollowing: (() => void) | undefined;
  #stopRounds: (() => void) | undefined;
  #starting: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /** The number of tasks that have webhooks, and of those with something to do. */
  get load(): { readonly tasks: number; readonly awake: number } {
    return { tasks: this.#tasks.size, awake: this.#awake };
  }

  /** The number of tasks whose webhooks have something to do. */
  get awake(): number {
    return this.#awake;
  }

  isAwake(taskId: string | undefined): boolean {
    return taskId !== undefined && this.#tasks.get(taskId) !== undefined;
  }

  /** Begins to follow, and takes up what earlier processes left. */
  async open(): Promise<void> {
    const { followCommits } = this.#options;
    this.#stopFollowing = followCommits(this.#follow);
    this.#starting = this.#round();
  }

  /** Lets requests under way finish for `grace` milliseconds. */
  async close(grace: number): Promise<void> {
    this.#isClosed = true;
    this.#stopFollowing?.();
    this.#stopRounds?.();
    await this.#starting;
    await this.#settled(grace);
    const awake = [...this.#tasks.values()].filter((webhooks) => webhooks !== undefined);
    await Promise.all(awake.map((webhooks) => webhooks.close()));
    this.#tasks.clear();
  }

  /** The configs of a task have changed. Resolves when none that is gone is told any more. */
  async changed(taskId: string): Promise<void> {
    if (!this.#isClosed) await this.#wake(taskId).refresh();
  }

  /** Ends a webhook that is about to be replaced. */
  async stop(taskId: string, id: string): Promise<void> {
    await this.#tasks.get(taskId)?.stop(id);
  }

  /** See OperatorView. Resolves with the place after which it is told again; undefined where another node tells it. */
  async restart(taskId: string, id: string, place: RestartPlace): Promise<number | undefined> {
    return this.#isClosed ? undefined : this.#wake(taskId).restart(id, place);
  }

  /** A webhook, if it is awake. */
  webhook(taskId: string, id: string): Webhook | undefined {
    return this.#tasks.get(taskId)?.webhook(id);
  }

  async #settled(grace: number): Promise<void> {
    const busy = [...this.#tasks.values()].flatMap((webhooks) => webhooks?.all ?? []).filter(({ isBusy }) => isBusy);
    if (busy.length === 0) return;
    const limit = Promise.withResolvers<void>();
    const stop = this.#options.clock.after(grace, limit.resolve);
    await Promise.race([Promise.all(busy.map((webhook) => webhook.settled())), limit.promise]).finally(stop);
  }

  readonly #follow: CommitFollower = (commits) => {
    for (const commit of commits) {
      const { pushConfigs, task } = commit;
      if (pushConfigs) this.#bring(commit);
      else if (this.#tasks.has(task.id)) this.#tell(commit);
    }
  };

  #bring(commit: Committed): void {
    this.#tell(commit);
    const webhooks = this.#wake(commit.task.id);
    void webhooks.refresh();
  }

  #tell({ task, records }: Committed): void {
    const known = this.#tasks.get(task.id);
    const webhooks = known ?? this.#wake(task.id);
    webhooks.told(records);
    if (!known) void webhooks.refresh();
  }

  #wake(taskId: string): TaskWebhooks {
    const awake = this.#tasks.get(taskId);
    if (awake) return awake;
    const webhooks = new TaskWebhooks(taskId, this.#options, this.#rested);
    this.#tasks.set(taskId, webhooks);
    this.#awake += 1;
    return webhooks;
  }

  readonly #rested = (webhooks: TaskWebhooks, rest: Rest): void => {
    const { taskId } = webhooks;
    if (this.#isClosed || this.#tasks.get(taskId) !== webhooks) return;
    this.#awake -= 1;
    if (rest === 'over') this.#tasks.delete(taskId);
    else this.#tasks.set(taskId, undefined);
  };

  /** On a store that nodes share, again and again: those of nodes that died are taken up. */
  async #round(): Promise<void> {
    const { store, clock, log } = this.#options;
    try {
      await this.#takeUp();
    } catch (error) {
      log.error('The webhooks in the store could not be read', { error });
    }
    if (store.exclusive || this.#isClosed) return;
    this.#stopRounds = clock.after(TAKE_UP_EVERY, () => {
      this.#starting = this.#round();
    });
  }

  /** Finds what is not delivered yet, a page at a time, so that requests are served meanwhile. */
  async #takeUp(): Promise<void> {
    const { store, clock } = this.#options;
    let after: PushConfigPlace | undefined;
    for (;;) {
      const page = await store.listPushConfigs({ after, limit: PAGE });
      for (const record of page) if (!this.#isClosed) await this.#takeUpOne(record);
      const last = page.at(-1);
      if (this.#isClosed || !last || page.length < PAGE) return;
      after = { taskId: last.taskId, id: last.id };
      await new Promise<void>((resolve) => clock.nextTurn(resolve));
    }
  }

  async #takeUpOne(record: PushConfigRecord): Promise<void> {
    const { store, node, clock } = this.#options;
    const { taskId, id } = record;
    if (this.#tasks.get(taskId)) return;
    const cursor = await store.cursor(taskId, id);
    const holder = cursor?.lease.node ?? null;
    // Another node tells it.
    if (!store.exclusive && holder !== null && holder !== node() && (await store.isAlive(holder, clock.now()))) return;
    const state = stateOf(record, cursor);
    const head = isLive(state) ? await store.head(taskId) : undefined;
    if (!head) return;
    if (state.position < head.seq) void this.#wake(taskId).refresh();
    else if (!isTerminal(head.status.state) && !this.#tasks.has(taskId)) this.#tasks.set(taskId, undefined);
  }
}
