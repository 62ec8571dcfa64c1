import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { create, fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { Client, credentials, type Metadata, Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import { lab } from '../../../../../examples/agents/index.ts';
import { StatusSchema } from '../../../src/bindings/grpc/gen/google/rpc/status_pb.ts';
import { GRPC_SERVICES, type Rpc } from '../../../src/bindings/grpc/services.ts';
import { startServer, type Wire } from '../../support/rpc.ts';

const DETAILS = 'grpc-status-details-bin';

/** How a call ended. */
export interface Ended {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

/** One thing that a server of gRPC does wrong: what it changes in the calls of a server that is right. */
export interface GrpcDefect {
  readonly metadata?: (metadata: Metadata) => void;
  /** Changes a message of a response; undefined drops it. */
  readonly message?: (json: Wire, rpc: Rpc, index: number) => Wire;
  /** Changes the bytes of a message. */
  readonly bytes?: (bytes: Uint8Array, rpc: Rpc) => Uint8Array;
  readonly status?: (status: Ended, rpc: Rpc) => Ended;
}

/** The lab behind a proxy of gRPC that brings the defect in; returns the address of its card, which declares gRPC and no extension. */
export async function brokenGrpc(defect: GrpcDefect, ...versions: readonly ('1.0' | '0.3')[]): Promise<string> {
  const { server } = startServer([lab], { grpc: { port: 0 }, push: { retry: { firstDelay: 20 } } });
  await server.listen({ port: 0 });
  const client = new Client(server.grpcAddress ?? '', credentials.createInsecure());
  const proxy = new Server();
  const asIs = (bytes: Buffer) => bytes;
  for (const { rpcs } of Object.values(GRPC_SERVICES)) {
    for (const rpc of rpcs.values()) {
      proxy.register(
        rpc.path,
        (call: ServerDuplexStream<Buffer, Buffer>) => relay(client, call, rpc, defect),
        asIs,
        asIs,
        'bidi',
      );
    }
  }
  const port = await new Promise<number>((resolve, reject) => {
    proxy.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  onTestFinished(() => {
    client.close();
    proxy.forceShutdown();
  });
  return cardServer(`${server.url}/.well-known/agent-card.json`, `127.0.0.1:${port}`, versions);
}

async function cardServer(source: string, address: string, versions: readonly string[]): Promise<string> {
  const card: Wire = await (await fetch(source, { headers: { 'a2a-version': '1.0' } })).json();
  const supportedInterfaces = (versions.length > 0 ? versions : ['1.0']).map((protocolVersion) => ({
    url: address,
    protocolBinding: 'GRPC',
    protocolVersion,
  }));
  const capabilities = { ...card.capabilities, extensions: undefined };
  const body = JSON.stringify({ ...card, supportedInterfaces, capabilities });
  const http = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=60', etag: '"1"' });
    response.end(body);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

function relay(client: Client, call: ServerDuplexStream<Buffer, Buffer>, rpc: Rpc, defect: GrpcDefect): void {
  const asIs = (bytes: Buffer) => bytes;
  call.once('data', (request: Buffer) => {
    const metadata = call.metadata.clone();
    defect.metadata?.(metadata);
    const upstream = client.makeServerStreamRequest(rpc.path, asIs, asIs, request, metadata);
    call.once('cancelled', () => upstream.cancel());
    let index = 0;
    upstream.once('metadata', (head: Metadata) => call.sendMetadata(withoutOwn(head)));
    upstream.on('data', (bytes: Buffer) => {
      const changed = changedBytes(bytes, rpc, defect, index++);
      if (changed) call.write(changed);
    });
    upstream.on('error', () => {});
    upstream.once('status', (came: Ended) => {
      const status = defect.status?.(came, rpc) ?? came;
      if (status.code === 0) call.end();
      else call.emit('error', { ...status, metadata: withoutOwn(status.metadata) });
    });
  });
}

function changedBytes(bytes: Buffer, rpc: Rpc, { message, bytes: change }: GrpcDefect, index: number) {
  if (change) return Buffer.from(change(bytes, rpc));
  if (!message) return bytes;
  const json = message(toJson(rpc.response, fromBinary(rpc.response, bytes)), rpc, index);
  return json === undefined ? undefined : Buffer.from(toBinary(rpc.response, fromJson(rpc.response, json)));
}

/** What gRPC writes by itself. */
function withoutOwn(metadata: Metadata): Metadata {
  const copy = metadata.clone();
  for (const name of ['content-type', 'grpc-accept-encoding', 'grpc-encoding', 'date']) copy.remove(name);
  return copy;
}

/** The same status with other details: `change` sees them as JSON, without those of their messages. */
export function withStatus(ended: Ended, code: number, { isInDetails = true, hasDetails = true } = {}): Ended {
  const [bytes] = ended.metadata.get(DETAILS);
  const metadata = ended.metadata.clone();
  metadata.remove(DETAILS);
  if (hasDetails && bytes instanceof Buffer) {
    const status = fromBinary(StatusSchema, bytes);
    const changed = create(StatusSchema, { ...status, code: isInDetails ? code : status.code });
    metadata.set(DETAILS, Buffer.from(toBinary(StatusSchema, changed)));
  }
  return { ...ended, code, metadata };
}
