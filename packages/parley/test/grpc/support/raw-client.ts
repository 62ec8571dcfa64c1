import { fromBinary } from '@bufbuild/protobuf';
import {
  credentials as allCredentials,
  type ChannelCredentials,
  Client,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import { readMessage } from '../../../src/bindings/grpc/codec/read.ts';
import { writeMessage } from '../../../src/bindings/grpc/codec/write.ts';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from '../../../src/bindings/grpc/gen/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../../../src/bindings/grpc/gen/google/rpc/status_pb.ts';
import { GRPC_SERVICES, type GrpcVersion, type Rpc } from '../../../src/bindings/grpc/services.ts';
import type { OperationName } from '../../../src/model/operations.ts';

export type Json = Record<string, unknown>;

export interface RawOptions {
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly version?: GrpcVersion | undefined;
  readonly deadline?: number | undefined;
}

/** A failed call, with its details as other bindings show them. */
export interface RawError {
  readonly code: number;
  readonly message: string;
  readonly details: readonly Json[];
  readonly metadata: Metadata;
}

const asIs = (bytes: Buffer) => bytes;

/** A client of grpc-js that knows nothing but bytes: what it sees is what is on the wire. */
export class RawClient {
  readonly #client: Client;

  constructor(
    address: string | undefined,
    credentials: ChannelCredentials = allCredentials.createInsecure(),
    options = {},
  ) {
    this.#client = new Client(address ?? 'nowhere', credentials, {
      'grpc.max_receive_message_length': -1,
      'grpc.use_local_subchannel_pool': 1,
      ...options,
    });
    onTestFinished(() => this.#client.close());
  }

  get grpc(): Client {
    return this.#client;
  }

  /** Resolves with the response, and rejects with a RawError. */
  async unary(operation: OperationName, json: unknown, options: RawOptions = {}): Promise<Json> {
    const rpc = rpcOf(operation, options);
    return readMessage(rpc.response, await this.bytes(rpc.path, writeMessage(rpc.request, json), options)) as Json;
  }

  bytes(path: string, request: Uint8Array, options: RawOptions = {}): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        asIs,
        asIs,
        Buffer.from(request),
        metadataOf(options),
        callOptions(options),
        (error, response) => (error ? reject(rawError(error)) : resolve(response as Buffer)),
      );
    });
  }

  /** All messages of a stream, with the initial metadata. */
  async stream(operation: OperationName, json: unknown, options: RawOptions = {}) {
    const rpc = rpcOf(operation, options);
    const call = this.open(operation, json, options);
    let initial = new Metadata();
    call.on('metadata', (metadata: Metadata) => {
      initial = metadata;
    });
    const messages: Json[] = [];
    try {
      for await (const message of call) messages.push(readMessage(rpc.response, message as Buffer) as Json);
    } catch (error) {
      throw Object.assign(rawError(error as ServiceError), { received: messages });
    }
    return { messages, metadata: initial };
  }

  open(operation: OperationName, json: unknown, options: RawOptions = {}) {
    const rpc = rpcOf(operation, options);
    const bytes = Buffer.from(writeMessage(rpc.request, json));
    return this.#client.makeServerStreamRequest(rpc.path, asIs, asIs, bytes, metadataOf(options), callOptions(options));
  }
}

export function rpcOf(operation: OperationName, { version = '1.0' }: RawOptions = {}): Rpc {
  return GRPC_SERVICES[version].rpcs.get(operation) as Rpc;
}

function metadataOf({ metadata = {} }: RawOptions): Metadata {
  const made = new Metadata();
  for (const [name, value] of Object.entries(metadata)) made.set(name, value);
  return made;
}

function callOptions({ deadline }: RawOptions) {
  return deadline === undefined ? {} : { deadline: Date.now() + deadline };
}

const DETAILS = [ErrorInfoSchema, BadRequestSchema, RetryInfoSchema, QuotaFailureSchema];

function rawError({ code, details: message, metadata }: ServiceError): RawError {
  const [bytes] = metadata.get('grpc-status-details-bin');
  const status = bytes instanceof Buffer ? fromBinary(StatusSchema, bytes) : undefined;
  if (status && (status.code !== code || status.message !== message))
    throw new Error('The status does not match its details');
  const details = (status?.details ?? []).map(({ typeUrl, value }) => {
    const schema = DETAILS.find(({ typeName }) => typeUrl === `type.googleapis.com/${typeName}`);
    if (!schema) throw new Error(`Unknown detail ${typeUrl}`);
    return { '@type': schema.name, ...fromBinary(schema, value) } as Json;
  });
  return { code, message, details, metadata };
}
