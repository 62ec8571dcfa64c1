import { authRequired, inputRequired, type TaskContext, textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { agentOfStates, TERMINAL, taskIn } from '../../support/agents/states.ts';
import { eventually } from '../../support/eventually.ts';
import { idsOf, shows, stateOf, statesOf, textOfTask } from '../../support/frames.ts';
import { otherCaller, sharedNodes } from '../../support/other-caller.ts';
import { type RpcPeer, sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang, pause } from '../../support/script.ts';

const AT_ONCE = { returnImmediately: true };

/** The task was canceled: the answer says so, and so does everybody who asks afterwards. */
async function cancels(peer: RpcPeer, id: string): Promise<void> {
  const answer = await peer.call('CancelTask', { id });
  expect(answer.id).toBe(id);
  expect(answer.status.state).toBe('TASK_STATE_CANCELED');
  expect(await peer.call('GetTask', { id })).toEqual(answer);
}

describe('a cancel', () => {
  it('returns the updated task, bare [rule:cancel.returns]', async () => {
    const { peer } = startServer(
      agentOf(async function* (task) {
        yield 'so far';
        await hang(task);
      }),
    );
    const { id } = await peer.send('go', {}, AT_ONCE);
    await eventually(async () => textOfTask(await peer.call('GetTask', { id }))).toBe('so far');
    const answer = await peer.call('CancelTask', { id });
    expect(answer).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED', timestamp: expect.any(String) } });
    expect(answer.history).toHaveLength(1);
    expect(textOfTask(answer)).toBe('so far');
    expect(await peer.call('GetTask', { id })).toEqual(answer);
  });

  for (const state of TERMINAL) {
    it(`is refused for a task that is ${state} [rule:cancel.terminal]`, async () => {
      const { peer, server } = startServer(agentOfStates());
      const id = await taskIn(peer, state);
      const before = await peer.call('GetTask', { id });
      const error = await peer.error('CancelTask', { id });
      expect(error.code).toBe(-32002);
      expect(error.data[0]).toMatchObject({ reason: 'TASK_NOT_CANCELABLE', domain: 'a2a-protocol.org' });
      expect(await peer.call('GetTask', { id })).toEqual(before);
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }

  it('of an unknown task is refused, and of one of another caller in the same way [rule:cancel.unknown]', async () => {
    const nodes = sharedNodes();
    const agent = agentOf(() => inputRequired('more?'));
    const ann = await otherCaller(agent, nodes);
    const { peer } = startServer(agent, nodes);
    const unknown = await peer.error('CancelTask', { id: 'unknown' });
    expect(unknown.code).toBe(-32001);
    expect(unknown.data[0]).toMatchObject({ reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' });
    const task = await ann.send('go');
    const id = 'id' in task ? task.id : '';
    const foreign = await peer.error('CancelTask', { id });
    expect(JSON.stringify(foreign).replaceAll(id, 'unknown')).toBe(JSON.stringify(unknown));
  });

  it('that races others ends the task once', async () => {
    const { peer } = startServer(agentOf((task) => hang(task)));
    const { id } = await peer.send('go', {}, AT_ONCE);
    const responses = await Promise.all(Array.from({ length: 8 }, () => peer.respond('CancelTask', { id })));
    const canceled = responses.filter((response) => response.result?.status.state === 'TASK_STATE_CANCELED');
    const refused = responses.filter((response) => response.error?.code === -32002);
    expect(canceled.length).toBeGreaterThanOrEqual(1);
    expect(canceled.length + refused.length).toBe(8);
    const replay = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
    expect(statesOf(replay)).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_CANCELED']);
  });
});

describe('a task can be canceled', () => {
  it('right after it was submitted, before its run has put out anything [rule:cancel.states]', async () => {
    for (const when of ['at once', 'a moment later']) {
      const { peer } = startServer(
        agentOf((task) => hang(task)),
        { limits: { replyWindow: 60_000 } },
      );
      const { id } = await peer.send('go', {}, AT_ONCE);
      if (when === 'a moment later') await pause(10);
      await cancels(peer, id);
    }
  });

  it('while it works [rule:cancel.states]', async () => {
    const { peer } = startServer(
      agentOf(async function* (task) {
        await task.status('working hard');
        for (;;) {
          yield '.';
          await pause(1);
        }
      }),
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    const frames = await stream.until((frame) => frame.result.artifactUpdate !== undefined);
    await cancels(peer, frames[0]?.result.task.id);
    expect(stateOf((await stream.rest()).at(-1))).toBe('TASK_STATE_CANCELED');
  });

  const waits: Readonly<Record<string, Parameters<typeof agentOf>[0]>> = {
    'a question that ended the turn': () => inputRequired('Which one?'),
    'a question that the run waits for': async (task) => task.ask('Which one?'),
    'an authorization that ended the turn': () => authRequired('Log in'),
    'an authorization that the run waits for': async (task) => task.ask('Log in', { state: 'auth-required' }),
  };
  for (const [name, run] of Object.entries(waits)) {
    it(`while it waits for the answer to ${name} [rule:cancel.states]`, async () => {
      let thrown: unknown;
      const { peer, server, logged } = startServer(
        agentOf(async (task) => {
          try {
            return (await run(task)) as never;
          } catch (error) {
            thrown = error;
            throw error;
          }
        }),
      );
      const asked = await peer.send('go');
      const stream = await peer.open('SubscribeToTask', { id: asked.id });
      await stream.next();
      await cancels(peer, asked.id);
      expect(statesOf(await stream.rest())).toEqual(['TASK_STATE_CANCELED']);
      expect((await peer.error('SendMessage', sendParams('this', { taskId: asked.id }))).code).toBe(-32004);
      if (name.includes('run waits')) expect(thrown).toMatchObject({ name: 'AbortError' });
      expect(logged).toEqual([]);
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }
});

describe('the run of a canceled task', () => {
  it('has its signal aborted with a reason, and need not answer [rule:cancel.at-once]', async () => {
    const aborted = gate<unknown>();
    const { peer } = startServer(
      agentOf((task) => {
        task.signal.addEventListener('abort', () => aborted.resolve(task.signal.reason));
        return new Promise(() => {});
      }),
      // Longer than the test may take: nobody waits for it.
      { limits: { cancelGrace: 3_600_000 } },
    );
    const { id } = await peer.send('go', {}, AT_ONCE);
    await cancels(peer, id);
    expect(await aborted.promise).toMatchObject({ name: 'AbortError' });
  });

  it('may swallow the abort and write on: nothing of it is kept [rule:cancel.at-once] [rule:stream.nothing-after-terminal]', async () => {
    const kept = gate<TaskContext>();
    const over = gate();
    const { peer, logged } = startServer(
      agentOf(async (task) => {
        kept.resolve(task);
        await task.write('before');
        await hang(task).catch(() => {});
        for (let index = 0; index < 100; index += 1) {
          await task.write('after').catch(() => {});
          await task.status('after').catch(() => {});
          if (index % 10 === 0) await pause(1);
        }
        over.resolve();
        return 'after all';
      }),
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    const { id } = await kept.promise;
    await stream.until(shows('TASK_STATE_WORKING'));
    await cancels(peer, id);
    const frames = await stream.rest();
    const before = await peer.call('GetTask', { id });
    await over.promise;
    await pause(10);
    expect(await peer.call('GetTask', { id })).toEqual(before);
    expect(textOfTask(before)).toBe('before');
    expect(stateOf(frames.at(-1))).toBe('TASK_STATE_CANCELED');
    const last = frames.at(-1)?.id ?? 0;
    const replay = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
    expect(idsOf(replay).at(-1)).toBe(last);
    expect(JSON.stringify(replay)).not.toContain('after');
    expect(logged).toEqual([]);
  });

  it('may throw at the abort: the task stays canceled and nothing is logged [rule:cancel.at-once]', async () => {
    const { peer, logged } = startServer(
      agentOf(async (task) => {
        await hang(task).catch(() => {});
        throw new Error('broken by the abort');
      }),
    );
    const { id } = await peer.send('go', {}, AT_ONCE);
    await cancels(peer, id);
    await pause(10);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
    expect(logged).toEqual([]);
  });

  it('may clean up: its generator is closed, and its wait for messages ends [rule:cancel.at-once]', async () => {
    const cleaned = gate<string>();
    const ended = gate<string[]>();
    const { peer } = startServer(
      agentOf(async function* (task) {
        const seen: string[] = [];
        const reading = (async () => {
          for await (const message of task.messages()) seen.push(textOf(message));
          ended.resolve(seen);
        })();
        try {
          for (;;) {
            yield '.';
            await pause(1);
          }
        } finally {
          cleaned.resolve('finally');
          await reading;
        }
      }),
    );
    const { id } = await peer.send('go', {}, AT_ONCE);
    await peer.send('hello', { taskId: id }, AT_ONCE);
    await cancels(peer, id);
    expect(await cleaned.promise).toBe('finally');
    expect(await ended.promise).toEqual(['hello']);
  });
});

describe('others hear of a cancel', () => {
  it('streams get CANCELED and close, blocked sends return [rule:cancel.spreads]', async () => {
    const { peer, server } = startServer(agentOf((task) => hang(task)));
    const first = peer.send('go', { contextId: 'talk' });
    const listed = async () => (await peer.call('ListTasks', { contextId: 'talk' })).tasks[0]?.id;
    await eventually(listed).toBeDefined();
    const id = await listed();
    const follow = peer.send('and?', { taskId: id });
    const streams = [
      await peer.open('SendStreamingMessage', sendParams('and again?', { taskId: id })),
      await peer.open('SubscribeToTask', { id }),
      await peer.open('SubscribeToTask', { id }, { 'last-event-id': '0' }),
    ];
    const readings = streams.map((stream) => stream.rest());
    await cancels(peer, id);
    for (const task of await Promise.all([first, follow])) expect(task.status.state).toBe('TASK_STATE_CANCELED');
    for (const frames of await Promise.all(readings)) expect(stateOf(frames.at(-1))).toBe('TASK_STATE_CANCELED');
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });
});
