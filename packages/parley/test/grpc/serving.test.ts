import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { A2AServer, defineAgent, reply } from '../../src/index.ts';
import { type Json, RawClient } from './support/raw-client.ts';

const RESUME = 'urn:parley:ext:resume:v1';

const words = defineAgent({
  name: 'words',
  description: 'Repeats word by word',
  version: '1.0.0',
  async *run(task) {
    if (task.text === 'ask') yield `You said ${await task.ask('What?')}`;
    else if (task.text === 'wait') await new Promise((_, reject) => task.signal.addEventListener('abort', reject));
    else for (const word of task.text.split(' ')) yield `${word} `;
  },
});

const greeter = defineAgent({ name: 'greeter', description: 'Greets', version: '1.0.0', run: () => reply('Hello') });

let server: A2AServer;

beforeAll(async () => {
  server = new A2AServer({ agents: [words, greeter], drainTimeout: 0, grpc: { port: 0 } });
  await server.listen({ port: 0 });
});

afterAll(() => server.close());

const connect = () => new RawClient(server.grpcAddress);

const message = (text: string, more: Json = {}) => ({
  message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }], ...more },
});

const old = { version: '0.3' } as const;
const oldMessage = (text: string, more: Json = {}) => ({
  message: { messageId: 'm-1', role: 'ROLE_USER', content: [{ text }] },
  ...more,
});

const kinds = (messages: readonly Json[]) => messages.map((each) => Object.keys(each)[0]);
const infoOf = ({ details }: { details: readonly Json[] }) => details.find((each) => each['@type'] === 'ErrorInfo');

describe('A2A 1.0 over gRPC', () => {
  it('sends, gets, lists and streams', async () => {
    const client = connect();
    const { task } = (await client.unary('sendMessage', message('one two'))) as { task: { id: string } };
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'one two ' }] }],
    });
    expect(await client.unary('getTask', { id: task.id, historyLength: 0 })).toMatchObject({ id: task.id });
    expect(await client.unary('listTasks', { pageSize: 10 })).toMatchObject({ pageSize: 10, nextPageToken: '' });
    const { messages } = await client.stream('sendStreamingMessage', message('a b c'));
    expect(kinds(messages)[0]).toBe('task');
    expect(messages.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  it('asks, and goes on with the answer', async () => {
    const client = connect();
    const { task } = (await client.unary('sendMessage', message('ask'))) as { task: { id: string; contextId: string } };
    expect(task).toMatchObject({ status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
    const { messages } = await client.stream('sendStreamingMessage', message('this', { taskId: task.id }));
    expect(JSON.stringify(messages)).toContain('You said this');
  });

  it('cancels, and tells errors by their reason [rule:errors.grpc-status] [rule:errors.info]', async () => {
    const client = connect();
    const send = { ...message('wait'), configuration: { returnImmediately: true } };
    const { task } = (await client.unary('sendMessage', send)) as { task: { id: string } };
    expect(await client.unary('cancelTask', { id: task.id })).toMatchObject({
      status: { state: 'TASK_STATE_CANCELED' },
    });
    const error = await client.unary('cancelTask', { id: task.id }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 9 });
    expect(infoOf(error)).toMatchObject({
      reason: 'TASK_NOT_CANCELABLE',
      domain: 'a2a-protocol.org',
      metadata: { taskId: task.id },
    });
    const missing = await client.unary('getTask', { id: 'nope' }).catch((thrown) => thrown);
    expect(missing).toMatchObject({ code: 5, message: 'Task not found' });
    expect(infoOf(missing)).toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  it('tells which fields are wrong', async () => {
    const error = await connect()
      .unary('sendMessage', { message: { messageId: 'm', role: 'ROLE_USER' } })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 3 });
    expect(error.details).toContainEqual(
      expect.objectContaining({
        '@type': 'BadRequest',
        fieldViolations: [expect.objectContaining({ field: 'message.parts' })],
      }),
    );
  });

  it('refuses a version that the service is not, and takes patch digits [rule:version.grpc-metadata]', async () => {
    const client = connect();
    const error = await client.unary('listTasks', {}, { metadata: { 'a2a-version': '0.3' } }).catch((thrown) => thrown);
    expect(infoOf(error)).toMatchObject({ reason: 'VERSION_NOT_SUPPORTED' });
    await client.unary('listTasks', {}, { metadata: { 'a2a-version': '1.0.3' } });
  });

  it('ends a stream with its status, also before the first message [rule:stream.grpc-error]', async () => {
    const error = await connect()
      .stream('subscribeToTask', { id: 'nope' })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 5, received: [] });
  });

  it('reaches other agents by the routing string of their cards, and by metadata', async () => {
    const card = (await (
      await fetch(`${server.url}/a2a/agents/greeter/.well-known/agent-card.json`, { headers: { 'a2a-version': '1.0' } })
    ).json()) as Json;
    const listed = (card.supportedInterfaces as Json[]).filter(({ protocolBinding }) => protocolBinding === 'GRPC');
    expect(listed).toEqual([
      { url: server.grpcAddress, protocolBinding: 'GRPC', protocolVersion: '1.0', tenant: 'agents/greeter' },
    ]);
    const client = connect();
    expect(await client.unary('sendMessage', { ...message('hi'), tenant: 'agents/greeter' })).toMatchObject({
      message: { parts: [{ text: 'Hello' }] },
    });
    expect(
      await client.unary('sendMessage', message('hi'), { metadata: { 'parley-agent': 'greeter' } }),
    ).toHaveProperty('message');
    const error = await client
      .unary('sendMessage', { ...message('hi'), tenant: 'agents/nobody' })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 5, message: expect.stringContaining('no agent "nobody"') });
  });

  it('names its positions where they are asked for, and goes on behind them', async () => {
    const client = connect();
    const metadata = { 'a2a-extensions': RESUME };
    const { messages, metadata: initial } = await client.stream('sendStreamingMessage', message('one two three four'), {
      metadata,
    });
    expect(initial.get('a2a-extensions')).toEqual([RESUME]);
    const events = messages.map((each) => Object.values(each)[0] as { metadata: Json; id?: string; taskId?: string });
    const seqs = events.map(({ metadata: noted }) => (noted[RESUME] as { seq: number }).seq);
    expect(seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))).toBe(true);
    const taskId = events[0]?.id as string;
    const rest = await client.stream(
      'subscribeToTask',
      { id: taskId },
      { metadata: { ...metadata, 'a2a-last-event-id': String(seqs[1]) } },
    );
    expect(rest.messages).toEqual(messages.slice(2));
  });

  it('joins a send by its idempotency key', async () => {
    const client = connect();
    const metadata = { 'idempotency-key': '"once"' };
    const first = await client.unary('sendMessage', message('same'), { metadata });
    expect(await client.unary('sendMessage', message('same'), { metadata })).toEqual(first);
    const error = await client.unary('sendMessage', message('other'), { metadata }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 3 });
  });

  it('keeps push configs', async () => {
    const client = connect();
    const { task } = (await client.unary('sendMessage', message('hook'))) as { task: { id: string } };
    const created = await client.unary('createPushConfig', {
      taskId: task.id,
      url: 'https://example.com/hook',
      id: 'c-1',
    });
    expect(created).toMatchObject({ id: 'c-1', taskId: task.id });
    expect(await client.unary('getPushConfig', { taskId: task.id, id: 'c-1' })).toMatchObject({
      url: 'https://example.com/hook',
    });
    expect(await client.unary('listPushConfigs', { taskId: task.id })).toMatchObject({ configs: [{ id: 'c-1' }] });
    expect(await client.unary('deletePushConfig', { taskId: task.id, id: 'c-1' })).toEqual({});
    expect(await client.unary('listPushConfigs', { taskId: task.id })).toEqual({});
  });
});

