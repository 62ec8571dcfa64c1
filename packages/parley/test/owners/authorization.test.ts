import { defineAgent, inputRequired } from 'parley-a2a';
import { forbidden } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { cardOf } from '../../src/server/cards/card.ts';
import { serveNamed } from '../support/agents/named-callers.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const skill = (id: string, scopes?: readonly string[]) => ({ id, name: id, description: id, tags: ['x'], scopes });

const REPORTS = defineAgent({
  name: 'reports',
  description: 'Reads and writes reports',
  version: '1.0.0',
  skills: [skill('read'), skill('write', ['report:write', 'report:sign'])],
  run: (task) => (task.text === 'go' ? inputRequired(`${task.skill}: more?`) : `${task.skill}: done`),
});

const WRITER = { scopes: ['report:write', 'report:sign'] };
const FORBIDDEN = (scope: string) => ({
  message: expect.stringContaining(`"${scope}"`),
  data: [{ reason: 'PERMISSION_DENIED', metadata: { scope } }],
});
const wants = (skillId: unknown, more: Wire = {}) => ({ metadata: { skillId }, ...more });

describe('the scopes of a skill', () => {
  it('let those use it who have all of them, and others what needs none', async () => {
    const { peerOf } = serveNamed(REPORTS);
    expect((await peerOf('ann', WRITER).send('x', wants('write'))).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await peerOf('bob').send('x', wants('read'))).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it.each([
    'SendMessage',
    'SendStreamingMessage',
  ])('refuse others by name before %s creates anything', async (method) => {
    const { peerOf, server } = serveNamed(REPORTS);
    const bob = peerOf('bob', { scopes: ['report:write'] });
    const error = await bob.error(method, sendParams('x', wants('write')));
    expect(error).toMatchObject(FORBIDDEN('report:sign'));
    expect((await bob.call('ListTasks', {})).totalSize).toBe(0);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    const response = await bob.raw('/a2a/message:send', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify(sendParams('x', wants('write'))),
    });
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('report:sign')]);
  });

  it('are needed where no skill is named, for then the agent may use any', async () => {
    const { peerOf } = serveNamed(REPORTS);
    for (const metadata of [undefined, {}, { skillId: null }]) {
      const error = await peerOf('bob').error('SendMessage', sendParams('x', { metadata }));
      expect(error).toMatchObject(FORBIDDEN('report:write'));
    }
    for (const skillId of [['write'], { id: 'write' }, 5, 'Write', '__proto__']) {
      const { error } = await peerOf('bob').respond('SendMessage', sendParams('x', wants(skillId)));
      expect([-32602, -32603], JSON.stringify(skillId)).toContain(error.code);
    }
    expect((await peerOf('ann', WRITER).send('x')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('are needed for later messages of a task too, and for joining an earlier send', async () => {
    const { peerOf } = serveNamed(REPORTS);
    const key = { 'idempotency-key': 'one' };
    const params = sendParams('go', wants('write'));
    const { task } = await peerOf('ann', WRITER).call('SendMessage', params, key);
    const weaker = peerOf('ann');
    expect(await weaker.error('SendMessage', sendParams('x', { taskId: task.id }))).toMatchObject(
      FORBIDDEN('report:write'),
    );
    expect(await weaker.error('SendMessage', params, key)).toMatchObject(FORBIDDEN('report:write'));
    expect((await weaker.call('GetTask', { id: task.id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const unknown = await weaker.error('SendMessage', sendParams('x', { taskId: 'none' }));
    const foreign = await peerOf('bob').error('SendMessage', sendParams('x', { taskId: task.id }));
    expect(JSON.stringify(foreign).replaceAll(task.id, 'none')).toBe(JSON.stringify(unknown));
    expect((await peerOf('ann', WRITER).send('x', { taskId: task.id })).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('stand on the card as security, where a scheme grants scopes', () => {
    const address = { url: 'https://example.com/a2a', tenants: [] };
    const securitySchemes = {
      sso: { type: 'openIdConnect', openIdConnectUrl: 'https://example.com/.well-known/openid-configuration' },
      key: { type: 'apiKey', in: 'header', name: 'x-key' },
    } as const;
    const [read, write] = cardOf({ ...REPORTS, card: { securitySchemes } }, address).skills;
    expect([read?.security, write?.security]).toEqual([undefined, [{ sso: WRITER.scopes }]]);
    expect(cardOf(REPORTS, address).skills[1]?.security).toBeUndefined();
  });
});

describe('authorize', () => {
  it('refuses by false and by an error, for every operation, before anything is looked up', async () => {
    const { peerOf, server } = serveNamed(
      agentOf(() => 'done'),
      {
        authorize: async ({ caller, operation }) => {
          if (caller.subject === 'eve') return false;
          if (caller.subject === 'bob' && operation !== 'listTasks') throw forbidden('talk');
          return undefined;
        },
      },
    );
    const { id } = await peerOf('ann').send('x');
    const calls: [string, Wire][] = [
      ['SendMessage', sendParams('x')],
      ['SendStreamingMessage', sendParams('x')],
      ['GetTask', { id }],
      ['GetTask', { id: 'none' }],
      ['CancelTask', { id }],
      ['SubscribeToTask', { id }],
      ['ListTasks', {}],
    ];
    for (const [method, params] of calls) {
      const error = await peerOf('eve').error(method, params);
      expect(error.message, method).toBe('The caller may not do this');
      if (method !== 'ListTasks') expect(await peerOf('bob').error(method, params)).toMatchObject(FORBIDDEN('talk'));
    }
    expect((await peerOf('bob').call('ListTasks', {})).totalSize).toBe(0);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('is told the parameters and the skill', async () => {
    const seen: unknown[] = [];
    const { peerOf } = serveNamed(REPORTS, {
      authorize: ({ operation }, { input, skill: wanted }) =>
        void seen.push([operation, wanted, 'id' in input && input.id]),
    });
    const ann = peerOf('ann', WRITER);
    const { id } = await ann.send('go', wants('write'));
    await ann.send('x', { taskId: id });
    await ann.call('GetTask', { id });
    expect(seen).toEqual([
      ['sendMessage', 'write', false],
      ['sendMessage', 'write', false],
      ['getTask', undefined, id],
    ]);
  });

  it('that fails lets nobody pass and tells nothing of its error', async () => {
    const errors: unknown[] = [];
    const log = {
      warn: () => {},
      error: (_: string, { error }: Readonly<Record<string, unknown>>) => errors.push(error),
    };
    const { peerOf } = serveNamed(
      agentOf(() => 'done'),
      { log, authorize: () => Promise.reject(new Error('the directory at 10.0.0.7 is down')) },
    );
    const error = await peerOf('ann').error('SendMessage', sendParams('x'));
    expect([error.code, JSON.stringify(error)]).toEqual([-32603, expect.not.stringContaining('10.0.0.7')]);
    expect(errors).toEqual([expect.objectContaining({ message: 'the directory at 10.0.0.7 is down' })]);
  });
});
