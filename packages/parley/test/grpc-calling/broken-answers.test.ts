import { createServer as createHttp } from 'node:http';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { A2AClient } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';

/** A task of the id t-1, in the context c-1, that has completed. */
const TASK = Buffer.from('0a03742d311203632d311a020803', 'hex');
const IS_PACKED = 1;

function messageOf(bytes: Uint8Array, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Ends a call with OK behind these bytes, however little sense they make. */
function answers(bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}) {
  return (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...headers }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(bytes);
  };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client of a server that speaks HTTP/2 by itself. */
async function clientOf(answer: (stream: ServerHttp2Stream) => void): Promise<A2AClient> {
  const server = createServer();
  server.on('stream', (stream) => answer(stream.on('error', () => {})));
  server.on('session', (session) => onTestFinished(() => session.destroy()));
  const url = await listening(server);
  const card = {
    name: 'broken',
    description: 'Answers with broken messages',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  const http = createHttp((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(card));
  });
  return A2AClient.connect(`http://${await listening(http)}`);
}

const drain = async (events: AsyncIterable<unknown>) => {
  for await (const _ of events);
};

describe('an answer over gRPC', () => {
  it('that is packed as the server says is read', async () => {
    const packed = messageOf(gzipSync(TASK), IS_PACKED);
    const agent = await clientOf(answers(packed, { 'grpc-encoding': 'gzip' }));
    expect(await agent.getTask('t-1')).toMatchObject({ id: 't-1', status: { state: 'completed' } });
  });

  it.each<[string, Uint8Array, Readonly<Record<string, string>>]>([
    ['packed, though the server does not say how', messageOf(gzipSync(TASK), IS_PACKED), {}],
    ['packed in a way that nobody knows', messageOf(TASK, IS_PACKED), { 'grpc-encoding': 'br' }],
    ['packed in another way than the server says', messageOf(TASK, IS_PACKED), { 'grpc-encoding': 'gzip' }],
  ])('that is %s is no A2A, and no fault of the client', async (_, bytes, headers) => {
    const agent = await clientOf(answers(bytes, headers));
    await expect(agent.getTask('t-1')).rejects.toMatchObject({ name: 'A2AError', code: 'INVALID_RESPONSE' });
    await expect(drain(agent.sendMessageStream('Hi'))).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });

  it.each([
    ['has no message', new Uint8Array()],
    ['ends within its message', messageOf(TASK).subarray(0, 9)],
  ])('that %s is no A2A, and not one that the server does not support', async (_, bytes) => {
    const agent = await clientOf(answers(bytes));
    await expect(agent.getTask('t-1')).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });
});
