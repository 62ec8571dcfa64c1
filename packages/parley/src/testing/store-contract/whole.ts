import type { KeyScope, Owner, PushConfigRecord, Store, TaskCommit, TaskHead } from '../../engine/ports.ts';
import {
  AGENT,
  ALICE,
  ALL,
  accept,
  append,
  BOB,
  body,
  chunkEvent,
  creation,
  keyRecord,
  messageEvent,
  NO_LIMIT,
  statusEvent,
} from './fixtures.ts';

/** The context of the task that has everything, and how long the values in it are kept after a message. */
export const TALK = 'talk';
const LIFETIME = 50;
const IDS = ['task', 'new'];
const KEYS = ['old', 'fresh', 'fresh too', 'reply'];

function config(taskId: string, id: string, owner: Owner): PushConfigRecord {
  return { taskId, id, owner, since: 2, createdAt: 3, dialect: 'v1_0', body: { url: `https://example.com/${id}` } };
}

/** Every part of a commit beside its events, told apart by a word. */
export function everyPart(head: TaskHead, word: string, keys: readonly string[], time: number): Partial<TaskCommit> {
  return {
    bodies: [body('result', 0, head.seq, word)],
    journal: [{ number: word === 'old' ? 1 : 2, seq: head.seq, body: { word } }],
    context: [
      { key: 'word', value: word, time, lifetime: LIFETIME },
      { key: word, value: true, time, lifetime: LIFETIME },
    ],
    keys: keys.map((key) => keyRecord(key, { scope: { ...head.owner, agent: AGENT }, taskId: head.id, messageSeq: 2 })),
    pushConfigs: [config(head.id, word, head.owner)],
  };
}

/** Writes a task of Alice with every part in the context `TALK`. */
export async function writeWhole(store: Store): Promise<TaskHead> {
  const created = creation('task', { contextId: TALK });
  const head = await accept(store, { ...created, ...everyPart(created.head, 'old', ['old'], 10) });
  return accept(store, append(head, [statusEvent(3, 'working'), chunkEvent(4)]));
}

/** A commit to a task with every part, each with something that the store does not have yet. */
export function changeWhole(head: TaskHead, keys: readonly string[] = ['fresh', 'fresh too']): TaskCommit {
  const message = { ...messageEvent(head.seq + 1), time: 40 };
  return { ...append(head, [message, statusEvent(head.seq + 2, 'failed', 41)]), ...everyPart(head, 'new', keys, 42) };
}

/** A commit that begins a task with every part. */
export function beginWhole(id: string, owner: Owner, keys: readonly string[] = ['fresh', 'fresh too']): TaskCommit {
  const entry = creation(id, { contextId: TALK, owner, time: 40 });
  return { ...entry, ...everyPart(entry.head, 'new', keys, 42) };
}

/** All that a store says of the tasks of these functions and of what belongs to them. */
export async function lookAtWhole(store: Store): Promise<unknown> {
  const scopes: readonly KeyScope[] = [ALICE, BOB].map((owner) => ({ ...owner, agent: AGENT }));
  const states = [];
  for (const scope of scopes) {
    for (const now of [20, 70]) states.push(sorted(await store.contextState(scope, TALK, now)));
  }
  return {
    tasks: await store.load(IDS, ALL),
    logs: await each(IDS, (id) => store.read(id, 0, NO_LIMIT)),
    journals: await each(IDS, (id) => store.journal(id)),
    keys: await each(scopes, (scope) => each(KEYS, (key) => store.key(scope, key, 0))),
    owners: await each([ALICE, BOB], (owner) => store.contextOwner(owner, TALK)),
    shared: await store.sharedContexts(BOB, 10),
    configs: await store.listPushConfigs({ limit: 100 }),
    list: await store.list({ agent: AGENT, limit: 100 }),
    failed: await store.list({ agent: AGENT, state: 'failed', limit: 100 }),
    queued: store.queue && (await each(IDS, (id) => store.queue?.queuedTurn(id))),
    states,
  };
}

function sorted(values: ReadonlyMap<string, unknown>): readonly (readonly [string, unknown])[] {
  return [...values].sort(([left], [right]) => (left < right ? -1 : 1));
}

async function each<Item, Value>(items: readonly Item[], look: (item: Item) => Value): Promise<Awaited<Value>[]> {
  const found: Awaited<Value>[] = [];
  for (const item of items) found.push(await look(item));
  return found;
}
