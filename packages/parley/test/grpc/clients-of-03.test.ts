import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
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

it('knows by that code that a task cannot be canceled, where the server tells no more', async () => {
  const peer = new Server();
  const asIs = (bytes: Buffer) => bytes;
  peer.register(
    '/a2a.v1.A2AService/CancelTask',
    (_: unknown, respond: (error: object) => void) => respond({ code: 9, details: 'it is over' }),
    asIs,
    asIs,
    'unary',
  );
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
  await expect(client.cancelTask('t-1')).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE', message: 'it is over' });
});
