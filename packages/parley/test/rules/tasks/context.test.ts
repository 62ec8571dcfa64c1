import { inputRequired, reply, type TaskContext } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { otherCaller, sharedNodes } from '../../support/other-caller.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const OPERATIONS = ['SendMessage', 'SendStreamingMessage'] as const;

/** Asks for more, replies or finishes, as the message says. */
function talkative() {
  return agentOf((task) => {
    if (task.text === 'hi') return reply('hello');
    return task.text === 'go' ? inputRequired('more?') : 'done';
  });
}

describe('the context of a new interaction', () => {
  it('is made by the server and returned, with a task and with a message [rule:context.returned]', async () => {
    const { peer } = startServer(talkative());
    const { task } = await peer.call('SendMessage', sendParams('work'));
    expect(task.contextId).toMatch(UUID_V7);
    expect(task.history[0].contextId).toBe(task.contextId);
    const { message } = await peer.call('SendMessage', sendParams('hi'));
    expect(message.contextId).toMatch(UUID_V7);
    expect(message.contextId).not.toBe(task.contextId);
    const frames = await peer.stream('SendStreamingMessage', sendParams('work'));
    const first = frames[0]?.result.task;
    expect(first.contextId).toMatch(UUID_V7);
    for (const { result } of frames.slice(1)) {
      expect((result.statusUpdate ?? result.artifactUpdate).contextId).toBe(first.contextId);
    }
  });

  it('can be one that the client made up [rule:context.accepted]', async () => {
    const { peer } = startServer(talkative());
    for (const contextId of ['talk-1', 'x', 'a b/c?d#e', 'Grüße 🦜', '0190a000-0000-7000-8000-000000000000']) {
      const { task } = await peer.call('SendMessage', sendParams('work', { contextId }));
      expect(task.contextId).toBe(contextId);
      expect((await peer.call('GetTask', { id: task.id })).contextId).toBe(contextId);
      const listed = await peer.call('ListTasks', { contextId });
      expect(listed.tasks.map((entry: Wire) => entry.id)).toEqual([task.id]);
      expect((await peer.call('SendMessage', sendParams('hi', { contextId }))).message.contextId).toBe(contextId);
    }
  });

  it('is given to the agent [rule:context.accepted]', async () => {
    const seen: string[] = [];
    const { peer } = startServer(agentOf((task) => void seen.push(task.contextId)));
    const own = await peer.send('go', { contextId: 'talk' });
    const made = await peer.send('go');
    expect(seen).toEqual(['talk', made.contextId]);
    expect(own.contextId).toBe('talk');
  });
});

