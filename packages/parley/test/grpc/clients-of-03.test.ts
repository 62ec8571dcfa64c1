import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { custom } from '../../src/auth.ts';
import { A2AClient, A2AServer, defineAgent, reply } from '../../src/index.ts';
import { RawClient } from './support/raw-client.ts';

const greeter = defineAgent({ name: 'greeter', description: 'Greets', version: '1.0.0', run: () => reply('Hello') });
const writer = defineAgent({
  name: 'writer',
  description: 'Writes',
  version: '1.0.0',
  async *run() {
    yield 'done';
  },
});

const OLD = { version: '0.3' } as const;
const NAMED = { ...OLD, metadata: { 'parley-agent': 'writer' } };
const message = { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hello' }] };

let server: A2AServer;

beforeAll(async () => {
  server = new A2AServer({ agents: [greeter, writer], drainTimeout: 0, grpc: { port: 0 } });
  await server.listen({ port: 0 });
});

afterAll(() => server.close());

it('streams a reply as the message that it is, though the client leaves out whether it waits', async () => {
  const client = new RawClient(server.grpcAddress);
  for (const configuration of [undefined, {}, { acceptedOutputModes: ['text/plain'] }]) {
    const { messages } = await client.stream('sendStreamingMessage', { message, configuration }, OLD);
    expect(messages).toMatchObject([{ message: { content: [{ text: 'Hello' }] } }]);
  }
});

it('calls the default agent where the metadata that name another one are empty', async () => {
  const client = new RawClient(server.grpcAddress);
  const sent = { message, configuration: { blocking: true } };
  const unnamed = { ...OLD, metadata: { 'parley-agent': '' } };
  expect(await client.unary('sendMessage', sent, unnamed)).toMatchObject({ message: { content: [{ text: 'Hello' }] } });
});

// SDKs of 0.3 know errors by these codes, or by their names before the text (reference: v03 §5).
it('has its own code for a task that cannot be canceled, another for what is not supported, and names before the text', async () => {
  const client = new RawClient(server.grpcAddress);
  const sent = { message, configuration: { blocking: true } };
  const { task } = (await client.unary('sendMessage', sent, NAMED)) as { task: { id: string; contextId: string } };
  const cancel = client.unary('cancelTask', { name: `tasks/${task.id}` }, NAMED);
  await expect(cancel).rejects.toMatchObject({ code: 9, message: expect.stringMatching(/^TaskNotCancelableError: T/) });
  const more = { message: { ...message, messageId: 'm-2', taskId: task.id, contextId: task.contextId } };
  await expect(client.unary('sendMessage', more, NAMED)).rejects.toMatchObject({ code: 12 });
  const connected = await A2AClient.connect(server.url ?? '', { prefer: { version: '0.3', binding: 'GRPC' } });
  // The name is for programs: ours knows the error by its details too, and shows the text alone.
  const unknown = { code: 'TASK_NOT_FOUND', message: 'Task not found' };
  await expect(connected.getTask('unknown')).rejects.toMatchObject(unknown);
});

// 0.3 has no names for them, and that of an internal error would hide them.
it('tells by the status who is not let in and what a limit refused', async () => {
  const auth = custom(async ({ token }) => (token === 'good' ? { subject: 'ann' } : undefined), {
    scheme: { type: 'http', scheme: 'bearer' },
  });
  const limits = { rate: { requests: 1, window: 600_000 } };
  const log = { error: () => {}, warn: () => {} };
  const guarded = new A2AServer({ agents: [writer], drainTimeout: 0, grpc: { port: 0 }, auth: [auth], limits, log });
  await guarded.listen({ port: 0 });
  onTestFinished(() => guarded.close());
  const client = new RawClient(guarded.grpcAddress);
  const get = (token: string) =>
    client.unary('getTask', { name: 'tasks/t-1' }, { ...OLD, metadata: { authorization: `Bearer ${token}` } });
  await expect(get('bad')).rejects.toMatchObject({ code: 16, message: 'The credentials are not valid' });
  await expect(get('good')).rejects.toMatchObject({ code: 5, message: 'TaskNotFoundError: Task not found' });
  await expect(get('good')).rejects.toMatchObject({ code: 8, message: expect.stringMatching(/^Too many requests/) });
  const stranger = await A2AClient.connect(guarded.url ?? '', { prefer: { version: '0.3', binding: 'GRPC' } });
  await expect(stranger.getTask('t-1')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

it('knows who is not let in where a server names an internal error beside the status', async () => {
  const { client } = await peerThatFails('GetTask', { code: 7, details: 'InternalError: Not for you' });
  await expect(client.getTask('t-1')).rejects.toMatchObject({ code: 'PERMISSION_DENIED', message: 'Not for you' });
  const { client: other } = await peerThatFails('GetTask', { code: 13, details: 'InternalError: Broken' });
  await expect(other.getTask('t-1')).rejects.toMatchObject({ code: 'INTERNAL', message: 'Broken' });
});

it('knows by that code that a task cannot be canceled, where the server tells no more', async () => {
  const { client } = await peerThatFails('CancelTask', { code: 9, details: 'it is over' });
  await expect(client.cancelTask('t-1')).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE', message: 'it is over' });
});

/** A client of a server of others that ends every call of a method with this status. */
async function peerThatFails(method: string, status: { readonly code: number; readonly details: string }) {
  const peer = new Server();
  const asIs = (bytes: Buffer) => bytes;
  const fail = (_: unknown, respond: (error: object) => void) => respond(status);
  peer.register(`/a2a.v1.A2AService/${method}`, fail, asIs, asIs, 'unary');
  const port = await new Promise<number>((resolve, reject) => {
    const bound = (error: Error | null, found: number) => (error ? reject(error) : resolve(found));
    peer.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), bound);
  });
  onTestFinished(() => peer.forceShutdown());
  const client = await A2AClient.connect({
    name: 'peer',
    description: 'A peer',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url: `127.0.0.1:${port}`,
    preferredTransport: 'GRPC',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  } as never);
  return { client };
}
