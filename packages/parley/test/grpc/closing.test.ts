import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { expect, it, onTestFinished } from 'vitest';
import { writeMessage } from '../../src/bindings/grpc/codec/write.ts';
import { A2AServer, defineAgent, reply } from '../../src/index.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { rpcOf } from './support/raw-client.ts';

const greeter = defineAgent({ name: 'greeter', description: 'Greets', version: '1.0.0', run: () => reply('Hello') });

const SHORT = 400;
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const HEALTH = '/grpc.health.v1.Health';
const NOTHING = Buffer.alloc(0);

async function started(limits: { bodyTimeout?: number; stallTimeout?: number }): Promise<A2AServer> {
  const patient = { bodyTimeout: PATIENCE_MS, stallTimeout: PATIENCE_MS };
  const server = new A2AServer({
    agents: [greeter],
    drainTimeout: 0,
    grpc: { port: 0 },
    limits: { ...patient, ...limits },
  });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  return server;
}

function sessionOf(server: A2AServer, settings = {}): ClientHttp2Session {
  const session = connect(`http://${server.grpcAddress}`, { settings });
  onTestFinished(() => session.destroy());
  return session;
}

function frame(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** A call that the client leaves open on its own side. */
function opened(session: ClientHttp2Session, path: string, body: Buffer): ClientHttp2Stream {
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
  const stream = session.request(headers, { endStream: false });
  stream.on('error', () => {});
  if (body.length > 0) stream.write(body);
  return stream;
}

async function statusOf(stream: ClientHttp2Stream): Promise<string> {
  stream.resume();
  const told = [once(stream, 'response'), once(stream, 'trailers')].map(async (event) => {
    const [headers] = await event;
    return headers['grpc-status'] ?? new Promise<never>(() => {});
  });
  return String(await Promise.race(told));
}

it('ends calls of health and reflection that ask for nothing, and no client that watches', async () => {
  const session = sessionOf(await started({ bodyTimeout: SHORT }));
  const watch = opened(session, `${HEALTH}/Watch`, frame(NOTHING));
  await once(watch, 'data');
  watch.resume();
  for (const path of [REFLECTION, `${HEALTH}/Check`, `${HEALTH}/List`, `${HEALTH}/Watch`]) {
    expect([path, await statusOf(opened(session, path, NOTHING))]).toEqual([path, '14']);
  }
  // Bytes that are no whole request are none, and neither is one request for ever.
  expect(await statusOf(opened(session, REFLECTION, frame(Buffer.from([0x3a, 0])).subarray(0, 6)))).toBe('14');
  const listed = opened(session, REFLECTION, frame(Buffer.from([0x3a, 0])));
  const [first] = await once(listed, 'data');
  expect(String(first)).toContain('lf.a2a.v1.A2AService');
  expect(await statusOf(listed)).toBe('14');
  expect([watch.closed, watch.readableEnded]).toEqual([false, false]);
});

it('closes streams whose clients never end their requests, once these have their responses', async () => {
  const server = await started({ stallTimeout: SHORT });
  const session = sessionOf(server);
  const { path, request } = rpcOf('sendMessage');
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
  const calls = [
    { name: 'good', path, body: frame(writeMessage(request, { message })), status: '0' },
    { name: 'malformed', path, body: frame(Buffer.from([0xff])), status: '3' },
    { name: 'too large', path, body: Buffer.from([0, 0xff, 0xff, 0xff, 0xff]), status: '8' },
    { name: 'health', path: `${HEALTH}/Check`, body: frame(NOTHING), status: '0' },
    { name: 'malformed health', path: `${HEALTH}/Check`, body: frame(Buffer.from([0xff])), status: '3' },
    { name: 'malformed reflection', path: REFLECTION, body: frame(Buffer.from([0xff])), status: '3' },
  ];
  for (const { name, path: called, body, status } of calls) {
    const stream = opened(session, called, body);
    const closed = once(stream, 'close');
    expect([name, await statusOf(stream)]).toEqual([name, status]);
    await closed;
  }
});

it('closes streams whose clients do not read a short response', async () => {
  const server = await started({ stallTimeout: SHORT });
  const session = sessionOf(server, { initialWindowSize: 0 });
  const stream = opened(session, rpcOf('listTasks').path, frame(NOTHING));
  stream.end();
  await once(stream, 'close');
  expect(stream.rstCode).toBe(8);
});
