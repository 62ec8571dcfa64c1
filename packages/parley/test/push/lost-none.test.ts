import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sqlite } from 'parley-a2a/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { isTold } from '../../src/server/push/notice/notice.ts';
import { eventually } from '../support/eventually.ts';
import { countOf } from '../support/full.ts';
import { RpcPeer, startServer } from '../support/rpc.ts';
import { agentOf, gate, pause } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';
import { isCompleted, type Received, startReceiver, withoutRepeats } from './receiver.ts';
import { inline, LOCAL, register } from './support.ts';

/** Numbers from 0 to 1 that depend on the seed alone. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const seqOf = ({ headers }: Received) => Number(headers['parley-seq']);
const SEED = Number(process.env.PUSH_SEED ?? 1);

it('brings 5,000 events to a receiver that fails half of the time: none lost, each in order [rule:push.order]', async () => {
  const random = randomFrom(SEED);
  const webhooks = 25;
  const chunks = 200;
  const receiver = await startReceiver(() => ({ status: random() < 0.5 ? 500 : 200 }));
  const open = gate();
  const agent = agentOf(async function* () {
    await open.promise;
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      yield `${chunk} `;
      // Into another commit, so that webhooks are told while the task goes on.
      if (chunk % 10 === 0) await pause(1);
    }
  });
  const { peer } = startServer(agent, { push: { ...LOCAL, concurrency: { perHost: 32 } } });
  const task = await peer.send('go', {}, { returnImmediately: true });
  for (let number = 0; number < webhooks; number += 1) {
    await register(peer, task.id, { url: `${receiver.url}/${number}` }, { 'parley-push-events': 'all' });
  }
  open.resolve();
  await eventually(() => receiver.accepted.filter(({ body }) => isCompleted(body)).length).toBe(webhooks);
  const told = withoutRepeats(receiver);
  expect(told.length).toBeGreaterThan(5_000);
  const expected = Array.from({ length: chunks }, (_, chunk) => `${chunk} `).join('');
  for (let number = 0; number < webhooks; number += 1) {
    const own = told.filter(({ path }) => path === `/hook/${number}`);
    expect(own.map(seqOf)).toEqual(own.map(seqOf).toSorted((one, other) => one - other));
    const texts = own.map(({ body }) => body.artifactUpdate?.artifact.parts[0].text ?? '');
    expect(texts.join('')).toBe(expected);
  }
});

const SCRIPT = fileURLToPath(new URL('./push-server.ts', import.meta.url));

async function startChild(file: string) {
  const flags = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, SCRIPT, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error('The server did not start'))),
  ]);
  return { peer: new RpcPeer((request) => fetch(request), `${url}/a2a`), kill };
}

it('loses nothing when the server is killed at any moment [rule:push.persist]', async () => {
  const rounds = countOf(2, 40);
  for (let round = 0; round < rounds; round += 1) {
    const random = randomFrom(SEED * 1_000 + round);
    const file = tempFile();
    const receiver = await startReceiver(() => ({ status: random() < 0.2 ? 500 : 200 }));
    let server = await startChild(file);
    const task = await server.peer.send('go', {}, inline({ url: receiver.url }, { returnImmediately: true }));
    for (let kills = 0; kills < 3; kills += 1) {
      await pause(random() * 250);
      await server.kill();
      server = await startChild(file);
    }
    await receiver.untilBody(({ statusUpdate }) => /COMPLETED|FAILED/.test(statusUpdate?.status.state ?? ''));
    await server.kill();
    const store = sqlite(file);
    await store.open();
    const events = await store.read(task.id, 0, { events: 10_000, bytes: 10_000_000 });
    await store.close();
    const expected = events.filter((event) => isTold(event, 'changes')).map(({ seq }) => seq);
    expect(withoutRepeats(receiver).map(seqOf), `round ${round}`).toEqual(expected);
    expect(expected.length).toBeGreaterThan(40);
    await receiver.close();
  }
});
