import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { handleBidiStreamingCall, Server } from '@grpc/grpc-js';
import {
  Health,
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
  HealthListResponseSchema,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '../../bindings/grpc/gen/grpc/health/v1/health_pb.ts';
import { GRPC_SERVICES } from '../../bindings/grpc/services.ts';
import type { GrpcCall } from './grpc-exchange.ts';
import { boundRequests, type SmallLimits } from './small-requests.ts';

const NOT_FOUND = 5;
const INVALID_ARGUMENT = 3;
const RESOURCE_EXHAUSTED = 8;
/** Across all clients. */
const MOST_WATCHING = 1000;

/** The services that the health service knows; '' is the server as a whole. */
const KNOWN: readonly string[] = ['', ...Object.values(GRPC_SERVICES).map(({ descriptor }) => descriptor.typeName)];

/** Responds to a request about a service. `stay` lets the call go on without another request. */
type Respond = (call: GrpcCall, service: string, stay: () => void) => void;

/** The health service: SERVING until the server is about to stop. It asks for no credentials, as `/healthz` does not. */
export class HealthService {
  readonly #limits: SmallLimits;
  #isServing = true;
  /** Those who watch, each with what it asked for. */
  readonly #watching = new Map<GrpcCall, string>();

  constructor(limits: SmallLimits) {
    this.#limits = limits;
  }

  register(server: Server): void {
    const asIs = (bytes: Buffer) => bytes;
    const path = (method: string) => `/${Health.typeName}/${method}`;
    const once = (respond: Respond): handleBidiStreamingCall<Buffer, Buffer> => {
      return (call) => {
        const stay = boundRequests(call, this.#limits);
        // Received bytes are read while the call is paused, so that it does not end then.
        call.once('end', () => call.emit('error', { code: INVALID_ARGUMENT, details: 'The call has no message' }));
        call.once('data', (bytes: Buffer) => {
          const service = serviceIn(call, bytes);
          if (service !== undefined) respond(call, service, stay);
        });
      };
    };
    server.register(path('Check'), once(this.#check), asIs, asIs, 'bidi');
    server.register(path('List'), once(this.#list), asIs, asIs, 'bidi');
    server.register(path('Watch'), once(this.#watch), asIs, asIs, 'bidi');
  }

  /** The server is about to stop: watching clients are told. */
  stopServing(): void {
    this.#isServing = false;
    for (const [call, service] of this.#watching) call.write(this.#statusOf(service));
  }

  /** Nothing would end the calls of those who watch. */
  close(): void {
    for (const call of this.#watching.keys()) call.end();
    this.#watching.clear();
  }

  readonly #check = (call: GrpcCall, service: string): void => {
    if (!KNOWN.includes(service)) {
      call.emit('error', { code: NOT_FOUND, details: 'There is no such service here' });
      return;
    }
    call.write(this.#statusOf(service));
    call.end();
  };

  readonly #list = (call: GrpcCall): void => {
    const status = this.#isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    const statuses = Object.fromEntries(KNOWN.map((name) => [name, create(HealthCheckResponseSchema, { status })]));
    call.write(Buffer.from(toBinary(HealthListResponseSchema, create(HealthListResponseSchema, { statuses }))));
    call.end();
  };

  readonly #watch = (call: GrpcCall, service: string, stay: () => void): void => {
    if (this.#watching.size >= MOST_WATCHING) {
      call.emit('error', { code: RESOURCE_EXHAUSTED, details: `${MOST_WATCHING} clients watch already` });
      return;
    }
    stay();
    this.#watching.set(call, service);
    call.once('cancelled', () => this.#watching.delete(call));
    call.write(this.#statusOf(service));
  };

  #statusOf(service: string): Buffer {
    const known = this.#isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    const status = KNOWN.includes(service) ? known : ServingStatus.SERVICE_UNKNOWN;
    return Buffer.from(toBinary(HealthCheckResponseSchema, create(HealthCheckResponseSchema, { status })));
  }
}

/** The service that a request names; undefined where it cannot be read, which ends the call. */
function serviceIn(call: GrpcCall, bytes: Buffer): string | undefined {
  call.pause();
  try {
    return fromBinary(HealthCheckRequestSchema, bytes).service;
  } catch {
    call.emit('error', { code: INVALID_ARGUMENT, details: 'Invalid protobuf payload' });
    return undefined;
  }
}
