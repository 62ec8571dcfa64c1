import {
  A2AServer,
  type Agent,
  type AgentDefinition,
  defineAgent,
  inputRequired,
  isTask,
  reply,
  textOf,
} from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { textOfTask } from '../../support/frames.ts';
import { RpcPeer } from '../../support/rpc.ts';
import { gate } from '../../support/script.ts';

function agent(name: string, run: AgentDefinition['run'], more: Partial<AgentDefinition> = {}): Agent {
  return defineAgent({ name, description: `The ${name}`, version: '1.0.0', ...more, run });
}

function start(...agents: readonly Agent[]): RpcPeer {
  const server = new A2AServer({ agents, log: { error: () => {}, warn: () => {} }, drainTimeout: 0 });
  onTestFinished(() => server.close());
  return new RpcPeer(server.fetch, 'http://calls.test/a2a');
}

it.each([false, true])('a call whose stream was left can be awaited; resumable: %s', async (resumable) => {
  const go = gate();
  const child = agent('child', async function* () {
    yield 'one ';
    await go.promise;
    yield 'two';
  });
  const parent = agent(
    'parent',
    async (task) => {
      const call = task.call(child, 'go');
      for await (const { text } of call) if (text !== '') break;
      go.resolve();
      const outcome = await call;
      return `${textOf(outcome)}, ${isTask(outcome) && outcome.status.state}, ${(await call.task).id === (await call.id)}`;
    },
    { resumable },
  );
  expect(textOfTask(await start(parent, child).send('go'))).toBe('one two, completed, true');
});

it('is the finished task where the end was the last that was read', async () => {
  const child = agent('child', () => 'done');
  const parent = agent('parent', async (task) => {
    const call = task.call(child, 'go');
    for await (const event of call) if (event.kind === 'status' && event.status.state === 'completed') break;
    return textOf(await call);
  });
  expect(textOfTask(await start(parent, child).send('go'))).toBe('done');
});

it('is the task that asks, and the message of an agent that only replies', async () => {
  const asking = agent('asking', () => inputRequired('Which one?'));
  const replying = agent('replying', () => reply('hello'));
  const parent = agent('parent', async (task) => {
    const ends: string[] = [];
    for (const child of [asking, replying]) {
      const call = task.call(child, 'go');
      for await (const _ of call) break;
      const outcome = await call;
      ends.push(isTask(outcome) ? outcome.status.state : textOf(outcome));
    }
    return ends.join(', ');
  });
  expect(textOfTask(await start(parent, asking, replying).send('go'))).toBe('input-required, hello');
});

it('is canceled with its caller while it is awaited', async () => {
  const begun = gate();
  let isCanceled = false;
  const child = agent('child', async function* (task) {
    task.onCancel(() => {
      isCanceled = true;
    });
    yield 'one';
    await new Promise((resolve) => task.signal.addEventListener('abort', resolve));
  });
  const parent = agent('parent', async (task) => {
    const call = task.call(child, 'go');
    for await (const { text } of call) if (text !== '') break;
    const end = call.result;
    setTimeout(() => begun.resolve(), 30);
    await end;
  });
  const peer = start(parent, child);
  const { task } = await peer.call('SendMessage', {
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] },
    configuration: { returnImmediately: true },
  });
  await begun.promise;
  await peer.call('CancelTask', { id: task.id });
  await expect.poll(() => isCanceled).toBe(true);
});
