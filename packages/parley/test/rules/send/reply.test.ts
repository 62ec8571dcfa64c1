import { complete, inputRequired, reply, type TaskContext } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { kindOf, statesOf } from '../../support/frames.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang, pause } from '../../support/script.ts';

const HOUR = 3_600_000;

describe('a reply before anything made a task', () => {
  it('is a bare message and leaves no task behind [rule:send.message-reply]', async () => {
    const { peer, server } = startServer(agentOf(() => reply('Hi')));
    const { message } = await peer.call('SendMessage', sendParams('hello', { contextId: 'talk' }));
    expect(message).toEqual({
      messageId: expect.any(String),
      role: 'ROLE_AGENT',
      parts: [{ text: 'Hi' }],
      contextId: 'talk',
    });
    expect((await peer.call('ListTasks', {})).totalSize).toBe(0);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('may have all that a message has [rule:send.message-reply]', async () => {
    const parts = [{ kind: 'text', text: 'Hi', mediaType: 'text/plain', metadata: { a: 1 } } as const];
    const extensions = ['urn:example:ext'];
    const run = () => reply({ parts, metadata: { mood: 'fine' }, extensions, referenceTaskIds: ['t-1'] });
    const { peer } = startServer(agentOf(run));
    const { message } = await peer.call('SendMessage', sendParams('hello'));
    expect(message).toMatchObject({
      parts: [{ text: 'Hi', mediaType: 'text/plain', metadata: { a: 1 } }],
      metadata: { mood: 'fine' },
      extensions: ['urn:example:ext'],
      referenceTaskIds: ['t-1'],
    });
  });

  it('may come from a promise or a generator that takes a while [rule:send.message-reply]', async () => {
    const agents = [
      agentOf(async () => {
        await pause(10);
        return reply('from a promise');
      }),
      agentOf(
        async function* (task) {
          await pause(10);
          if (task.text !== 'go') yield 'not a reply';
          return reply('from a generator');
        },
        { name: 'generator' },
      ),
    ];
    const { peer } = startServer(agents, { limits: { replyWindow: PATIENCE_MS } });
    expect((await peer.send('go')).parts).toEqual([{ text: 'from a promise' }]);
    expect((await peer.at('/a2a/agents/generator').send('go')).parts).toEqual([{ text: 'from a generator' }]);
    expect((await peer.call('ListTasks', {})).totalSize).toBe(0);
  });
});

describe('the task exists', () => {
  const firstOutputs: Readonly<Record<string, (task: TaskContext) => void>> = {
    write: (task) => void task.write('a'),
    status: (task) => void task.status('looking'),
    ask: (task) => void task.ask('which?').catch(() => {}),
    'the first piece of an artifact': (task) => void task.artifact({ artifactId: 'a' }).write('a'),
    'a last piece that is the first': (task) => void task.artifact({ artifactId: 'a' }).end('a'),
  };

  for (const [name, output] of Object.entries(firstOutputs)) {
    it(`from the first output, here ${name}, and not before [rule:send.task-at-first-output]`, async () => {
      const started = gate<TaskContext>();
      const { peer } = startServer(
        agentOf((task) => {
          started.resolve(task);
          return hang(task);
        }),
        { limits: { replyWindow: HOUR } },
      );
      const sent = peer.send('go');
      const task = await started.promise;
      await settle();
      expect(await peer.error('GetTask', { id: task.id })).toMatchObject({ code: -32001 });
      output(task);
      await settle();
      expect((await peer.call('GetTask', { id: task.id })).id).toBe(task.id);
      if (name !== 'ask') await peer.call('CancelTask', { id: task.id });
      expect((await sent).id).toBe(task.id);
    });
  }

  it('from the first yield [rule:send.task-at-first-output]', async () => {
    const released = gate();
    const started = gate<string>();
    const { peer } = startServer(
      agentOf(async function* (task) {
        started.resolve(task.id);
        yield 'a';
        await released.promise;
      }),
      { limits: { replyWindow: HOUR } },
    );
    const sent = peer.send('go');
    const id = await started.promise;
    await settle();
    expect((await peer.call('GetTask', { id })).artifacts[0].parts).toEqual([{ text: 'a' }]);
    released.resolve();
    expect((await sent).id).toBe(id);
  });

  it('at once where the caller does not want to wait [rule:send.task-at-once]', async () => {
    const { peer } = startServer(
      agentOf((task) => hang(task)),
      { limits: { replyWindow: HOUR } },
    );
    const { task } = await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
    expect(await peer.call('GetTask', { id: task.id })).toMatchObject({ id: task.id });
  });

  it('for a follow-up, whose reply completes the task [rule:send.task-at-once] [rule:send.late-reply]', async () => {
    const { peer } = startServer(agentOf((task) => (task.text === 'go' ? inputRequired('which?') : reply('that one'))));
    const first = await peer.send('go');
    const { task } = await peer.call('SendMessage', sendParams('this', { taskId: first.id }));
    expect(task.id).toBe(first.id);
    expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'that one' }] } });
  });
});

