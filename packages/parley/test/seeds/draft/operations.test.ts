import {
  A2AServer,
  type A2AServerOptions,
  type Agent,
  type AgentDefinition,
  inputRequired,
  reject,
  reply,
  type TaskContext,
} from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listening } from '../../support/http/sockets.ts';
import { type RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, hang } from '../../support/script.ts';

const MESSAGE = { messageId: 'msg-1', role: 'user', parts: [{ text: 'Hello, agent!' }] };
const message = (text: string, more: object = {}) => ({ message: { ...MESSAGE, parts: [{ text }], ...more } });
/** No version is named. */
const NO_VERSION = { 'a2a-version': '' };

const talkerOf = (more: Partial<AgentDefinition> = {}) => agentOf(talk, more);
const talker = talkerOf();

async function* talk(task: TaskContext) {
  if (task.text === 'hang') return hang(task);
  if (task.text === 'greet') return reply('Hi');
  if (task.text === 'ask') return inputRequired('Which one?');
  if (task.text === 'refuse') throw reject('No');
  if (task.text === 'parts') yield task.parts.slice(1);
  else yield `You said ${task.text}`;
  return undefined;
}

/** A server whose `/a2a` speaks the draft, on a socket. */
async function pinned(agent: Agent = talker, options: Partial<A2AServerOptions> = {}): Promise<RpcPeer> {
  const mounts = [{ path: '/a2a', dialect: 'v1_draft' as const }];
  const { server } = startServer(agent, { mounts, ...options });
  return listening(server);
}

describe('operations of the draft', () => {
  it('SendMessage waits and answers with the task, in its own words (S2.2) (S2.4) (S2.8)', async () => {
    const peer = await pinned();
    const { jsonrpc, id, result } = await peer.respond('SendMessage', { message: MESSAGE });
    expect({ jsonrpc, id }).toEqual({ jsonrpc: '2.0', id: 1 });
    expect(Object.keys(result)).toEqual(['id', 'contextId', 'status', 'artifacts', 'history']);
    expect(result.status).toEqual({ state: 'completed', timestamp: expect.stringMatching(/Z$/) });
    expect(result.artifacts).toEqual([{ artifactId: expect.any(String), parts: [{ text: 'You said Hello, agent!' }] }]);
    expect(result.history).toEqual([{ ...MESSAGE, contextId: result.contextId, taskId: result.id }]);
    expect(await peer.call('GetTask', { id: result.id })).toEqual(result);
    expect(await peer.call('GetTask', { taskId: result.id })).toEqual(result);
  });

  it('SendMessage has a task as its answer also where the agent would say no more than a message (S2.2)', async () => {
    const task = await (await pinned()).call('SendMessage', message('greet'));
    expect(task).toMatchObject({ id: expect.any(String), status: { state: 'completed', message: { role: 'agent' } } });
  });

  it('have states in the draft’s spelling (S2.4)', async () => {
    const peer = await pinned();
    expect((await peer.call('SendMessage', message('ask'))).status.state).toBe('input-required');
    expect((await peer.call('SendMessage', message('refuse'))).status.state).toBe('rejected');
    const { id } = await peer.call('SendMessage', { ...message('hang'), configuration: { blocking: false } });
    expect((await peer.call('CancelTask', { id })).status.state).toBe('cancelled');
    expect(await peer.error('CancelTask', { id })).toMatchObject({ code: -32002, data: { state: 'cancelled' } });
  });

  it('go on with a task that asked, in the client’s context (S2.8)', async () => {
    const peer = await pinned();
    const asked = await peer.call('SendMessage', message('ask', { contextId: 'ctx-of-mine' }));
    expect(asked.contextId).toBe('ctx-of-mine');
    const answered = await peer.call('SendMessage', message('this one', { taskId: asked.id }));
    expect(answered).toMatchObject({ id: asked.id, contextId: 'ctx-of-mine', status: { state: 'completed' } });
    const other = await peer.call('SendMessage', message('new'));
    expect(other.contextId).toMatch(/.{8}/);
    expect(other.contextId).not.toBe('ctx-of-mine');
  });

  it('carry every kind of part there and back (S2.3)', async () => {
    const parts = [
      {
        file: {
          fileWithUri: { uri: 'https://files.example/a.pdf', mimeType: 'application/pdf' },
          mediaType: 'application/pdf',
        },
      },
      { file: { fileWithBytes: { bytes: 'aGVsbG8=', mimeType: 'text/plain' }, mediaType: 'text/plain' } },
      { data: { data: [1, null, { deep: true }] } },
      { data: { data: null }, metadata: { why: 'nothing' } },
    ];
    const peer = await pinned(talkerOf({ inputModes: ['text', 'file'] }));
    const task = await peer.call('SendMessage', { message: { ...MESSAGE, parts: [{ text: 'parts' }, ...parts] } });
    expect(task.artifacts[0].parts).toEqual(parts);
    expect(task.history[0].parts).toEqual([{ text: 'parts' }, ...parts]);
  });

  it('refuse parts that are two things or none, and say which (S2.3) (S2.5)', async () => {
    const peer = await pinned();
    const parts = [{ text: 'a' }, { text: 'b', data: { data: 1 } }, {}];
    const error = await peer.error('SendMessage', { message: { ...MESSAGE, parts } });
    expect(error.code).toBe(-32602);
    expect(error.message).toContain('message.parts[1] must have exactly one of text, file, data');
    expect(error.data.fieldViolations.map(({ field }: Wire) => field)).toEqual([
      'message.parts[1]',
      'message.parts[2]',
    ]);
  });

  it('that are unknown are told with the names that there are', async () => {
    const error = await (await pinned()).error('message/send', { message: MESSAGE });
    expect(error).toMatchObject({ code: -32601, message: expect.stringContaining('SetTaskPushNotificationConfig') });
  });

  it('about push notifications are known by name, and refused while push is off (S2.2) (S2.11)', async () => {
    const peer = await pinned(talker, { push: false });
    const config = { taskId: 'abc', pushNotificationConfig: { url: 'https://hook.example' } };
    const methods = ['Set', 'Create', 'Get', 'Delete'].map((verb) => `${verb}TaskPushNotificationConfig`);
    for (const method of [...methods, 'ListTaskPushNotificationConfigs']) {
      expect(await peer.error(method, config)).toMatchObject({ code: -32003 });
    }
  });

  it('about a card that is not there are refused (S2.5)', async () => {
    for (const agent of [talker, agentOf(() => 'hi', { extendedCard: true })]) {
      expect(await (await pinned(agent)).error('GetExtendedAgentCard')).toMatchObject({ code: -32007 });
    }
  });

  it('about no task are told so (S2.5)', async () => {
    const peer = await pinned();
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask', 'Resubscribe']) {
      expect(await peer.error(method, { id: 'none' })).toMatchObject({ code: -32001, message: 'Task not found' });
    }
  });
});

