import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store, TaskHead } from '../../../src/engine/ports.ts';
import { postgres } from '../../../src/postgres.ts';
import { openPostgres, type TestPostgres } from '../../support/postgres/postgres.ts';
import { accept, append, commitOne, creation, messageEvent, NO_LIMIT } from '../fixtures.ts';

const WRITERS = 8;

let server: TestPostgres;
let store: Store;

beforeAll(async () => {
  server = await openPostgres({ isDurable: true });
  store = postgres(server.url, { timeout: 60_000 });
  await store.open();
});

afterAll(async () => {
  await store.close();
  await server.stop();
});

/** Writes to one task until it is told to stop. Returns the head after the last commit that was acknowledged. */
async function writeUntil(id: string, isOver: () => boolean): Promise<TaskHead> {
  let head = await accept(store, creation(id));
  while (!isOver()) {
    const next = append(head, [messageEvent(head.seq + 1)]);
    const result = await commitOne(store, next);
    if (result !== 'ok') throw new Error(`${id} is at ${head.seq} and its commit got ${result}`);
    head = next.head;
  }
  return head;
}

/** Commits go on while something happens to the server; all that was acknowledged is there once. */
async function writeWhile(name: string, happen: () => Promise<void>): Promise<void> {
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, (_, index) => writeUntil(`${name} ${index}`, () => isOver));
  try {
    await happen();
    // At least one more commit than before.
    await accept(store, creation(`${name}, after it`));
  } finally {
    isOver = true;
  }
  for (const head of await Promise.all(writers)) {
    expect((await store.head(head.id))?.seq).toBe(head.seq);
    const seqs = (await store.read(head.id, 0, NO_LIMIT)).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: head.seq }, (_, index) => index + 1));
  }
}

it('loses and doubles nothing when the server restarts', async () => {
  await writeWhile('restart', () => server.restart('fast'));
});

it('loses and doubles nothing when the server crashes', async () => {
  await writeWhile('crash', () => server.restart('immediate'));
});

it('goes on when the server stood still, and is refused in time while it does', async () => {
  const impatient = postgres(server.url, { timeout: 2000 });
  await impatient.open();
  await writeWhile('pause', async () => {
    server.pause();
    try {
      await expect(impatient.head('any')).rejects.toMatchObject({ code: 'UNREACHABLE' });
      await expect(impatient.probe?.()).rejects.toMatchObject({ code: 'UNREACHABLE' });
    } finally {
      server.resume();
    }
  });
  await expect.poll(async () => Promise.resolve(impatient.probe?.()).then(() => 'ready', String)).toBe('ready');
  await impatient.close();
});

it('waits for a server that is not up yet', async () => {
  await server.halt();
  const early = postgres(server.url, { timeout: 60_000 });
  const opened = early.open();
  await server.start();
  await opened;
  expect((await early.head('restart 0'))?.id).toBe('restart 0');
  await early.close();
});