describe('a message', () => {
  it('with only a context id starts a new task in it [rule:context.new-task]', async () => {
    const { peer } = startServer(talkative());
    const first = await peer.send('go');
    const second = await peer.send('go', { contextId: first.contextId });
    const third = await peer.send('work', { contextId: first.contextId });
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    for (const task of [second, third]) {
      expect(task.contextId).toBe(first.contextId);
      expect(task.history.filter((message: Wire) => message.role === 'ROLE_USER')).toHaveLength(1);
    }
    expect((await peer.call('GetTask', { id: first.id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await peer.call('ListTasks', { contextId: first.contextId })).totalSize).toBe(3);
  });

  it('with only a task id belongs to the context of that task [rule:context.inferred]', async () => {
    const contexts: string[] = [];
    const { peer } = startServer(
      agentOf((task) => {
        contexts.push(task.contextId, task.message.contextId ?? 'none');
        return task.text === 'go' ? inputRequired('more?') : 'done';
      }),
    );
    const first = await peer.send('go', { contextId: 'talk' });
    const second = await peer.send('yes', { taskId: first.id });
    expect(second.id).toBe(first.id);
    expect(second.contextId).toBe('talk');
    expect(second.history.at(-1)).toMatchObject({ taskId: first.id, contextId: 'talk' });
    expect(contexts).toEqual(['talk', 'talk', 'talk', 'talk']);
  });

  it('with both ids continues the task [rule:context.inferred]', async () => {
    const { peer } = startServer(talkative());
    const first = await peer.send('go');
    const second = await peer.send('yes', { taskId: first.id, contextId: first.contextId });
    expect(second.id).toBe(first.id);
    expect(second.status.state).toBe('TASK_STATE_COMPLETED');
  });

  for (const operation of OPERATIONS) {
    it(`with the context of another task is refused by ${operation} [rule:context.mismatch]`, async () => {
      const { peer, server } = startServer(talkative());
      const first = await peer.send('go');
      const other = await peer.send('go');
      const before = await peer.call('GetTask', { id: first.id });
      for (const contextId of [other.contextId, 'made-up']) {
        const error = await peer.error(operation, sendParams('yes', { taskId: first.id, contextId }));
        expect(error.code).toBe(-32602);
        expect(JSON.stringify(error.data)).toContain('contextId');
      }
      expect(await peer.call('GetTask', { id: first.id })).toEqual(before);
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }

  it('may refer to other tasks, and the agent is told [rule:context.reference-ids]', async () => {
    const seen: TaskContext['message']['referenceTaskIds'][] = [];
    const { peer } = startServer(
      agentOf((task) => {
        seen.push(task.message.referenceTaskIds);
        return task.text === 'go' ? inputRequired('more?') : 'done';
      }),
    );
    const { id } = await peer.send('go', { referenceTaskIds: ['t-1', 't-2'] });
    await peer.send('yes', { taskId: id, referenceTaskIds: [id] });
    expect(seen).toEqual([['t-1', 't-2'], [id]]);
  });
});

describe('a context id that another caller has', () => {
  for (const operation of OPERATIONS) {
    it(`is a new context of this caller by ${operation}, and shows nothing of the other [rule:context.not-replaced]`, async () => {
      const nodes = sharedNodes();
      const seen: unknown[] = [];
      const agent = agentOf(async (task) => {
        seen.push([(await task.context.tasks()).length, await task.context.get('word')]);
        await task.context.set('word', task.text);
        return 'done';
      });
      const ann = await otherCaller(agent, nodes);
      const { peer } = startServer(agent, nodes);
      await ann.send('of ann', { contextId: 'talk' });
      expect(await peer.call('ListTasks', { contextId: 'talk' })).toMatchObject({ tasks: [], totalSize: 0 });
      if (operation === 'SendMessage') await peer.call(operation, sendParams('mine', { contextId: 'talk' }));
      else await peer.stream(operation, sendParams('mine', { contextId: 'talk' }));
      await ann.send('again', { contextId: 'talk' });
      const { tasks } = await peer.call('ListTasks', { contextId: 'talk' });
      expect(tasks.map((task: Wire) => task.contextId)).toEqual(['talk']);
      expect(seen).toEqual([
        [0, undefined],
        [0, undefined],
        [1, 'of ann'],
      ]);
    });
  }

  it('is taken by both who come with it at once', async () => {
    const nodes = sharedNodes();
    const agent = agentOf(() => 'done');
    const ann = await otherCaller(agent, nodes);
    const { peer } = startServer(agent, nodes);
    const [ofAnn, mine] = await Promise.all([
      ann.send('go', { contextId: 'talk' }),
      peer.send('go', { contextId: 'talk' }),
    ]);
    expect([ofAnn.contextId, mine.contextId]).toEqual(['talk', 'talk']);
    expect((await peer.call('ListTasks', {})).totalSize).toBe(1);
  });
});

describe('a context id that cannot be accepted', () => {
  for (const contextId of [5, true, {}, ['talk']]) {
    it(`because it is ${JSON.stringify(contextId)} is refused [rule:context.not-replaced]`, async () => {
      const { peer } = startServer(talkative());
      for (const operation of OPERATIONS) {
        expect((await peer.error(operation, sendParams('work', { contextId }))).code).toBe(-32602);
      }
      expect((await peer.call('ListTasks', {})).totalSize).toBe(0);
    });
  }
});

describe('messages of the agent', () => {
  it('name the context, and the task where there is one [rule:context.agent-messages]', async () => {
    const { peer } = startServer(
      agentOf(async (task) => {
        if (task.text === 'hi') return reply('hello');
        await task.status('reading');
        if (task.text === 'fail') throw new Error('inner');
        return inputRequired('more?');
      }),
    );
    const { message } = await peer.call('SendMessage', sendParams('hi', { contextId: 'talk' }));
    expect(message).toMatchObject({ role: 'ROLE_AGENT', contextId: 'talk' });
    expect(message).not.toHaveProperty('taskId');
    for (const text of ['go', 'fail']) {
      const frames = await peer.stream('SendStreamingMessage', sendParams(text, { contextId: 'talk' }));
      const { id } = frames[0]?.result.task ?? {};
      const said = frames.flatMap(({ result }) => result.statusUpdate?.status.message ?? []);
      expect(said).toHaveLength(2);
      const task = await peer.call('GetTask', { id });
      for (const one of [...said, task.status.message, task.history[1]]) {
        expect(one).toMatchObject({ role: 'ROLE_AGENT', contextId: 'talk', taskId: id });
        expect(one.messageId).toBeTypeOf('string');
        expect(one.parts.length).toBeGreaterThan(0);
      }
    }
  });
});

it('makes ids that are UUIDv7 and sort by time [rule:context.uuidv7]', async () => {
  const { peer } = startServer(
    agentOf(async (task) => {
      await task.status('a word');
      await task.artifact({ name: 'one' }).write('a');
      return 'done';
    }),
  );
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const task = await peer.send('go');
    expect(task.contextId).toMatch(UUID_V7);
    for (const artifact of task.artifacts) expect(artifact.artifactId).toMatch(UUID_V7);
    expect(task.history[1].messageId).toMatch(UUID_V7);
    expect(task.id).toMatch(UUID_V7);
    const time = Number.parseInt(task.id.replaceAll('-', '').slice(0, 12), 16);
    expect(Math.abs(Date.now() - time)).toBeLessThan(60_000);
    ids.push(task.id);
  }
  expect(ids.toSorted()).toEqual(ids);
});
