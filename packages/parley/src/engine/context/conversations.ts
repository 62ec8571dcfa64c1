import type { JsonValue } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { Task } from '../../model/task.ts';
import type { EngineLimits } from '../limits.ts';
import { TaskFold } from '../log/task-fold.ts';
import type { TaskIdentity } from '../log/task-log.ts';
import type { Retention } from '../node/retention.ts';
import type { Clock, ContextChange, KeyScope, ListCursor, Store, TaskHead } from '../ports.ts';
import { type RecordedTask, type RecordedTurnsQuery, readTurns } from '../replay/recorded-turns.ts';
import { shareContext } from './context-sharing.ts';

export interface EarlierTasksQuery {
  /** At most so many, the latest ones. */
  readonly limit: number;
  /** Only those before this one, by its id. */
  readonly before?: string | undefined;
  /** Load their artifacts as well. */
  readonly artifacts: boolean;
}

interface RecordedTasksQuery extends Omit<RecordedTurnsQuery, 'messages'> {
  /** At most so many before this one. */
  readonly limit: number;
  /** Only tasks before this one, by its id, and not the present one. */
  readonly olderThan?: string | undefined;
}

const PAGE = 50;

type ConversationBounds = Pick<Retention, 'contexts'> & Pick<EngineLimits, 'contextBytes'>;

/**
 * The view that tasks of one context have of each other: the earlier tasks, and the values they stored. A conversation
 * ends after it was idle for the lifetime of a context; a later message begins a new one.
 */