describe('headers of the draft (S2.6)', () => {
  it('name a version that is checked, and answers name theirs', async () => {
    const peer = await pinned();
    for (const version of ['', '1.0', '1.0.0']) {
      const response = await peer.request('SendMessage', { message: MESSAGE }, { 'a2a-version': version });
      expect(response.headers.get('a2a-protocol-version')).toBe('1.0');
      expect(((await response.json()) as Wire).result.status.state).toBe('completed');
    }
    for (const version of ['2.0', '0.3', 'latest']) {
      const response = await peer.request('SendMessage', { message: MESSAGE }, { 'a2a-version': version });
      expect(((await response.json()) as Wire).error).toMatchObject({
        code: -32009,
        message: expect.stringContaining('1.0'),
      });
    }
    const stream = await peer.at('/a2a/stream').open('SendMessage', { message: MESSAGE });
    expect(stream.response.headers.get('a2a-protocol-version')).toBe('1.0');
    await stream.close();
    expect(
      await peer.at('/a2a/stream').error('SendMessage', { message: MESSAGE }, { 'a2a-version': '2.0' }),
    ).toMatchObject({
      code: -32009,
    });
  });

  it('enable extensions, and a required one that is missing is named in lists (S2.10)', async () => {
    const required = 'https://a2a.io/extensions/required-ext';
    const optional = 'https://a2a.io/extensions/streaming-artifacts';
    const extensions = [{ uri: required, required: true }, { uri: optional }];
    const peer = await pinned(agentOf(() => 'done', { extensions }));
    expect(await peer.error('SendMessage', { message: MESSAGE })).toEqual({
      code: -32008,
      message: 'Extension support required',
      data: { required: [required], provided: [] },
    });
    const named = { 'a2a-extensions': `${optional}, https://example.com/my-ext` };
    const error = await peer.at('/a2a/stream').error('SendMessage', { message: MESSAGE }, named);
    expect(error.data).toEqual({ required: [required], provided: [optional, 'https://example.com/my-ext'] });
    const response = await peer.request(
      'SendMessage',
      { message: MESSAGE },
      { 'a2a-extensions': `${optional}, ${required}` },
    );
    expect(response.headers.get('a2a-extensions')).toBe(`${required}, ${optional}`);
    expect(((await response.json()) as Wire).result.status.state).toBe('completed');
  });
});

