import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
} from '../../src/bindings/grpc/gen/grpc/health/v1/health_pb.ts';
import {
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from '../../src/bindings/grpc/gen/grpc/reflection/v1/reflection_pb.ts';
import { failed, message, rawCall, rawSession, started } from './support/flooding.ts';
import type { Json } from './support/raw-client.ts';

it('asks for the credentials of all bindings, and tells how they are given', async () => {
  const auth = {
    type: 'bearer',
    validate: (token: string) => (token === 'good' ? { subject: 'ann' } : undefined),
  } as const;
  const { client } = await started({ auth: auth as never });
  const error = await failed(client.unary('listTasks', {}));
  expect(error).toMatchObject({ code: 16, details: [{ '@type': 'ErrorInfo', reason: 'UNAUTHENTICATED' }] });
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
