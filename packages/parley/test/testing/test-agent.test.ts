import type { Agent } from 'parley-a2a';
import { memory, type StreamEvent, type TaskContext, textOf } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { type TestAgentOptions, testAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import '../support/a2a-matchers.ts';
import { eventually } from '../support/eventually.ts';
import { agentOf, gate, hang } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';

function kitOf(agent: Agent, options?: TestAgentOptions) {
  const kit = testAgent(agent, options);
  onTestFinished(() => kit.close());
  return kit;
}

describe('testAgent', () => {
  it('runs an agent without a socket', async () => {
    const { client } = kitOf(agentOf((task) => `You said ${task.text}`));
    expect(await client.run('hello')).toBe('You said hello');
    await expect(client.sendMessageStream('hello')).toBeCompleted();
    expect((await client.listTasks()).totalSize).toBe(2);
  });

  it('has other agents beside it, and clients of them', async () => {
    const child = agentOf(() => 'facts', { name: 'child' });
    const parent = agentOf(async (task) => textOf(await task.call(child, 'go').task));
    const kit = kitOf(parent, { agents: [child] });
    expect(await kit.client.run('go')).toBe('facts');
    expect(await kit.connect({}, 'child').run('go')).toBe('facts');
  });

  it('moves time: what takes hours takes none', async () => {
    const working = agentOf(async function* (task) {
      yield 'begun';
      await hang(task);
    });
    const kit = kitOf(working, { start: Date.UTC(2030, 0, 1), frozen: true });
    const stream = kit.client.sendMessageStream('go');
    const id = await stream.id;
    await kit.advance(599_999);
    expect(await kit.client.getTask(id)).toBeInState('working');
    await kit.advance(1);
    await expect(stream).toFailWith('inactivity-timeout');
    expect((await stream.task).status.timestamp).toBe('2030-01-01T00:10:00.000Z');
  });

  it('lets time go by where it is not frozen, and can be moved on all the same', async () => {
    const kit = kitOf(agentOf(hang));
    const stream = kit.client.sendMessageStream('go');
    await stream.id;
    await kit.advance(600_000);
    await expect(stream).toFailWith('inactivity-timeout');
    // The reply window, in real time.
    const task = await kit.client.sendMessage('go', { returnImmediately: true });
    expect('status' in task).toBe(true);
  });

  it('shows what the server logged', async () => {
    const kit = kitOf(
      agentOf(() => {
        throw new Error('the inner text');
      }),
    );
    await expect(kit.client.sendMessage('go')).toFailWith('agent-error');
    expect(kit.logged).toMatchObject([{ level: 'error', details: { error: { message: 'the inner text' } } }]);
  });

  it('can be disposed of', async () => {
    const stopped = gate<unknown>();
    const working = agentOf((task) => {
      task.signal.addEventListener('abort', () => stopped.resolve(task.signal.reason));
      return hang(task);
    });
    let left: ReturnType<typeof testAgent>;
    {
      await using kit = testAgent(working, { frozen: true, client: { retry: false } });
      left = kit;
      expect(await kit.client.sendMessage('go', { returnImmediately: true })).toBeInState('working');
    }
    // Its runs were told to stop, and nothing is served any more.
    expect(await stopped.promise).toBeInstanceOf(Error);
    await expect(left.client.sendMessage('go')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe.each([
  ['memory', () => memory()],
  ['sqlite', () => sqlite(tempFile())],
] as const)('a restart on %s', (_name, storeOf) => {
  it('fails what was running, and clients go on by themselves', async () => {
    const kit = kitOf(
      agentOf(async function* (task) {
        yield 'half';
        await hang(task);
      }),
      { store: storeOf(), client: { reconnect: { firstDelay: 1, longestDelay: 5 } } },
    );
    const stream = kit.client.sendMessageStream('go');
    const seen: StreamEvent[] = [];
    for await (const event of stream) {
      seen.push(event);
      if (event.kind === 'artifact') await kit.restart();
    }
    const task = await stream.task;
    expect(task).toFailWith('server-restarted');
    expect(task).toHaveText('half');
    expect(task).toEqual(await kit.client.getTask(task.id));
  });

  it('lets a resumable agent go on, with another agent in its place', async () => {
    const done: string[] = [];
    const reached = gate();
    const agent = (isLost: boolean) =>
      agentOf(
        async function* (task: TaskContext) {
          yield await task.step('one', () => {
            done.push('one');
            return 'one ';
          });
          if (isLost) {
            reached.resolve();
            await hang(task);
          }
          yield 'two';
        },
        { resumable: true },
      );
    const kit = kitOf(agent(true), { store: storeOf(), client: { reconnect: { firstDelay: 1, longestDelay: 5 } } });
    const stream = kit.client.sendMessageStream('go');
    const task = stream.task;
    await reached.promise;
    await kit.restart(agent(false));
    expect(await task).toHaveText('one two');
    expect(done).toEqual(['one']);
  });

  it('leaves nothing of the old server: what its runs write is gone', async () => {
    const go = gate();
    let wrote = false;
    const kit = kitOf(
      agentOf(async function* () {
        yield 'before';
        await go.promise;
        wrote = true;
        yield ' after';
      }),
      { store: storeOf() },
    );
    const sent = await kit.client.sendMessage('go', { returnImmediately: true });
    const { id } = sent as { id: string };
    await eventually(async () => textOf(await kit.client.getTask(id))).toBe('before');
    await kit.restart();
    go.resolve();
    await eventually(() => wrote).toBe(true);
    await kit.advance(10_000);
    const task = await kit.client.getTask(id);
    expect(task).toHaveText('before');
    expect(task).toFailWith('server-restarted');
  });
});
