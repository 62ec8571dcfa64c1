import type { TaskEvent } from '../../src/engine/log/events.ts';
import type { Store, StoredTask, TaskHead } from '../../src/engine/ports.ts';
import { ALICE, accept, append, BOB, body, chunkEvent, creation, keyRecord, statusEvent } from '../stores/fixtures.ts';
import { openStore } from '../stores/sqlite/fixtures.ts';

const EVERYTHING = { events: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };
const RELEASED: Partial<TaskHead> = { lease: { number: 1, node: null } };

export const idOf = (number: number) => `task-${String(number).padStart(4, '0')}`;

/** A task with several rows of log, a body, a journal, a key and a webhook; each fifth still works. */
export async function addTask(store: Store, number: number, size = 300): Promise<void> {
  const id = idOf(number);
  const owner = number % 2 ? ALICE : BOB;
  const key = {
    ...keyRecord(`key ${id}`, { taskId: id, messageSeq: 2, expiresAt: 9e15 }),
    scope: { agent: 'agent', ...owner },
  };
  let head = await accept(store, creation(id, { owner, keys: [key], contextId: `talk ${number % 7}` }));
  head = await accept(store, {
    ...append(head, [statusEvent(3, 'working')]),
    journal: [{ number: 1, seq: 3, body: { step: id } }],
  });
  const text = `${id} `.repeat(size / 10);
  for (let chunk = 0; chunk < 3; chunk += 1) {
    head = await accept(store, append(head, [{ ...chunkEvent(head.seq + 1, 'result', text), append: chunk > 0 }]));
  }
  const config = { taskId: id, id: 'hook', owner, since: head.seq, createdAt: 1, dialect: '1.0', body: { url: 'x' } };
  await store.putPushConfig(config);
  if (number % 5 === 4) {
    await accept(store, append(head, [chunkEvent(head.seq + 1, 'result', text)], { head: { openFrom: 4 } }));
    return;
  }
  const parts = [text, text, text].map((part) => ({ kind: 'text' as const, text: part }));
  const whole = { ...body('result', 0, head.seq), artifact: { artifactId: 'result', parts } };
  await accept(store, append(head, [statusEvent(head.seq + 1, 'completed', 10)], { bodies: [whole], head: RELEASED }));
}

/** A closed file with so many tasks. */
export async function fillFile(file: string, tasks: number, size?: number): Promise<void> {
  const store = await openStore(file, { writer: 'loop', synchronous: 'off' });
  for (let number = 0; number < tasks; number += 1) await addTask(store, number, size);
  await store.close();
}

export interface Content {
  readonly stored: StoredTask;
  readonly events: readonly TaskEvent[];
  readonly journal: unknown;
  readonly webhooks: unknown;
}

/** Everything that a store has of tasks, by their ids. */
export async function contentOf(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, Content>> {
  const found = new Map<string, Content>();
  for (const id of ids) {
    const [stored] = await store.load([id], { history: true, artifacts: true });
    if (!stored) continue;
    found.set(id, {
      stored,
      events: await store.read(id, 0, EVERYTHING),
      journal: await store.journal(id),
      webhooks: await store.listPushConfigs({ taskId: id, limit: 100 }),
    });
  }
  return found;
}

/** The content of a file that no server uses. */
export async function contentOfFile(file: string, tasks: number): Promise<ReadonlyMap<string, Content>> {
  const store = await openStore(file, { writer: 'loop' });
  const content = await contentOf(
    store,
    Array.from({ length: tasks }, (_, number) => idOf(number)),
  );
  await store.close();
  return content;
}