describe('A2A 0.3 over gRPC', () => {
  it('returns at once unless it is told to wait [rule:v03.blocking-grpc]', async () => {
    const client = connect();
    const { task } = (await client.unary('sendMessage', oldMessage('wait'), old)) as {
      task: { id: string; status: Json };
    };
    expect(task.status.state).not.toBe('TASK_STATE_COMPLETED');
    const canceled = await client.unary('cancelTask', { name: `tasks/${task.id}` }, old);
    expect(canceled).toMatchObject({ status: { state: 'TASK_STATE_CANCELLED' } });
    const waited = await client.unary('sendMessage', oldMessage('a b', { configuration: { blocking: true } }), old);
    expect(waited).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  it('streams, and brings a task that has ended to who subscribes', async () => {
    const client = connect();
    const { messages } = await client.stream('sendStreamingMessage', oldMessage('a b'), old);
    expect(messages.at(-1)).toMatchObject({ statusUpdate: { final: true } });
    const [{ task }] = messages as [{ task: { id: string } }];
    const { id } = task;
    const again = await client.stream('subscribeToTask', { name: `tasks/${id}` }, old);
    expect(again.messages).toMatchObject([{ task: { id, status: { state: 'TASK_STATE_COMPLETED' } } }]);
    expect(await client.unary('getTask', { name: `tasks/${id}` }, old)).toMatchObject({ id });
  });

  it('refuses names that are none, and lists no tasks', async () => {
    const client = connect();
    const error = await client.unary('getTask', { name: 'tasks' }, old).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 3, message: expect.stringContaining('name must be like tasks/{id}') });
    const odd = await client.unary('getTask', { name: 'tasks/ä/ö?#%' }, old).catch((thrown) => thrown);
    expect(odd).toMatchObject({ code: 5, details: [expect.objectContaining({ metadata: { taskId: 'ä/ö?#%' } })] });
    const unknown = await client.bytes('/a2a.v1.A2AService/ListTasks', new Uint8Array()).catch((thrown) => thrown);
    expect(unknown).toMatchObject({ code: 12 });
  });

  it('keeps push configs by their names', async () => {
    const client = connect();
    const { task } = (await client.unary(
      'sendMessage',
      oldMessage('x', { configuration: { blocking: true } }),
      old,
    )) as { task: { id: string } };
    const parent = `tasks/${task.id}`;
    const name = `${parent}/pushNotificationConfigs/c-1`;
    const config = { name, pushNotificationConfig: { url: 'https://example.com/hook' } };
    expect(await client.unary('createPushConfig', { parent, configId: 'c-1', config }, old)).toMatchObject({ name });
    expect(await client.unary('getPushConfig', { name }, old)).toMatchObject({ name });
    expect(await client.unary('listPushConfigs', { parent }, old)).toMatchObject({ configs: [{ name }] });
    await client.unary('deletePushConfig', { name }, old);
  });
});
