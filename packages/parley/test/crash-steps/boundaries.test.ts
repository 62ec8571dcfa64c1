import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { faultsOfFile } from '../crash/check/file-check.ts';
import { ProcessPool } from '../crash/server/process.ts';
import { RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { pause } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';
import { effectsIn, Ledger } from './evidence.ts';
import { artifactsOf, uninterrupted } from './expected.ts';

const script = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const STEPS = ['one 1', 'loop 1', 'loop 2', 'loop 3', 'flaky 1', 'last 1', 'dig 1'];
const SIDE_BY_SIDE = ['left 1', 'right 1'];
const AROUND = ['before the question', 'after the answer', 'after the call'];
/** Each step before it is done, before it is recorded, and after that. Two may be recorded together. */
const POINTS = [
  ...STEPS.flatMap((step) => [`${step} before`, `${step} done`, `${step} recorded`]),
  ...SIDE_BY_SIDE.flatMap((step) => [`${step} before`, `${step} done`]),
  ...AROUND,
];

/** Looks at the task until it ends or its server does, and answers what it asks. */
async function follow(peer: RpcPeer, id: string): Promise<Wire> {
  try {
    for (;;) {
      const task = await peer.call('GetTask', { id });
      if (task.status.state === 'TASK_STATE_COMPLETED' || task.status.state === 'TASK_STATE_FAILED') return task;
      if (task.status.state === 'TASK_STATE_INPUT_REQUIRED') {
        await peer.call('SendMessage', sendParams('Ann', { taskId: id }, { returnImmediately: true }));
      }
      await pause(2);
    }
  } catch {
    return undefined;
  }
}

it('a run that is killed at each of its boundaries does every finished step once [rule:resume.steps]', async () => {
  const file = tempFile();
  const folder = dirname(file);
  const [effects, points] = [join(folder, 'effects'), join(folder, 'points')];
  // The limit of resumes is the default one: a run that gets on is never given up.
  const orders = JSON.stringify({ file, effects, points, slowness: 0 });
  const pool = new ProcessPool({ script });
  onTestFinished(() => pool.close());
  const ledger = new Ledger(file, effects);
  const message = sendParams('go', {}, { returnImmediately: true });
  let id: string | undefined;
  let task: Wire;
  let kills = 0;
  let unrecorded = 0;
  for (; !task; kills += 1) {
    const server = pool.take();
    const opened = await server.tryToOpen(orders);
    const peer = opened instanceof RpcPeer ? opened : undefined;
    // The same key each time: the first process may be killed before it has answered.
    id ??= await peer?.call('SendMessage', message, { 'idempotency-key': 'the only one' }).then(
      ({ task: { id: begun } }) => begun,
      () => undefined,
    );
    if (peer && id !== undefined) task = await follow(peer, id);
    if (task) break;
    await server.ended();
    unrecorded += ledger.check() > 0 ? 1 : 0;
    expect([...ledger.problems, ...faultsOfFile(file), server.complaints].filter(Boolean)).toEqual([]);
  }
  expect(task.status.state, JSON.stringify(task.status)).toBe('TASK_STATE_COMPLETED');
  expect(artifactsOf(task)).toEqual(artifactsOf(await uninterrupted('Ann')));
  const reached = readFileSync(points, 'utf8').trim().split('\n').map(nameOf);
  expect(reached).toEqual(expect.arrayContaining(POINTS));
  expect(kills).toBe(reached.length);
  ledger.check();
  expect(ledger.problems).toEqual([]);
  const counts = new Map([...effectsIn(effects)].map(([key, count]) => [nameOf(key), count]));
  // Once for its result, and once more because the process was killed between the doing and the record.
  expect([...counts].filter(([step]) => STEPS.includes(step))).toHaveLength(STEPS.length);
  for (const step of STEPS) expect(counts.get(step), step).toBe(2);
  for (const step of SIDE_BY_SIDE) expect(counts.get(step), step).toBeGreaterThanOrEqual(2);
  expect(unrecorded).toBeGreaterThanOrEqual(STEPS.length);
});

function nameOf(key: string): string {
  return decodeURIComponent(key.split('/').at(-1) ?? '');
}