export class Conversations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #lifetime: number;
  readonly #mostBytes: number;
  /** The last change of each context that is on its way: changes are made one after the other. */
  readonly #changing = new Map<string, Promise<void>>();

  constructor(store: Store, clock: Clock, { contexts, contextBytes }: ConversationBounds) {
    this.#store = store;
    this.#clock = clock;
    this.#lifetime = contexts;
    this.#mostBytes = contextBytes;
  }

  /** The tasks of the conversation that were there before this one, oldest first. */
  async earlier(task: TaskIdentity, { limit, before, artifacts }: EarlierTasksQuery): Promise<readonly Task[]> {
    const start = before === undefined ? undefined : await this.#store.head(before);
    if (before !== undefined && (!start || !isOfSameContext(start, task))) return [];
    const heads = await this.#heads(task, limit, start);
    const ids = heads.map(({ id }) => id).reverse();
    const stored = await this.#store.load(ids, { history: true, artifacts });
    return stored.map((entry) => TaskFold.restore(entry).snapshot());
  }

  /** The same tasks and this one at the end, with what their turns recorded before a message of this task. */
  async recorded(task: TaskIdentity, query: RecordedTasksQuery): Promise<readonly RecordedTask[]> {
    const { limit, olderThan, before, vault } = query;
    const start = olderThan === undefined ? undefined : await this.#store.head(olderThan);
    if (olderThan !== undefined && (!start || !isOfSameContext(start, task))) return [];
    const heads = limit > 0 ? await this.#heads(task, limit, start) : [];
    const ids = [...heads.map(({ id }) => id).reverse(), ...(start ? [] : [task.id])];
    const stored = await this.#store.load(ids, { history: true, artifacts: false });
    const recorded: RecordedTask[] = [];
    for (const entry of stored) {
      const fold = TaskFold.restore(entry);
      const { id } = entry.head;
      const messages = new Map(fold.talk().map(({ seq, message }) => [seq, message]));
      const limits = { messages, before: id === task.id ? before : Number.POSITIVE_INFINITY, vault };
      recorded.push({ task: fold.snapshot(), turns: await readTurns(this.#store, id, limits) });
    }
    return this.#withArtifacts(recorded, task.id);
  }

  /** Tasks without records are all that is known of their turns, so they have their artifacts. */
  async #withArtifacts(recorded: readonly RecordedTask[], present: string): Promise<readonly RecordedTask[]> {
    const bare = recorded.filter(({ task, turns }) => turns.length === 0 && task.id !== present);
    if (bare.length === 0) return recorded;
    const ids = bare.map(({ task }) => task.id);
    const stored = await this.#store.load(ids, { history: true, artifacts: true });
    const whole = new Map(stored.map((entry) => [entry.head.id, TaskFold.restore(entry).snapshot()]));
    return recorded.map(({ task, turns }) => ({ task: whole.get(task.id) ?? task, turns }));
  }

  async value(task: TaskIdentity, key: string): Promise<JsonValue | undefined> {
    await this.#changing.get(nameOf(task))?.catch(() => {});
    return (await this.#state(task)).get(key);
  }

  share({ owner, contextId }: TaskIdentity, subjects: readonly string[]): Promise<void> {
    return shareContext(this.#store, owner, contextId, subjects);
  }

  /** Checks that there is room, and lets `write` make the change; resolves when that does. */
  change(
    task: TaskIdentity,
    key: string,
    value: JsonValue | undefined,
    write: (change: ContextChange) => Promise<void>,
  ): Promise<void> {
    const name = nameOf(task);
    const before = this.#changing.get(name) ?? Promise.resolve();
    const done = before
      .catch(() => {})
      .then(async () => {
        if (value !== undefined) await this.#requireRoom(task, key, value);
        await write({ key, value, time: this.#clock.now(), lifetime: this.#lifetime });
      })
      .finally(() => {
        if (this.#changing.get(name) === done) this.#changing.delete(name);
      });
    this.#changing.set(name, done);
    return done;
  }

  async #requireRoom(task: TaskIdentity, key: string, value: JsonValue): Promise<void> {
    const state = new Map(await this.#state(task)).set(key, value);
    const bytes = new TextEncoder().encode(JSON.stringify([...state])).length;
    if (bytes <= this.#mostBytes) return;
    const problem = `The context would keep ${bytes} bytes with "${key}"; it may keep ${this.#mostBytes}`;
    throw new A2AError('PAYLOAD_TOO_LARGE', problem);
  }

  async #state(task: TaskIdentity): Promise<ReadonlyMap<string, JsonValue>> {
    return this.#store.contextState(scopeOf(task), task.contextId, this.#clock.now());
  }

  /** Goes back in time, until there are enough or a gap between them is longer than a context lives. */
  async #heads(task: TaskIdentity, limit: number, start: TaskHead | undefined): Promise<readonly TaskHead[]> {
    const { agent, owner, contextId } = task;
    const found: TaskHead[] = [];
    let begin = Math.min(task.createdAt, start?.createdAt ?? task.createdAt);
    let after: ListCursor | undefined = start;
    while (found.length < limit) {
      const { heads } = await this.#store.list({ agent, owner, contextId, after, limit: PAGE });
      for (const head of heads) {
        if (!isEarlier(head, task)) continue;
        if (begin - head.statusTime >= this.#lifetime) return found;
        begin = Math.min(begin, head.createdAt);
        found.push(head);
        if (found.length === limit) break;
      }
      if (heads.length < PAGE) break;
      after = heads.at(-1);
    }
    return found;
  }
}

function isEarlier(head: TaskHead, { id, createdAt }: TaskIdentity): boolean {
  return head.createdAt < createdAt || (head.createdAt === createdAt && head.id < id);
}

function isOfSameContext(head: TaskHead, task: TaskIdentity): boolean {
  return nameOf(head) === nameOf(task);
}

function scopeOf({ agent, owner }: Pick<TaskIdentity, 'agent' | 'owner'>): KeyScope {
  return { ...owner, agent };
}

function nameOf({ agent, owner, contextId }: Pick<TaskIdentity, 'agent' | 'owner' | 'contextId'>): string {
  return JSON.stringify([owner.tenant, owner.subject, agent, contextId]);
}
