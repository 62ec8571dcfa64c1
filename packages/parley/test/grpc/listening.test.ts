import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { expect, it, onTestFinished } from 'vitest';
import { mtls } from '../../src/auth.ts';
import { A2AServer, defineAgent } from '../../src/index.ts';
import { RawClient } from './support/raw-client.ts';

const TLS = join(import.meta.dirname, '../auth/support/tls');

const message = (text: string) => ({ message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] } });

const whoami = defineAgent({
  name: 'whoami',
  description: 'Tells who calls, or waits',
  version: '1.0.0',
  async run(task) {
    if (task.text === 'wait') await new Promise((_, reject) => task.signal.addEventListener('abort', reject));
    return task.user.subject;
  },
});

it('serves TLS, and knows callers by their certificates', async () => {
  const file = (name: string) => readFileSync(join(TLS, name));
  const tls = { cert: file('server.pem'), key: file('server.key'), ca: file('ca.pem') };
  const server = new A2AServer({ agents: [whoami], auth: mtls(), drainTimeout: 0, grpc: { port: 0 } });
  await server.listen({ port: 0, tls });
  onTestFinished(() => server.close());
  const named = { 'grpc.ssl_target_name_override': 'localhost' };
  const known = credentials.createSsl(file('ca.pem'), file('alice.key'), file('alice.pem'));
  const alice = new RawClient(server.grpcAddress, known, named);
  expect(JSON.stringify(await alice.unary('sendMessage', message('who')))).toContain('alice');
  const stranger = new RawClient(server.grpcAddress, credentials.createSsl(file('ca.pem')), named);
  const error = await stranger.unary('listTasks', {}).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 16 });
});

it('ends streams when it stops, so that their clients come back', async () => {
  const server = new A2AServer({
    agents: [whoami],
    drainTimeout: 0,
    grpc: { port: 0 },
    log: { error: () => {}, warn: () => {} },
  });
  await server.listen({ port: 0 });
  const client = new RawClient(server.grpcAddress);
  const call = client.open('sendStreamingMessage', message('wait'));
  const ended = new Promise<number>((resolve) => {
    call.once('error', ({ code }: Error & { code?: number }) => resolve(code ?? -1));
    call.once('end', () => resolve(0));
  });
  await new Promise((resolve) => call.once('data', resolve));
  call.resume();
  await server.close();
  // The run was ended by the stop, and its stream says so; or the stream was ended before it could.
  expect([0, 14]).toContain(await ended);
  expect(server.grpcAddress).toBeUndefined();
});

it('says which port is taken, and leaves nothing open', async () => {
  const first = new A2AServer({ agents: [whoami], drainTimeout: 0, grpc: { port: 0 } });
  await first.listen({ port: 0 });
  onTestFinished(() => first.close());
  const port = Number(first.grpcAddress?.split(':').at(-1));
  const second = new A2AServer({ agents: [whoami], drainTimeout: 0, grpc: { port } });
  await expect(second.listen({ port: 0 })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken by another program (grpc.port)`,
  );
  expect(second.url).toBeUndefined();
  expect(() => new A2AServer({ agents: [whoami], grpc: { port: 1.5 } })).toThrow('grpc.port must be a whole number');
  const address = 'https://agents.example.com';
  expect(() => new A2AServer({ agents: [whoami], grpc: { port: 0, address } })).toThrow('without a scheme');
  const open = new A2AServer({ agents: [whoami], grpc: { port: 0, host: '0.0.0.0' } });
  await expect(open.listen({ port: 0 })).rejects.toThrow('has no auth');
});

it('opens one port, however often it is asked to open', async () => {
  const server = new A2AServer({ agents: [whoami], drainTimeout: 0, grpc: { port: 0 } });
  onTestFinished(() => server.close());
  await Promise.all([server.open(), server.open(), server.listen({ port: 0 })]);
  const { grpcAddress } = server;
  await server.open();
  expect(server.grpcAddress).toBe(grpcAddress);
  await server.close();
  expect(server.grpcAddress).toBeUndefined();
});
