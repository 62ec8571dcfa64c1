import { reply } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { agentOfStates, INTERRUPTED, TERMINAL, taskIn } from '../../support/agents/states.ts';
import { eventually } from '../../support/eventually.ts';
import { textOfTask } from '../../support/frames.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang, pause } from '../../support/script.ts';

const OPERATIONS = ['SendMessage', 'SendStreamingMessage'] as const;

describe('the result of a send', () => {
  it('is an object with exactly a task or a message [rule:send.wrapped]', async () => {
    const { peer } = startServer(agentOf((task) => (task.text === 'hi' ? reply('hello') : 'done')));
    expect(Object.keys(await peer.call('SendMessage', sendParams('work')))).toEqual(['task']);
    expect(Object.keys(await peer.call('SendMessage', sendParams('hi')))).toEqual(['message']);
  });

  it('has a task id of the server, another one for each task [rule:send.task-id]', async () => {
    const { peer } = startServer(agentOf(() => 'done'));
    const tasks = await Promise.all(Array.from({ length: 20 }, () => peer.send('go')));
    const ids = tasks.map((task) => task.id);
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect((await peer.call('GetTask', { id })).id).toBe(id);
  });
});

describe('a blocking send', () => {
  for (const configuration of [undefined, {}, { returnImmediately: false }]) {
    it(`waits for the end with the configuration ${JSON.stringify(configuration)} [rule:send.blocking-default]`, async () => {
      const released = gate();
      const { peer } = startServer(
        agentOf(async function* (task) {
          yield 'first ';
          await task.artifact({ artifactId: 'table', name: 'table.csv' }).write('a,b');
          await task.status('nearly there');
          await released.promise;
          yield 'last';
        }),
      );
      let answer: Wire;
      const sent = peer.send('go', {}, configuration).then((task) => {
        answer = task;
      });
      await pause(50);
      expect(answer).toBeUndefined();
      released.resolve();
      await sent;
      expect(answer.status.state).toBe('TASK_STATE_COMPLETED');
      expect(answer.artifacts).toHaveLength(2);
      expect(answer.artifacts[0].parts).toEqual([{ text: 'first last' }]);
      expect(answer.artifacts[1]).toMatchObject({ artifactId: 'table', name: 'table.csv', parts: [{ text: 'a,b' }] });
      expect(await peer.call('GetTask', { id: answer.id })).toEqual(answer);
    });
  }

  for (const state of [...TERMINAL, ...INTERRUPTED].filter((candidate) => candidate !== 'TASK_STATE_CANCELED')) {
    it(`returns at ${state} [rule:send.blocking-default]`, async () => {
      const { peer } = startServer(agentOfStates());
      expect((await peer.send(state)).status.state).toBe(state);
    });
  }

  it('returns when the task is canceled [rule:send.blocking-default]', async () => {
    const started = gate<string>();
    const { peer } = startServer(
      agentOf((task) => {
        started.resolve(task.id);
        return hang(task);
      }),
    );
    const sent = peer.send('go');
    const id = await started.promise;
    await eventually(() => peer.respond('CancelTask', { id })).toHaveProperty('result');
    expect((await sent).status.state).toBe('TASK_STATE_CANCELED');
  });
});

it('returns at once where the caller asks for it, and the work goes on [rule:send.return-immediately]', async () => {
  const released = gate();
  const { peer } = startServer(
    agentOf(async function* () {
      await released.promise;
      yield 'done later';
    }),
  );
  const result = await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
  expect(Object.keys(result)).toEqual(['task']);
  expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(result.task.status.state);
  released.resolve();
  const finished = async () => peer.call('GetTask', { id: result.task.id });
  await eventually(finished).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  expect(textOfTask(await finished())).toBe('done later');
});

describe('a message to a task', () => {
  for (const operation of OPERATIONS) {
    it(`that is unknown is refused and makes nothing, by ${operation} [rule:send.unknown-task]`, async () => {
      let runs = 0;
      const { peer } = startServer(
        agentOf(() => {
          runs += 1;
        }),
      );
      const error = await peer.error(operation, sendParams('go', { taskId: '0190a000-0000-7000-8000-000000000000' }));
      expect(error.code).toBe(-32001);
      expect(error.data[0]).toMatchObject({ reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' });
      expect(runs).toBe(0);
      expect((await peer.call('ListTasks', {})).totalSize).toBe(0);
    });

    for (const state of TERMINAL) {
      it(`that is ${state} is refused by ${operation} [rule:send.terminal-task]`, async () => {
        const { peer } = startServer(agentOfStates());
        const taskId = await taskIn(peer, state);
        const before = await peer.call('GetTask', { id: taskId });
        const error = await peer.error(operation, sendParams('more', { taskId }));
        expect(error.code).toBe(-32004);
        expect(error.data[0]).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', domain: 'a2a-protocol.org' });
        expect(await peer.call('GetTask', { id: taskId })).toEqual(before);
      });
    }
  }
});

describe('an incomplete send is a validation error [rule:send.missing-message]', () => {
  const whole = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
  const cases: readonly (readonly [string, Wire, string])[] = [
    ['no message', {}, 'message'],
    ['a message that is null', { message: null }, 'message'],
    ['a message that is no object', { message: 'hi' }, 'message'],
    ['no messageId', { message: { ...whole, messageId: undefined } }, 'message.messageId'],
    ['an empty messageId', { message: { ...whole, messageId: '' } }, 'message.messageId'],
    ['no parts member', { message: { ...whole, parts: undefined } }, 'message.parts'],
    ['no parts', { message: { ...whole, parts: [] } }, 'message.parts'],
    ['a part without content', { message: { ...whole, parts: [{}] } }, 'message.parts[0]'],
    [
      'a part with two contents',
      { message: { ...whole, parts: [{ text: 'a', url: 'https://a.b' }] } },
      'message.parts',
    ],
    ['no role', { message: { ...whole, role: undefined } }, 'message.role'],
    ['the role UNSPECIFIED', { message: { ...whole, role: 'ROLE_UNSPECIFIED' } }, 'message.role'],
    ['an unknown role', { message: { ...whole, role: 'ROLE_SYSTEM' } }, 'message.role'],
  ];

  for (const [name, params, field] of cases) {
    it(name, async () => {
      let runs = 0;
      const { peer } = startServer(
        agentOf(() => {
          runs += 1;
        }),
      );
      for (const operation of OPERATIONS) {
        const error = await peer.error(operation, params);
        expect(error.code).toBe(-32602);
        const violations = error.data.flatMap((detail: Wire) => detail.fieldViolations ?? []);
        expect(violations.map((violation: Wire) => violation.field).join(' ')).toContain(field);
      }
      expect(runs).toBe(0);
    });
  }
});
