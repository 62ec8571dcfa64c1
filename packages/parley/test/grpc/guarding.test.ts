import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { expect, it, onTestFinished } from 'vitest';
import { writeMessage } from '../../src/bindings/grpc/codec/write.ts';
import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
} from '../../src/bindings/grpc/gen/grpc/health/v1/health_pb.ts';
import {
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from '../../src/bindings/grpc/gen/grpc/reflection/v1/reflection_pb.ts';
import { A2AServer, type A2AServerOptions, defineAgent } from '../../src/index.ts';
import { CORE } from '../../src/server/core/hosted.ts';
import { type Json, RawClient, rpcOf } from './support/raw-client.ts';

const flood = defineAgent({
  name: 'flood',
  description: 'Writes',
  version: '1.0.0',
  async *run(task) {
    const [word = '', count = '1', size = '1'] = task.text.split(' ');
    if (word === 'hang') await new Promise((_, reject) => task.signal.addEventListener('abort', reject));
    for (let index = 0; index < Number(count); index += 1) yield word.padEnd(Number(size), '.');
  },
});

async function started(options: Partial<A2AServerOptions> = {}) {
  const server = new A2AServer({
    agents: [flood],
    drainTimeout: 0,
    log: { error: () => {}, warn: () => {} },
    grpc: { port: 0 },
    ...options,
  });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  return { server, client: new RawClient(server.grpcAddress) };
}

const message = (text: string) => ({ message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] } });
const failed = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('It did not fail')),
    (error) => error,
  );

it('asks for the credentials of all bindings, and tells how they are given', async () => {
  const auth = {
    type: 'bearer',
    validate: (token: string) => (token === 'good' ? { subject: 'ann' } : undefined),
  } as const;
  const { client } = await started({ auth: auth as never });
  const error = await failed(client.unary('listTasks', {}));
  expect(error).toMatchObject({ code: 16 });
  expect(error.metadata.get('www-authenticate')[0]).toMatch(/^Bearer/);
  const stream = await failed(client.stream('sendStreamingMessage', message('a')));
  expect(stream).toMatchObject({ code: 16, received: [] });
  await client.unary('listTasks', {}, { metadata: { authorization: 'Bearer good' } });
});

it('refuses what a limit does not let pass, with the quota and the time to wait', async () => {
  const { client } = await started({ limits: { rate: { requests: 1, window: 60_000 } } });
  await client.unary('listTasks', {});
  const error = await failed(client.unary('listTasks', {}));
  expect(error).toMatchObject({ code: 8 });
  const types = error.details.map((each: Json) => each['@type']);
  expect(types).toEqual(expect.arrayContaining(['QuotaFailure', 'RetryInfo', 'ErrorInfo']));
});

it('is around every operation by interceptors, and tells them of deadlines and cancels', async () => {
  const ends: boolean[] = [];
  const bindings: string[] = [];
  const { client, server } = await started();
  server.use({
    operation: (call, next) => {
      bindings.push(call.binding);
      call.onEnd(({ isComplete }) => ends.push(isComplete));
      return next();
    },
  });
  const error = await failed(client.unary('sendMessage', message('hang'), { deadline: 300 }));
  expect(error).toMatchObject({ code: 4 });
  const call = client.open('sendStreamingMessage', message('hang'));
  const first = new Promise((resolve) => call.once('data', resolve));
  call.on('error', () => {});
  await first;
  call.cancel();
  await expect.poll(() => ends.includes(false)).toBe(true);
  expect(new Set(bindings)).toEqual(new Set(['GRPC']));
  // Neither ended its task.
  const { tasks } = (await client.unary('listTasks', {})) as { tasks: { status: Json }[] };
  expect(tasks.map(({ status }) => status.state)).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_WORKING']);
});

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
  const { client, server } = await started({ limits: { answersBytes: 1_000_000 } });
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
  expect(server[CORE].answers.size).toBeGreaterThan(900_000);
  session.destroy();
  await expect.poll(() => server[CORE].answers.size).toBe(0);
  const page = await client.unary('listTasks', { includeArtifacts: true });
  expect(JSON.stringify(page).length).toBeGreaterThan(300_000);
  expect(server[CORE].answers.size).toBe(0);
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

