import { fromJson, toBinary } from '@bufbuild/protobuf';
import { Client, type ClientReadableStream, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { A2AServer } from 'parley-a2a';
import { onTestFinished, TestRunner } from 'vitest';

import { readMessage } from '../../../src/bindings/grpc/codec/read.ts';
import { grpcRouting } from '../../../src/bindings/grpc/routing.ts';
import { GRPC_SERVICES, type Rpc } from '../../../src/bindings/grpc/services.ts';
import { METHODS } from '../../../src/dialects/v1_0/methods.ts';
import type { Carrier } from '../http/carrier.ts';
import type { Wire } from '../rpc.ts';
import { rpcErrorOf } from './rpc-error.ts';
import { takePosition, withoutResume, withPositions } from './stream-positions.ts';

const asIs = (bytes: Uint8Array) => bytes as Buffer;

/** Headers that say something of HTTP alone. */
const OF_HTTP: ReadonlySet<string> = new Set(['accept', 'content-type', 'content-length', 'host']);
const RENAMED: Readonly<Record<string, string>> = { 'last-event-id': 'a2a-last-event-id' };
/** The status that ends a stream whose client is to come back; streams of other bindings just end there. */
const UNAVAILABLE = 14;

/** One JSON-RPC request as a call of gRPC. */
interface GrpcCall {
  readonly id: unknown;
  readonly path: string;
  readonly rpc: Rpc | undefined;
  readonly request: Uint8Array;
  readonly metadata: Metadata;
  /** The client asked for positions itself. */
  readonly asksToResume: boolean;
}

/**
 * Carries the JSON-RPC requests of a suite over gRPC: a method is the procedure of its name, headers are metadata, a status is an
 * error with its details, and the messages of a stream are its events. A test of what gRPC cannot carry is
 * skipped, so that nothing is tried over HTTP by mistake; only documents that are fetched with GET come from there.
 */
export const rpcOverGrpc: Carrier = {
  options: { grpc: { port: 0 } },
  fetchOf(server) {
    let opened: Promise<Client> | undefined;
    onTestFinished(async () => (await opened?.catch(() => undefined))?.close());
    return async (request) => {
      if (request.method === 'GET') return server.fetch(request);
      const call = await callOf(request);
      opened ??= clientOf(server);
      const client = await opened;
      return call.rpc?.isStream ? streamed(client, call) : unary(client, call);
    };
  },
};

async function clientOf(server: A2AServer): Promise<Client> {
  if (server.grpcAddress === undefined) await server.listen({ port: 0, host: '127.0.0.1' });
  return new Client(server.grpcAddress ?? '', credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
  });
}

async function callOf(request: Request): Promise<GrpcCall> {
  const { pathname, search } = new URL(request.url);
  const [, agent] = /^\/a2a(?:\/agents\/([^/]+))?$/.exec(pathname) ?? cannot(`the path ${pathname}`);
  if (search !== '') cannot('a query');
  const { id, method, params = {} }: Wire = readJson(await request.text());
  const operation = METHODS.get(String(method));
  const rpc = operation && GRPC_SERVICES['1.0'].rpcs.get(operation);
  const path = rpc?.path ?? `/${GRPC_SERVICES['1.0'].descriptor.typeName}/${encodeURIComponent(String(method))}`;
  const metadata = metadataOf(request.headers);
  const asksToResume = rpc?.isStream === true && withPositions(metadata);
  return { id, path, rpc, request: rpc ? requestBytes(rpc, params, agent) : new Uint8Array(), metadata, asksToResume };
}

/** Written by the library of Buf: the server reads what another codec wrote. */
function requestBytes({ request }: Rpc, params: Wire, agent: string | undefined): Uint8Array {
  const tenant = grpcRouting(agent === undefined ? undefined : decodeURIComponent(agent), params.tenant);
  try {
    return Buffer.from(toBinary(request, fromJson(request, tenant === undefined ? params : { ...params, tenant })));
  } catch (error) {
    return cannot(`such a request (${(error as Error).message})`);
  }
}

/** Ends the test without a result: a request that the messages of gRPC have no way to say is none of gRPC. */
function cannot(carry: string): never {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error('There is no test');
  return test.context.skip(`gRPC cannot carry ${carry}`);
}

function readJson(text: string): Wire {
  const body = ((): Wire => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  })();
  return typeof body?.method === 'string' && body.id !== undefined ? body : cannot('a body that is no request');
}

function metadataOf(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of headers) if (!OF_HTTP.has(name)) metadata.set(RENAMED[name] ?? name, value);
  return metadata;
}

function headersOf(metadata: Metadata, asksToResume = true): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(metadata.getMap())) {
    const text = asksToResume || name !== 'a2a-extensions' ? value : withoutResume(String(value));
    if (typeof text === 'string' && text !== '' && !/^(?:grpc-|content-|date$)/.test(name)) headers.set(name, text);
  }
  return headers;
}

function unary(client: Client, call: GrpcCall): Promise<Response> {
  return new Promise((resolve) => {
    let head = new Metadata();
    const { path, request, metadata, rpc, id } = call;
    client
      .makeUnaryRequest(path, asIs, asIs, request, metadata, (error, bytes) => {
        if (error || !bytes) return resolve(refusal(call, error as ServiceError));
        const result = rpc && readMessage(rpc.response, bytes);
        return resolve(Response.json({ jsonrpc: '2.0', id, result }, { headers: headersOf(head) }));
      })
      .on('metadata', (received: Metadata) => {
        head = received;
      });
  });
}

/** HTTP has statuses of its own for what concerns the caller; everything else is 200, as JSON-RPC has it. */
const STATUSES: Readonly<Record<number, number>> = { 7: 403, 8: 429, 14: 503, 16: 401 };

function refusal({ id }: GrpcCall, error: ServiceError): Response {
  const body = { jsonrpc: '2.0', id, error: rpcErrorOf(error) };
  return Response.json(body, { status: STATUSES[error.code] ?? 200, headers: headersOf(error.metadata) });
}

function streamed(client: Client, call: GrpcCall): Promise<Response> {
  const stream = client.makeServerStreamRequest(call.path, asIs, asIs, call.request, call.metadata);
  return new Promise((resolve) => {
    // Told by the iterator too, once there is one.
    stream.on('error', (error) => resolve(refusal(call, error as ServiceError)));
    stream.once('metadata', (head) => {
      const headers = headersOf(head, call.asksToResume);
      headers.set('content-type', 'text/event-stream');
      resolve(new Response(eventsOf(call, stream), { headers }));
    });
  });
}

function eventsOf({ id, rpc }: GrpcCall, stream: ClientReadableStream<Buffer>): ReadableStream<Uint8Array> {
  const messages = stream[Symbol.asyncIterator]();
  const frame = (position: number | undefined, body: object) =>
    new TextEncoder().encode(
      `${position === undefined ? '' : `id: ${position}\n`}data: ${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n\n`,
    );
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await messages.next();
          if (done) return controller.close();
          const result: Wire = readMessage((rpc as Rpc).response, value as Buffer);
          return controller.enqueue(frame(takePosition(result), { result }));
        } catch (error) {
          const failure = error as ServiceError;
          if (failure.code !== UNAVAILABLE) controller.enqueue(frame(undefined, { error: rpcErrorOf(failure) }));
          return controller.close();
        }
      },
      cancel: () => stream.cancel(),
    },
    { highWaterMark: 0 },
  );
}
