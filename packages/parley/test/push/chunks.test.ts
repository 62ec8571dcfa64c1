import { memory } from 'parley-a2a';
import type { Store } from 'parley-a2a/ports';
import { expect, it } from 'vitest';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { sendParams, startServer } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';
import { startReceiver } from './receiver.ts';
import { LOCAL, register } from './support.ts';

const CHUNKS = 25;
const WEBHOOKS = 200;

type Counts = Record<string, number>;

/** Counts the calls of an object's methods. */
function counted<Port extends object>(port: Port, counts: Counts): Port {
  return new Proxy(port, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        counts[String(name)] = (counts[String(name)] ?? 0) + 1;
        return member.apply(target, args);
      };
    },
  });
}

/** What the server asks of its store and of its clock while a stream brings chunks, each after the one before has been read. */
async function callsOfChunks(webhooks: number): Promise<Counts> {
  const counts: Counts = {};
  const receiver = await startReceiver();
  const gates = Array.from({ length: CHUNKS + 1 }, () => gate());
  const agent = agentOf(async function* () {
    for (const { promise } of gates) {
      yield 'chunk ';
      await promise;
    }
  });
  const { peer } = startServer(agent, {
    push: LOCAL,
    store: counted<Store>(memory(), counts),
    clock: counted(new ManualClock(), counts),
    limits: { pushConfigs: WEBHOOKS },
  });
  const stream = await peer.open('SendStreamingMessage', sendParams('go'));
  const frames = await stream.until(({ result }) => result.artifactUpdate !== undefined);
  const taskId = frames.find(({ result }) => result.task)?.result.task.id;
  for (let index = 0; index < webhooks; index += 1) await register(peer, taskId, { url: receiver.url });
  await settle();
  for (const name of Object.keys(counts)) delete counts[name];
  for (const { resolve } of gates.slice(0, CHUNKS)) {
    resolve();
    await stream.next();
  }
  await settle();
  const calls = { ...counts };
  expect(receiver.received).toHaveLength(0);
  gates.at(-1)?.resolve();
  await stream.rest();
  // The end of the artifact, and that of the task.
  await receiver.until(2 * webhooks);
  return calls;
}

it('does nothing more for a chunk however many webhooks are to be told of the end [rule:push.events-default] [rule:push.isolated]', async () => {
  const without = await callsOfChunks(0);
  expect(without.commit).toBe(CHUNKS);
  expect(await callsOfChunks(WEBHOOKS)).toEqual(without);
});
