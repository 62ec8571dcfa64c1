import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { countOf } from '../support/full.ts';
import type { RpcPeer } from '../support/rpc.ts';
import { pause } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';
import { faultsOfFile } from './check/file-check.ts';
import { Random } from './load/random.ts';
import { seedOf } from './load/seed.ts';
import { ProcessPool } from './server/process.ts';

const script = fileURLToPath(new URL('./server/purge-process.ts', import.meta.url));
const seed = seedOf();
const KILLS = countOf(10, 100);
const CALLERS = 6;

/** Sends one message after the other, with keys and in few contexts, until the server is gone; notes the answered. */
async function keepBusy(peer: RpcPeer, caller: string, answered: string[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    const text = `${count % 3 === 0 ? 'keep' : 'say'} ${caller} ${count}`;
    const contextId = `context ${caller} ${count % 4}`;
    try {
      const task = await peer.send(text, { contextId }, {}, { 'Idempotency-Key': `${caller} ${count}` });
      answered.push(task.id);
    } catch {
      return;
    }
  }
}

it(`a server that is killed ${KILLS} times while it purges leaves each task whole or gone, seed ${seed}`, async () => {
  const file = tempFile();
  const pool = new ProcessPool({ script });
  onTestFinished(() => pool.close());
  const answered: string[] = [];
  for (let round = 1; round <= KILLS; round += 1) {
    const random = new Random(seed, round);
    const server = pool.take();
    const peer = await server.open(file);
    const before = answered.length;
    const callers = Array.from({ length: CALLERS }, (_, index) => keepBusy(peer, `${round}.${index}`, answered));
    if (round % 2 === 0) {
      // Killed among the first removals, however long the machine takes to get there …
      const left = async () => (await peer.call('ListTasks', {})).totalSize;
      await eventually(async () => answered.length - before > (await left())).toBe(true);
    } else {
      // … or wherever it is by then.
      await pause(random.between(60, 250));
    }
    await server.kill();
    await Promise.all(callers);
    expect([...faultsOfFile(file), server.complaints].filter(Boolean)).toEqual([]);
  }
  // The kills did hit a server that was removing tasks.
  expect(countIn(file, 'tasks')).toBeLessThan(answered.length);
  const last = pool.take();
  const peer = await last.open(file);
  await eventually(async () => (await peer.call('ListTasks', {})).totalSize).toBe(0);
  await last.kill();
  expect(faultsOfFile(file)).toEqual([]);
  const left = ['tasks', 'log', 'artifacts', 'journal', 'keys', 'counts'].map((table) => countIn(file, table));
  expect(left).toEqual([0, 0, 0, 0, 0, 0]);
  // Contexts that keep something are still somebody's, the others are not.
  const kept = countIn(file, '(SELECT DISTINCT tenant, context_id FROM context_state)');
  expect(countIn(file, 'contexts')).toBe(kept);
});

function countIn(file: string, table: string): number {
  const database = new DatabaseSync(file);
  try {
    return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  } finally {
    database.close();
  }
}
