import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { expect, it, onTestFinished } from 'vitest';
import { writeMessage } from '../../src/bindings/grpc/codec/write.ts';
import { HealthCheckRequestSchema } from '../../src/bindings/grpc/gen/grpc/health/v1/health_pb.ts';
import { ServerReflectionRequestSchema } from '../../src/bindings/grpc/gen/grpc/reflection/v1/reflection_pb.ts';
import { CORE } from '../../src/server/core/hosted.ts';
import { failed, message, rawCall, rawSession, started } from './support/flooding.ts';
import { type Json, RawClient, rpcOf } from './support/raw-client.ts';

it('refuses messages beyond the limits of bodies', async () => {
  const { client, server } = await started({ limits: { bodyBytes: 100_000, depth: 20, values: 500 } });
  const large = await failed(client.unary('sendMessage', message('x'.repeat(200_000))));
  const tooLarge = { code: 8, message: 'The body is larger than the 100000 bytes that are allowed' };
  expect(large).toMatchObject(tooLarge);
  // Small on the wire, and large once it is decompressed.
  const gzip = { 'grpc.default_compression_algorithm': 2 };
  const packing = new RawClient(server.grpcAddress, undefined, gzip);
  expect(await failed(packing.unary('sendMessage', message('x'.repeat(2_000_000))))).toMatchObject(tooLarge);
  expect(await packing.unary('sendMessage', message('hello'))).toMatchObject({});
  let data: unknown = 1;
  for (let level = 0; level < 50; level += 1) data = [data];
  const deep = await failed(client.unary('sendMessage', { message: { parts: [{ data }] } }));
  expect(deep).toMatchObject({ code: 3, message: expect.stringContaining('nested deeper than 20') });
  const many = await failed(client.unary('sendMessage', { message: { extensions: Array<string>(600).fill('') } }));
  expect(many).toMatchObject({ code: 8 });
  await client.unary('listTasks', {});
});

it('holds no more of messages than bodies may have together, however small they are on the wire', async () => {
  const { server } = await started({ limits: { bodiesBytes: 4_000_000 } });
  const bomb = gzipSync(Buffer.alloc(3_000_000));
  const head = Buffer.from([1, 0, 0, 0, 0]);
  head.writeUInt32BE(bomb.length, 1);
  const session = await rawSession(server);
  const send = (path: string) => rawCall(session, path, Buffer.concat([head, bomb]), { 'grpc-encoding': 'gzip' });
  // Garbage is read only where there is room for it.
  const ends = await Promise.all(Array.from({ length: 20 }, () => send(rpcOf('sendMessage').path)));
  const statuses = ends.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(['3', '14']));
  expect(statuses.filter((status) => status === '3').length).toBeLessThan(3);
  expect((await send('/grpc.health.v1.Health/Check')).status).toBe('8');
  expect((await send(rpcOf('sendMessage').path)).status).toBe('3');
});

it('fits the details of many faults into trailers', async () => {
  const { client } = await started();
  const parts = Array.from({ length: 900 }, () => ({}));
  const error = await failed(
    client.unary('sendMessage', { message: { messageId: 'ü\ud800', role: 'ROLE_USER', parts } }),
  );
  expect(error).toMatchObject({ code: 3 });
  expect(error.details.find((each: Json) => each['@type'] === 'BadRequest').fieldViolations.length).toBeLessThanOrEqual(
    10,
  );
});

it('gives a status for hostile bytes, and goes on', async () => {
  const { client, server } = await started();
  const rpc = rpcOf('sendMessage');
  const good = Buffer.from(writeMessage(rpc.request, message('hello')));
  const hostile = [
    Buffer.from([0x12, 0x7f]),
    Buffer.from([0x10, 0x01]),
    Buffer.from([0x0a, 0x02, 0xc3, 0x28]),
    good.subarray(0, 7),
  ];
  for (const bytes of hostile) expect(await failed(client.bytes(rpc.path, bytes))).toMatchObject({ code: 3 });
  expect(await failed(client.bytes('/lf.a2a.v1.A2AService/Nothing', good))).toMatchObject({ code: 12 });
  const frame = (length: number, bytes: Buffer, flag = 0) => {
    const head = Buffer.alloc(5);
    head[0] = flag;
    head.writeUInt32BE(length, 1);
    return Buffer.concat([head, bytes]);
  };
  const session = await rawSession(server);
  // A length of 4 GB, a message that breaks off, no message, garbage that says it is packed, a packing that nobody knows.
  expect((await rawCall(session, rpc.path, frame(0xffff_ffff, good))).status).toBe('8');
  expect((await rawCall(session, rpc.path, frame(good.length + 10, good))).status).toBe('3');
  expect((await rawCall(session, rpc.path, Buffer.alloc(0))).status).toBe('3');
  expect((await rawCall(session, rpc.path, frame(good.length, good, 1), { 'grpc-encoding': 'gzip' })).status).toBe(
    '13',
  );
  expect((await rawCall(session, rpc.path, frame(good.length, good, 1), { 'grpc-encoding': 'nonsense' })).status).toBe(
    '12',
  );
  expect((await rawCall(session, rpc.path, frame(good.length, good), { 'grpc-timeout': 'never' })).status).toBe('13');
  expect((await rawCall(session, '/%ff/\u00e4', frame(good.length, good))).status).toBe('12');
  // Two messages where one is meant: the first counts.
  const twice = Buffer.concat([frame(good.length, good), frame(good.length, good)]);
  expect((await rawCall(session, rpc.path, twice)).status).toBe('0');
  expect((await rawCall(session, rpc.path, frame(good.length, good), { 'content-type': 'text/plain' })).http).toBe(415);
  expect(await client.unary('sendMessage', message('still here'))).toHaveProperty('task');
});

