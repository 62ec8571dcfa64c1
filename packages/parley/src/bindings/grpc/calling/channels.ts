import type { ChannelCredentials, ChannelOptions, Client } from '@grpc/grpc-js';
import type { BindingCallerOptions } from '../../caller.ts';
import { targetOf } from './address.ts';
import type { GrpcClientOptions } from './options.ts';
import type { Grpc } from './packages.ts';

/** Servers of ours answer as many pings as they get. Others close connections that are pinged more often than this. */
const KEEP_ALIVE_MS = 30_000;
const KEEP_ALIVE_ELSEWHERE_MS = 310_000;
const KEEP_ALIVE_TIMEOUT_MS = 20_000;
/** The client itself waits between its attempts; a channel that waits longer would make it fail without one. */
const RECONNECT_MS = { first: 50, longest: 500 } as const;

const KEPT = 'grpc channel';

/** The channel of an interface: one for all calls of a client. It closes its connection when it is idle for long. */
export function channelOf(grpc: Grpc, caller: BindingCallerOptions, settings: GrpcClientOptions): Client {
  const known = caller.kept?.get(KEPT) as Client | undefined;
  if (known) return known;
  const { url } = caller;
  const client = new grpc.Client(targetOf(url), credentialsOf(grpc, url, settings), channelOptions(caller, settings));
  caller.kept?.set(KEPT, client);
  return client;
}

function credentialsOf({ credentials }: Grpc, url: string, { tls }: GrpcClientOptions): ChannelCredentials {
  if (!url.startsWith('https:')) return credentials.createInsecure();
  const { ca, cert, key } = typeof tls === 'object' ? tls : {};
  return credentials.createSsl(bytesOf(ca), bytesOf(key), bytesOf(cert));
}

function bytesOf(pem: string | Uint8Array | undefined): Buffer | null {
  if (pem === undefined) return null;
  return typeof pem === 'string' ? Buffer.from(pem) : Buffer.from(pem);
}

function channelOptions({ limits, isOurs }: BindingCallerOptions, settings: GrpcClientOptions): ChannelOptions {
  const keepAlive = settings.keepAlive ?? (isOurs?.() ? KEEP_ALIVE_MS : KEEP_ALIVE_ELSEWHERE_MS);
  return {
    'grpc.max_receive_message_length': Math.max(limits.bodyBytes, limits.eventBytes),
    'grpc.max_send_message_length': -1,
    'grpc.initial_reconnect_backoff_ms': RECONNECT_MS.first,
    'grpc.max_reconnect_backoff_ms': RECONNECT_MS.longest,
    // As `fetch` does it: neither proxies of the environment nor settings in the DNS.
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
    ...(keepAlive > 0 && {
      'grpc.keepalive_time_ms': keepAlive,
      'grpc.keepalive_timeout_ms': KEEP_ALIVE_TIMEOUT_MS,
    }),
    ...settings.channelOptions,
  };
}
