import type { ServerOptions as TlsSettings } from 'node:https';
import type { Server } from '@grpc/grpc-js';
import { GRPC_SERVICES, type Rpc } from '../../bindings/grpc/services.ts';
import { LONGEST_TIMER } from '../../model/basics/timers.ts';
import { isLoopbackAddress } from '../../server/routing/locality.ts';
import { LAST_WORDS } from '../node/node-response.ts';
import { credentialsOf } from './credentials.ts';
import { type GrpcCore, GrpcExchange, type GrpcSurroundings, type HttpPlace } from './grpc-exchange.ts';
import { writeGrpc } from './grpc-response.ts';
import { HealthService } from './health.ts';
import { type Grpc, requireGrpc } from './packages.ts';
import { registerReflection } from './reflection.ts';
import { interceptCalls, type ServedCall } from './served-call.ts';

export { grpcBinding } from '../../bindings/grpc/serving/binding.ts';

export interface GrpcPlace {
  readonly port: number;
  readonly host: string;
  readonly tls: TlsSettings | undefined;
  readonly reflection: boolean;
  readonly http: () => HttpPlace | undefined;
}

export interface GrpcListening {
  readonly host: string;
  readonly port: number;
  /** Connections that are made from now on see this certificate. */
  renew(tls: TlsSettings): void;
  /** Tells clients to go elsewhere; calls that are open go on. */
  letGo(): void;
  /** Takes no more calls; resolves when the open ones are done, or cuts them once they had their time. */
  stop(): Promise<void>;
}

/** Probes of HTTP/2 find peers that vanished without a word. */
const KEEP_ALIVE = { 'grpc.keepalive_time_ms': 60_000, 'grpc.keepalive_timeout_ms': 20_000 };

export async function listenGrpc(core: GrpcCore, place: GrpcPlace): Promise<GrpcListening> {
  const grpc = await requireGrpc();
  const { limits, clock } = core;
  const whenStalled = (callback: () => void) => clock.after(limits.stallTimeout, callback);
  const surroundings = { core, isLoopback: isLoopbackAddress(place.host), http: place.http };
  const rpcs = Object.values(GRPC_SERVICES).flatMap((service) => [...service.rpcs.values()]);
  const handlers = new Map(
    rpcs.map((rpc) => [rpc.path, (call: ServedCall) => void serve(grpc, call, rpc, surroundings)]),
  );
  const server = new grpc.Server({
    ...KEEP_ALIVE,
    interceptors: [interceptCalls(handlers, whenStalled)],
    'grpc.max_receive_message_length': Math.min(limits.bodyBytes, LARGEST_LENGTH),
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': MOST_STREAMS,
    'grpc.enable_channelz': 0,
  });
  const { credentials, renew } = credentialsOf(grpc, place.tls);
  for (const { path } of rpcs) register(server, path);
  const smallLimits = { bodyTimeout: limits.bodyTimeout, whenStalled };
  const health = new HealthService(smallLimits);
  health.register(server);
  if (place.reflection) registerReflection(server, smallLimits);
  const name = place.host.includes(':') ? `[${place.host}]` : place.host;
  const port = await bind(server, `${name}:${place.port}`, credentials);
  const bound = `${name}:${port}`;
  return {
    host: place.host,
    port,
    renew,
    letGo: () => {
      health.stopServing();
      server.drain(bound, LONGEST_TIMER);
    },
    stop: () => {
      health.close();
      return stop(server, bound);
    },
  };
}

/** Per connection; a client with more waits, or opens another. */
const MOST_STREAMS = 1000;
const LARGEST_LENGTH = 0x7fff_ffff;

/** Makes a path known; its calls are intercepted, so that nothing of them is read before the server wants it. */
function register(server: Server, path: string): void {
  const asIs = (bytes: Buffer) => bytes;
  server.register(path, () => {}, asIs, asIs, 'bidi');
}

/** Responds to a call. Resolves when the response is written, or has begun if it is a stream; never rejects. */
async function serve(grpc: Grpc, call: ServedCall, rpc: Rpc, surroundings: GrpcSurroundings): Promise<void> {
  const { core } = surroundings;
  const fail = (error: unknown) => {
    core.log.error('A response could not be written', { error });
    call.end({ code: grpc.status.INTERNAL, details: 'Internal error', metadata: null });
  };
  try {
    const exchange = new GrpcExchange(call, rpc, surroundings);
    try {
      const finding = exchange.findAgent();
      if (finding) await finding;
      const response = await core.handle(exchange);
      writeGrpc(call, response, { grpc, exchange, stallTimeout: core.limits.stallTimeout, fail });
    } finally {
      exchange.releaseBody();
    }
  } catch (error) {
    fail(error);
  }
}

function bind(server: Server, address: string, credentials: Parameters<Server['bindAsync']>[1]): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => (error ? reject(withCode(error)) : resolve(port)));
  });
}

function stop(server: Server, bound: string): Promise<void> {
  return new Promise((resolve) => {
    // A client that has not left after that is cut.
    server.drain(bound, LAST_WORDS);
    server.tryShutdown(() => resolve());
  });
}

/** gRPC tells why a port cannot be had in words alone. */
function withCode(error: Error): Error {
  const [code] = /\bE[A-Z]{4,}\b/.exec(error.message) ?? [];
  return code === undefined ? error : Object.assign(new Error(error.message, { cause: error }), { code });
}