it('reads no further in the log than its client reads in the stream, and cuts a client that does not read at all', async () => {
  const { client, server } = await started({ limits: { stallTimeout: 1000 } });
  const rpc = rpcOf('sendStreamingMessage');
  const bytes = Buffer.from(writeMessage(rpc.request, message('x 3000 4096')));
  const session = await rawSession(server);
  const reader = session.request({
    ':method': 'POST',
    ':path': rpc.path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  let status: unknown;
  reader.on('trailers', (trailers) => {
    status = trailers['grpc-status'];
  });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  reader.end(Buffer.concat([head, bytes]));
  await expect
    .poll(() => client.unary('listTasks', {}))
    .toMatchObject({
      tasks: [{ status: { state: 'TASK_STATE_COMPLETED' } }],
    });
  // Nobody has read one byte. The server gives the reader up after its time, with most of the log unread.
  await expect.poll(() => server.load.subscriptions).toBe(0);
  let received = 0;
  reader.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  await new Promise((resolve) => reader.once('close', resolve));
  expect(received).toBeLessThan(2 * 1024 * 1024);
  // The status comes behind what was written before; a client that begins too late to read finds its stream closed.
  if (reader.rstCode !== constants.NGHTTP2_CANCEL) expect(String(status)).toBe('14');
});

it('bounds what long responses hold whose clients do not read, and gives those who read all of it', async () => {
  const { client, server } = await started({ limits: { responsesBytes: 1_000_000 } });
  await client.unary('sendMessage', message('x 1 300000'));
  const session = connectHttp2(`http://${server.grpcAddress}`, { settings: { initialWindowSize: 0 } });
  onTestFinished(() => session.destroy());
  const body = Buffer.from([0, 0, 0, 0, 2, 0x40, 1]);
  const headers = { ':method': 'POST', ':path': rpcOf('listTasks').path, 'content-type': 'application/grpc' };
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const stream = session.request({ ...headers, te: 'trailers' });
      stream.on('error', () => {});
      stream.end(body);
      const [response] = (await once(stream, 'response')) as [Readonly<Record<string, unknown>>];
      return response['grpc-status'];
    }),
  );
  expect(statuses.filter((status) => status === '14')).toHaveLength(7);
  expect(server[CORE].responses.size).toBeGreaterThan(900_000);
  session.destroy();
  await expect.poll(() => server[CORE].responses.size).toBe(0);
  const page = await client.unary('listTasks', { includeArtifacts: true });
  expect(JSON.stringify(page).length).toBeGreaterThan(300_000);
  expect(server[CORE].responses.size).toBe(0);
});

it('reads no more of requests for health and reflection than a name needs, and lets a thousand clients watch', async () => {
  const { client, server } = await started();
  const large = toBinary(
    HealthCheckRequestSchema,
    create(HealthCheckRequestSchema, { service: 'x'.repeat(5_000_000) }),
  );
  for (const method of ['Check', 'Watch']) {
    expect(await failed(client.bytes(`/grpc.health.v1.Health/${method}`, large))).toMatchObject({
      code: 8,
      message: expect.stringContaining('65536 bytes'),
    });
  }
  const asked = create(ServerReflectionRequestSchema, {
    messageRequest: { case: 'fileContainingSymbol', value: 'x'.repeat(5_000_000) },
  });
  const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
  const refused = await failed(client.bytes(path, toBinary(ServerReflectionRequestSchema, asked)));
  expect(refused).toMatchObject({ code: 8 });
  const crowd = await rawSession(server);
  const headers = { ':method': 'POST', ':path': '/grpc.health.v1.Health/Watch', 'content-type': 'application/grpc' };
  const watched = Array.from({ length: 1000 }, async () => {
    const stream = crowd.request({ ...headers, te: 'trailers' });
    stream.end(Buffer.alloc(5));
    await once(stream, 'response');
  });
  await Promise.all(watched);
  const late = await rawCall(await rawSession(server), '/grpc.health.v1.Health/Watch', Buffer.alloc(5));
  expect(late.status).toBe('8');
  expect(await client.unary('sendMessage', message('still here'))).toHaveProperty('task');
});