describe('references of the draft (S2.8)', () => {
  it('are tasks of the same context', async () => {
    const peer = await pinned();
    const first = await peer.call('SendMessage', message('one', { contextId: 'ctx-1' }));
    const other = await peer.call('SendMessage', message('two', { contextId: 'ctx-2' }));
    const refer = (more: object) => peer.respond('SendMessage', message('three', more));
    const referenceTaskIds = [first.id];
    expect((await refer({ contextId: 'ctx-1', referenceTaskIds })).result.status.state).toBe('completed');
    const partly = await refer({ contextId: 'ctx-1', referenceTaskIds: [first.id, 'unknown'] });
    expect(partly.result.status.state).toBe('completed');
    for (const contextId of ['ctx-2', undefined]) {
      expect((await refer({ contextId, referenceTaskIds })).error).toMatchObject({
        code: -32602,
        message: 'Referenced task does not belong to this context',
        data: { fieldViolations: [{ field: 'message.referenceTaskIds[0]' }] },
      });
    }
    const both = await refer({ contextId: 'ctx-1', referenceTaskIds: [first.id, other.id] });
    expect(both.error.data.fieldViolations[0].field).toBe('message.referenceTaskIds[1]');
  });

  it('of a message to a task are of that task’s context', async () => {
    const peer = await pinned();
    const first = await peer.call('SendMessage', message('one', { contextId: 'ctx-1' }));
    const asked = await peer.call('SendMessage', message('ask', { contextId: 'ctx-1' }));
    const answer = message('this', { taskId: asked.id, referenceTaskIds: [first.id] });
    expect((await peer.call('SendMessage', answer)).status.state).toBe('completed');
  });

  it('may be any task elsewhere', async () => {
    const { server } = startServer(talker);
    const peer = await listening(server);
    const first = await peer.call('SendMessage', message('one', { contextId: 'ctx-1' }), NO_VERSION);
    const role = 'ROLE_USER';
    const more = { role, contextId: 'ctx-2', referenceTaskIds: [first.id] };
    expect((await peer.call('SendMessage', message('two', more))).task.contextId).toBe('ctx-2');
  });
});

describe('the draft where no mount says so [rule:version.detect-draft]', () => {
  it('is told by its role, its names and its lists, and is one server with the others (S2.2)', async () => {
    const { server } = startServer(talker);
    const peer = await listening(server);
    const spoken = async (method: string, params: object) => {
      const response = await peer.request(method, params, { ...NO_VERSION, 'x-parley-debug': '1' });
      const dialect = response.headers.get('x-parley-dialect')?.split(';')[0];
      return { dialect, body: (await response.json()) as Wire };
    };
    const sent = await spoken('SendMessage', { message: MESSAGE });
    expect(sent.dialect).toBe('v1_draft');
    const { id } = sent.body.result;
    expect((await spoken('GetTask', { taskId: id })).body.result).toEqual(sent.body.result);
    expect((await spoken('ListTasks', { limit: 5 })).body.result.tasks).toEqual([sent.body.result]);
    expect((await spoken('Resubscribe', { id })).dialect).toBe('v1_draft');
    const official = await spoken('GetTask', { id });
    expect(official).toMatchObject({
      dialect: 'v1_0',
      body: { result: { status: { state: 'TASK_STATE_COMPLETED' } } },
    });
  });

  it('needs a mount where nothing is guessed', async () => {
    const { server } = startServer(talker, { inferVersion: false });
    const peer = await listening(server);
    expect(await peer.error('SendMessage', { message: MESSAGE }, NO_VERSION)).toMatchObject({ code: -32009 });
    const frames = await peer.at('/a2a/stream').stream('SendMessage', { message: MESSAGE }, NO_VERSION);
    expect(frames.at(-1)?.result).toMatchObject({ status: { state: 'completed' }, final: true });
  });

  it('is spoken by the agent of its mount, also where it streams', async () => {
    const other = agentOf(() => 'I am the other one', { name: 'other' });
    const server = new A2AServer({
      agents: [talker, other],
      mounts: [{ path: '/draft', dialect: 'v1_draft', agent: 'other' }],
    });
    onTestFinished(() => server.close());
    const peer = await listening(server);
    const task = await peer.at('/draft').call('SendMessage', { message: MESSAGE });
    expect(task.artifacts[0].parts).toEqual([{ text: 'I am the other one' }]);
    const frames = await peer.at('/draft/stream').stream('SendMessage', { message: MESSAGE });
    expect(frames.map(({ result }) => result.artifact?.parts[0].text).filter(Boolean)).toEqual(['I am the other one']);
  });

  it('streams below the address of every agent, where its card leads (S2.2)', async () => {
    const other = agentOf(() => 'I am the other one', { name: 'other' });
    const server = new A2AServer({ agents: [talker, other], mounts: [{ path: '/draft', dialect: 'v1_draft' }] });
    onTestFinished(() => server.close());
    const peer = await listening(server);
    for (const place of ['/draft', '/a2a']) {
      const frames = await peer
        .at(`${place}/agents/other/stream`)
        .stream('SendMessage', { message: MESSAGE }, NO_VERSION);
      expect(frames[0]?.result).toMatchObject({ taskId: expect.any(String), status: { state: 'submitted' } });
      expect(frames.map(({ result }) => result.artifact?.parts[0].text).filter(Boolean)).toEqual([
        'I am the other one',
      ]);
    }
    const nobody = await peer.at('/draft/agents/nobody/stream').error('SendMessage', { message: MESSAGE });
    expect(nobody.message).toContain('There is: ');
    expect((await fetch(`${server.url}/api/a2a/agents/other/stream`, { method: 'POST' })).status).toBe(404);
  });
});