describe('the reply window', () => {
  it('makes a task of a run that is silent for 100 ms [rule:send.reply-window]', async () => {
    const clock = new ManualClock();
    const started = gate<string>();
    const { peer } = startServer(
      agentOf((task) => {
        started.resolve(task.id);
        return hang(task);
      }),
      { clock },
    );
    const open = peer.open('SendStreamingMessage', sendParams('go'));
    const id = await started.promise;
    await clock.advance(99);
    expect(await peer.error('GetTask', { id })).toMatchObject({ code: -32001 });
    await clock.advance(1);
    const stream = await open;
    expect(statesOf([(await stream.next()) as never])).toEqual(['TASK_STATE_SUBMITTED']);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
    await stream.close();
  });

  it('can be set [rule:send.reply-window]', async () => {
    const released = gate();
    const { peer } = startServer(
      agentOf(async () => {
        await released.promise;
        return reply('too late to be bare');
      }),
      { limits: { replyWindow: 20 } },
    );
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    expect(kindOf(await stream.next())).toBe('task');
    released.resolve();
    const rest = await stream.rest();
    expect(statesOf(rest)).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
    expect(rest.at(-1)?.result.statusUpdate.status.message.parts).toEqual([{ text: 'too late to be bare' }]);
  });
});

describe('a reply after the task exists', () => {
  const runs: Readonly<Record<string, (task: TaskContext) => ReturnType<Parameters<typeof agentOf>[0]>>> = {
    'after a yield': async function* () {
      yield 'some output';
      return reply('and a word');
    },
    'after a status': async (task) => {
      await task.status('on it');
      return reply('and a word');
    },
    'after the reply window': async () => {
      await pause(40);
      return reply('and a word');
    },
  };
  for (const [name, run] of Object.entries(runs)) {
    it(`completes the task with that status message, ${name} [rule:send.late-reply]`, async () => {
      const { peer } = startServer(agentOf(run), { limits: { replyWindow: 10 } });
      const { task } = await peer.call('SendMessage', sendParams('go'));
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(task.status.message).toMatchObject({
        role: 'ROLE_AGENT',
        taskId: task.id,
        parts: [{ text: 'and a word' }],
      });
    });
  }
});

describe('the first Task of a stream', () => {
  const runs: Readonly<Record<string, Parameters<typeof agentOf>[0]>> = {
    'that writes at once': () => 'done',
    'that yields at once': function* () {
      yield 'a';
      yield 'b';
    },
    'that says a status at once': async (task) => task.status('on it'),
    'that ends at once': () => complete('done'),
    'that asks at once': () => inputRequired('which?'),
    'that throws at once': () => {
      throw new Error('inner');
    },
    'that is silent': () => pause(60),
  };
  for (const [name, run] of Object.entries(runs)) {
    it(`is SUBMITTED and holds the message, then comes WORKING, of a run ${name} [rule:send.first-task]`, async () => {
      const { peer } = startServer(agentOf(run), { limits: { replyWindow: 10 } });
      const params = sendParams('go');
      const frames = await peer.stream('SendStreamingMessage', params);
      const first = frames[0]?.result.task;
      expect(first.status.state).toBe('TASK_STATE_SUBMITTED');
      expect(first.status).not.toHaveProperty('message');
      expect(first.history).toEqual([{ ...params.message, taskId: first.id, contextId: first.contextId }]);
      expect(first).not.toHaveProperty('artifacts');
      expect(frames[1]?.result.statusUpdate.status.state).toBe('TASK_STATE_WORKING');
    });
  }
});
