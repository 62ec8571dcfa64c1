import type { ListAgentsOptions } from '../../cards/catalog/list-agents.ts';
import { A2AClient, PROTOCOL_NAMES, type TrustingClientOptions } from '../../client/every-dialect-client.ts';
import type { ClientInterceptor, Credentials, ReconnectInfo } from '../../client/options.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import type { SkilledAgent } from '../../model/extensions/skills.ts';
import { EXIT } from '../exit-codes.ts';
import { storedCredentials } from '../login/stored.ts';
import { type Options, oneOf } from '../options.ts';
import { CommandError } from '../show/problems.ts';
import type { Surroundings } from '../surroundings.ts';
import { UsageError } from '../usage-error.ts';
import { trustOf } from './card-trust.ts';
import { operatorFetch } from './operator-fetch.ts';
import { refuseOtherOrigins } from './own-origin.ts';
import { suits } from './token-kinds.ts';

const BINDINGS = { jsonrpc: 'JSONRPC', rest: 'HTTP+JSON', grpc: 'GRPC' } as const;

/** Any way to write an address: `localhost:4000`, `:4000`, `agents.example.com/a2a`. */
export function agentUrl(text: string): string {
  if (/^https?:\/\//i.test(text)) return checked(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw new UsageError(`"${text}" is not an http(s) address`);
  if (text.startsWith(':')) return checked(`http://127.0.0.1${text}`);
  const host = /^(\[[^\]]*\]|[^/:]*)/.exec(text)?.[0] ?? '';
  // Names without a dot and addresses by number are near; what has a name on the internet has a certificate.
  const isNear = !host.includes('.') || /^[\d.]+$/.test(host) || host.startsWith('[') || host.endsWith('.local');
  return checked(`${isNear ? 'http' : 'https'}://${text}`);
}

function checked(url: string): string {
  if (URL.canParse(url)) return url;
  throw new UsageError(`"${url}" is not an address; write it like localhost:4000 or https://agents.example.com`);
}

export function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UsageError(`--header must be 'NAME: VALUE', not "${line}"`);
    headers[name.toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}

export interface ConnectOptions {
  readonly onReconnect?: (info: ReconnectInfo) => void;
  readonly fetch?: typeof fetch;
  /** For looking at a card, whoever signed it. */
  readonly believesAnyCard?: boolean;
  readonly interceptors?: readonly ClientInterceptor[];
  /** Instead of the login that is kept. */
  readonly credentials?: Credentials;
}

/** The settings of a request for a list of agents: there is no card yet that says how to show a token. */
export function catalogSettings(options: Options, env: Surroundings['env']): ListAgentsOptions {
  const given = headersOf(options.header ?? []);
  const token = options.token ?? (env.PARLEY_TOKEN || undefined);
  const isPlain = token !== undefined && given.authorization === undefined;
  return {
    headers: isPlain ? { ...given, authorization: `Bearer ${token}` } : given,
    timeout: options.timeout === undefined ? undefined : milliseconds(options.timeout),
  };
}

/** A client as the command line asks for it; nothing is sent yet. */
export function clientOf(
  url: string,
  options: Options,
  env: Surroundings['env'],
  { believesAnyCard, ...more }: ConnectOptions = {},
): A2AClient {
  const given = headersOf(options.header ?? []);
  const token = options.token ?? (env.PARLEY_TOKEN || undefined);
  const address = agentUrl(url);
  const allowedOrigins = options['allow-origin']?.map(originOf) ?? [];
  const guard = refuseOtherOrigins(address, allowedOrigins, () => client.interface);
  const settings: TrustingClientOptions<SkilledAgent> = {
    ...more,
    trust: believesAnyCard ? undefined : trustOf(options, env),
    interceptors: [guard, ...(more.interceptors ?? [])],
    ...(options.everyone && { fetch: operatorFetch(more.fetch ?? fetch, () => client.interface?.url) }),
    // A token is shown as the card says, or else as most servers expect it.
    headers: () => {
      const saysHow = Object.keys(client.card?.securitySchemes ?? {}).length > 0;
      const isPlain = token !== undefined && !saysHow && given.authorization === undefined;
      return isPlain ? { ...given, authorization: `Bearer ${token}` } : given;
    },
    credentials:
      token === undefined
        ? (more.credentials ?? storedCredentials(env))
        : ({ scheme }) => (suits(token, scheme, client.card) ? token : undefined),
    prefer: { binding: bindingOf(options) },
    protocol: options.protocol === undefined ? undefined : oneOf('protocol', options.protocol, PROTOCOL_NAMES),
    timeout: options.timeout === undefined ? undefined : milliseconds(options.timeout),
    allowedOrigins,
  };
  const client: A2AClient = new A2AClient(address, settings);
  return client;
}

function bindingOf({ binding, everyone }: Options): string | undefined {
  if (binding === undefined) return undefined;
  const named = oneOf('binding', binding, ['jsonrpc', 'rest', 'grpc']);
  if (named === 'grpc' && everyone) throw new UsageError('--everyone is for HTTP alone: leave out --binding grpc');
  return BINDINGS[named];
}

/**
 * The same, with its card. An interface that the agent does not have is a mistake on the command line; an agent with none that can
 * be called is as good as unreachable.
 */
export async function connected(
  client: A2AClient,
  { binding, protocol }: Options,
  signal?: AbortSignal,
): Promise<A2AClient> {
  try {
    await client.agentCard({ signal });
    return client;
  } catch (error) {
    if (!isA2AError(error) || error.code !== 'UNSUPPORTED_OPERATION') throw error;
    const isAsked = binding !== undefined || protocol !== undefined;
    if (isAsked) throw new UsageError(error.message);
    throw new CommandError(error.message, EXIT.unreachable, error.code);
  }
}

export function milliseconds(seconds: string): number {
  if (/^\d+(\.\d+)?$/.test(seconds) && Number(seconds) > 0) return Math.ceil(Number(seconds) * 1000);
  throw new UsageError(`--timeout must be a number of seconds above 0, not "${seconds}"`);
}

export function originOf(text: string): string {
  return new URL(agentUrl(text)).origin;
}
