import { A2AServer, type Agent, defineAgent, memory, type Store, type TaskContext } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { textOfTask } from '../support/frames.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { gate, hang } from '../support/script.ts';

/** A server on a store that another one may have left in the middle of something. */
function serverOn(store: Store, agent: Agent): RpcPeer {
  const server = new A2AServer({ agents: [agent], store, log: { error: () => {}, warn: () => {} } });
  return new RpcPeer(server.fetch, 'http://steps.test/a2a');
}

function resumable(run: (task: TaskContext) => AsyncGenerator<string> | Promise<unknown>): Agent {
  return defineAgent({
    name: 'steps',
    description: 'Does steps',
    version: '1.0.0',
    resumable: true,
    run: run as Agent['run'],
  });
}

async function started(peer: RpcPeer): Promise<string> {
  const { task } = await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
  return task.id;
}

const finished = (peer: RpcPeer, id: string) =>
  eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');

describe('a resumable agent [rule:resume.steps]', () => {
  it('does not do finished steps again, and its text shows one unbroken run', async () => {
    const store = memory();
    const done: string[] = [];
    const step = (task: TaskContext, name: string) =>
      task.step(name, () => {
        done.push(name);
        return `${name}!`;
      });
    const reached = gate();
    const agent = (isLost: boolean) =>
      resumable(async function* (task) {
        yield 'begin ';
        yield `${await step(task, 'one')} `;
        yield 'middle ';
        yield `${await step(task, 'two')} `;
        yield 'tail ';
        if (isLost) {
          reached.resolve();
          await hang(task);
        }
        yield await step(task, 'three');
      });
    const before = serverOn(store, agent(true));
    const id = await started(before);
    await reached.promise;
    await eventually(async () => textOfTask(await before.call('GetTask', { id }))).toBe('begin one! middle two! tail ');
    const after = serverOn(store, agent(false));
    await finished(after, id);
    const task = await after.call('GetTask', { id });
    expect(textOfTask(task)).toBe('begin one! middle two! tail three!');
    expect(task.artifacts).toHaveLength(1);
    expect(task.artifacts[0].parts).toHaveLength(1);
    expect(done).toEqual(['one', 'two', 'three']);
  });

  it('gets the answer to a question that was asked before the crash', async () => {
    const store = memory();
    let asked = 0;
    const agent = resumable(async function* (task) {
      yield 'Hello. ';
      asked += 1;
      const name = await task.ask('Who are you?');
      yield `You are ${name}.`;
    });
    const before = serverOn(store, agent);
    const id = await started(before);
    await eventually(async () => (await before.call('GetTask', { id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const after = serverOn(store, agent);
    await after.call('SendMessage', sendParams('Ann', { taskId: id }));
    await finished(after, id);
    const task = await after.call('GetTask', { id });
    expect(textOfTask(task)).toBe('Hello. You are Ann.');
    expect(task.history.map((message: { parts: { text: string }[] }) => message.parts[0]?.text)).toEqual([
      'go',
      'Who are you?',
      'Ann',
    ]);
    expect(asked).toBe(2);
  });

  it('fails where its code no longer does what was recorded', async () => {
    const store = memory();
    const reached = gate();
    const before = serverOn(
      store,
      resumable(async (task) => {
        await task.step('old name', () => 1);
        reached.resolve();
        await hang(task);
      }),
    );
    const id = await started(before);
    await reached.promise;
    const after = serverOn(
      store,
      resumable(async (task) => String(await task.step('new name', () => 2))),
    );
    await eventually(async () => (await after.call('GetTask', { id })).status.state).toBe('TASK_STATE_FAILED');
    const { status } = await after.call('GetTask', { id });
    expect(status.message.metadata.reason).toBe('journal-mismatch');
  });

  it('gives up on a run that is lost again and again without getting anywhere', async () => {
    const store = memory();
    const agent = resumable((task) => hang(task));
    const id = await started(serverOn(store, agent));
    for (let restart = 0; restart < 5; restart += 1) {
      const { status } = await serverOn(store, agent).call('GetTask', { id });
      expect(status.state).toBe('TASK_STATE_WORKING');
    }
    const { status } = await serverOn(store, agent).call('GetTask', { id });
    expect(status.message.metadata.reason).toBe('server-restarted');
  });
});

describe('a step', () => {
  it('is tried again as often as it may be, and then its error is the run’s', async () => {
    let attempts = 0;
    const agent = defineAgent({
      name: 'retries',
      description: 'Tries',
      version: '1.0.0',
      async run(task) {
        const options = { retry: { attempts: 3, delay: 1 } };
        const third = await task.step(
          'third time',
          () => {
            attempts += 1;
            if (attempts < 3) throw new Error('not yet');
            return attempts;
          },
          options,
        );
        return `${third}`;
      },
    });
    const peer = serverOn(memory(), agent);
    expect(textOfTask(await peer.send('go'))).toBe('3');
  });

  it('must have a result that JSON can carry', async () => {
    const agent = resumable(async (task) => String(await task.step('odd', () => 1n as never)));
    const { status } = await serverOn(memory(), agent).send('go');
    expect(status.message.metadata.reason).toBe('invalid-agent-response');
  });
});