it('tells its health, and that it is about to stop', async () => {
  const { client, server } = await started();
  const path = (name: string) => `/grpc.health.v1.Health/${name}`;
  const request = (service: string) =>
    toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, { service }));
  const statusOf = (bytes: Uint8Array) => fromBinary(HealthCheckResponseSchema, bytes).status;
  expect(statusOf(await client.bytes(path('Check'), request('')))).toBe(1);
  expect(statusOf(await client.bytes(path('Check'), request('lf.a2a.v1.A2AService')))).toBe(1);
  expect(await failed(client.bytes(path('Check'), request('nobody')))).toMatchObject({ code: 5 });
  const session = await rawSession(server);
  for (const name of ['Check', 'List', 'Watch']) {
    expect(await rawCall(session, path(name), Buffer.alloc(0))).toMatchObject({ status: '3' });
  }
  const asIs = (bytes: Buffer) => bytes;
  const watch = client.grpc.makeServerStreamRequest(path('Watch'), asIs, asIs, Buffer.from(request('')));
  const seen: number[] = [];
  const ended = new Promise<void>((resolve) => watch.once('end', resolve));
  watch.on('data', (bytes: Buffer) => seen.push(statusOf(bytes)));
  await expect.poll(() => seen).toEqual([1]);
  await server.close();
  await ended;
  expect(seen).toEqual([1, 2]);
});

it('tells tools its services and messages', async () => {
  const { client } = await started();
  const ask = (request: Json, version = 'v1') =>
    client
      .bytes(
        `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
        toBinary(
          ServerReflectionRequestSchema,
          create(ServerReflectionRequestSchema, { messageRequest: request as never }),
        ),
      )
      .then((bytes) => fromBinary(ServerReflectionResponseSchema, bytes).messageResponse);
  const listed = await ask({ case: 'listServices', value: '' }, 'v1alpha');
  expect(JSON.stringify(listed.value)).toContain('lf.a2a.v1.A2AService');
  const described = await ask({ case: 'fileContainingSymbol', value: 'lf.a2a.v1.A2AService' });
  const files = described.case === 'fileDescriptorResponse' ? described.value.fileDescriptorProto : [];
  const names = files.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name);
  expect(names).toEqual(expect.arrayContaining(['a2a/v1/a2a.proto', 'google/protobuf/struct.proto']));
  const details = await ask({ case: 'fileContainingSymbol', value: 'google.rpc.BadRequest' });
  expect(details.case).toBe('fileDescriptorResponse');
  expect(await ask({ case: 'fileContainingSymbol', value: 'nobody' })).toMatchObject({
    case: 'errorResponse',
    value: { errorCode: 5 },
  });
});

async function rawSession(server: A2AServer): Promise<ClientHttp2Session> {
  const session = connectHttp2(`http://${server.grpcAddress}`);
  onTestFinished(() => session.destroy());
  return session;
}

interface RawEnd {
  readonly http: number | undefined;
  readonly status: string | undefined;
}

function rawCall(
  session: ClientHttp2Session,
  path: string,
  body: Buffer,
  more: Readonly<Record<string, string>> = {},
): Promise<RawEnd> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...more,
    });
    let http: number | undefined;
    let status: string | undefined;
    stream.on('response', (headers) => {
      http = headers[constants.HTTP2_HEADER_STATUS] as number | undefined;
      status = headers['grpc-status'] as string | undefined;
    });
    stream.on('trailers', (trailers) => {
      status = trailers['grpc-status'] as string | undefined;
    });
    stream.on('error', reject);
    stream.on('close', () =>
      resolve({ http: Number(http), status: status === undefined ? undefined : String(status) }),
    );
    stream.resume();
    stream.end(body);
  });
}
