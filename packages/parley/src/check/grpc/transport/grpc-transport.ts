import type * as Grpc from '@grpc/grpc-js';
import type { Client, ClientReadableStream, Metadata, ServiceError } from '@grpc/grpc-js';
import type { Limits } from '../../wire/budget.ts';
import type { Outgoing } from '../../wire/exchange.ts';
import type { Came, Transport } from '../../wire/transport.ts';
import { GrpcSource } from './grpc-source.ts';
import { type Procedure, procedureAt, requestBytes, responseJson } from './messages.ts';
import { type EndStatus, headOf, incomingOf } from './status.ts';

const asIs = (bytes: Buffer) => bytes;
/** Headers that gRPC has for itself, or that say something of HTTP alone. */
const OF_HTTP: ReadonlySet<string> = new Set(['accept', 'content-type', 'content-length', 'host', 'te', 'connection']);
/** Servers may begin their answer before they refuse a call; a refusal is waited for this long. */
const GRACE_MS = 200;
const UNAVAILABLE = 14;
const RESOURCE_EXHAUSTED = 8;

/** One call as it is sent. */
interface Prepared {
  readonly client: Client;
  readonly path: string;
  readonly procedure: Procedure | undefined;
  readonly request: Buffer;
  readonly metadata: Metadata;
}

/**
 * Calls over gRPC. Messages are read and written by the library of Buf and not by the codec of Parley's own server, so that a
 * mistake there is seen.
 */
export class GrpcTransport implements Transport {
  readonly #grpc: typeof Grpc;
  readonly #limits: Limits;
  readonly #clients = new Map<string, Client>();

  constructor(grpc: typeof Grpc, limits: Limits) {
    this.#grpc = grpc;
    this.#limits = limits;
  }

  exchange(sent: Outgoing, signal: AbortSignal): Promise<Came> {
    const { client, path, request, metadata, procedure } = this.#prepare(sent);
    return new Promise((resolve, reject) => {
      let head: Metadata | undefined;
      const call = client.makeUnaryRequest(path, asIs, asIs, request, metadata, (error, bytes) => {
        signal.removeEventListener('abort', stop);
        resolve(error ? cameOf(error, head) : answered(procedure, bytes as Buffer, head));
      });
      call.on('metadata', (received) => {
        head = received;
      });
      const stop = () => {
        reject(new Error('the check was stopped'));
        call.cancel();
      };
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  open(sent: Outgoing, signal: AbortSignal): Promise<{ readonly source: GrpcSource } | Came> {
    const { client, path, request, metadata, procedure } = this.#prepare(sent);
    const stream = client.makeServerStreamRequest(path, asIs, asIs, request, metadata);
    const source = new GrpcSource(stream as ClientReadableStream<Buffer>, procedure);
    return new Promise((resolve, reject) => {
      let grace: NodeJS.Timeout | undefined;
      const begin = (came: { readonly source: GrpcSource } | Came) => {
        clearTimeout(grace);
        resolve(came);
      };
      // The signal ends the stream as well.
      signal.addEventListener(
        'abort',
        () => {
          reject(new Error('the check was stopped'));
          stream.cancel();
        },
        { once: true },
      );
      stream.once('metadata', () => {
        grace = setTimeout(() => begin({ source }), GRACE_MS);
      });
      stream.once('readable', () => stream.readableLength > 0 && begin({ source }));
      source.onEnd((status, isEmpty) =>
        begin(status.code !== 0 && isEmpty ? cameOf(status, source.received) : { source }),
      );
    });
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  #prepare({ url, headers, body = '{}' }: Outgoing): Prepared {
    const { pathname, origin } = new URL(url);
    const procedure = procedureAt(pathname);
    const request = requestBytes(procedure, body);
    const metadata = new this.#grpc.Metadata();
    for (const [name, value] of Object.entries(headers)) {
      if (!OF_HTTP.has(name.toLowerCase())) metadata.set(name, value);
    }
    return { client: this.#clientFor(origin), path: pathname, procedure, request, metadata };
  }

  #clientFor(origin: string): Client {
    const known = this.#clients.get(origin);
    if (known) return known;
    const { hostname, port, protocol } = new URL(origin);
    const isTls = protocol === 'https:';
    const { credentials, Client: Made } = this.#grpc;
    const target = `dns:${hostname}:${port || (isTls ? '443' : '80')}`;
    const client = new Made(target, isTls ? credentials.createSsl() : credentials.createInsecure(), {
      'grpc.max_receive_message_length': this.#limits.responseBytes,
      'grpc.max_send_message_length': -1,
      'grpc.enable_http_proxy': 0,
      'grpc.service_config_disable_resolution': 1,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': 0,
    });
    this.#clients.set(origin, client);
    return client;
  }
}

function answered(procedure: Procedure | undefined, bytes: Uint8Array, head: Metadata | undefined): Came {
  const got = headOf(0, head);
  try {
    return { got: { ...got, text: JSON.stringify(responseJson(procedure, bytes)) } };
  } catch (error) {
    return { got: { ...got, text: '' }, trouble: `the message cannot be read: ${(error as Error).message}` };
  }
}

/** Texts that gRPC itself writes, and not the server. */
const NO_SERVER = /^(?:No connection established|Name resolution failed|Connection dropped|Failed to connect)/;
const TOO_LARGE = /^Received message larger than max/;

function cameOf(status: EndStatus | ServiceError, head: Metadata | undefined): Came {
  const { code, details } = status;
  if (code === UNAVAILABLE && NO_SERVER.test(details)) return { trouble: `no response: ${details}`, late: false };
  const got = incomingOf(status, head);
  return code === RESOURCE_EXHAUSTED && TOO_LARGE.test(details) ? { got: undefined, trouble: details } : { got };
}
