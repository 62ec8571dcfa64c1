import { grpcUrl } from '../grpc/address.ts';
import type { Version } from '../table/rule-info.ts';
import type { Target } from '../wire/caller.ts';
import type { Exchange, Outgoing } from '../wire/exchange.ts';
import { isObject, listAt, memberOf, textAt } from '../wire/json.ts';

/** A card as it was fetched. */
export interface FetchedCard {
  readonly exchange: Exchange;
  /** Undefined where the response is no JSON object. */
  readonly card: Readonly<Record<string, unknown>> | undefined;
}

export const WELL_KNOWN = '/.well-known/agent-card.json';

/** The addresses at which the card of an agent may be, the likeliest first. */
export function cardAddresses(url: string): readonly string[] {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/(?<!\/)\/+$/, '');
  if (path.endsWith('.json') || path.includes('/.well-known/')) return [`${origin}${path}`];
  return [...new Set([`${origin}${path}${WELL_KNOWN}`, `${origin}${WELL_KNOWN}`])];
}

export function cardRequest(url: string, version?: string): Outgoing {
  return {
    method: 'GET',
    url,
    headers: { accept: 'application/json', ...(version !== undefined && { 'a2a-version': version }) },
  };
}

export function readCard(exchange: Exchange): FetchedCard {
  const { got } = exchange;
  if (got?.status !== 200) return { exchange, card: undefined };
  try {
    const card: unknown = JSON.parse(got.text);
    return { exchange, card: isObject(card) ? card : undefined };
  } catch {
    return { exchange, card: undefined };
  }
}

/** An interface as a card declares it; the binding may be one that the check does not speak. */
export interface Declared {
  readonly version: string;
  readonly binding: string;
  readonly url: string;
  readonly tenant?: string | undefined;
}

/** All that a card declares, in its order: the list of 1.0, then what 0.3 cards have. */
export function declaredIn(card: unknown): readonly Declared[] {
  const modern = (listAt(card, 'supportedInterfaces') ?? []).flatMap((entry) => {
    const url = textAt(entry, 'url');
    if (url === undefined) return [];
    const version = majorMinor(textAt(entry, 'protocolVersion') ?? '');
    return [
      { version, binding: textAt(entry, 'protocolBinding') ?? '', url, tenant: textAt(entry, 'tenant') || undefined },
    ];
  });
  const version = majorMinor(textAt(card, 'protocolVersion') ?? '');
  const main = textAt(card, 'url');
  if (!version.startsWith('0.') || main === undefined) return modern;
  const first = { version, binding: textAt(card, 'preferredTransport') ?? 'JSONRPC', url: main };
  const others = (listAt(card, 'additionalInterfaces') ?? []).flatMap((entry) => {
    const url = textAt(entry, 'url');
    return url === undefined ? [] : [{ version, binding: textAt(entry, 'transport') ?? '', url }];
  });
  return [...modern, first, ...others];
}

function majorMinor(version: string): string {
  return /^\d+\.\d+/.exec(version)?.[0] ?? version;
}

const BINDINGS: Readonly<Record<string, Target['binding']>> = { JSONRPC: 'jsonrpc', 'HTTP+JSON': 'rest', GRPC: 'grpc' };
const VERSIONS: readonly string[] = ['1.0', '0.3'] satisfies readonly Version[];

/** The interfaces that the check can speak to, one for each version and binding. */
export function targetsOf(declared: readonly Declared[]): readonly Target[] {
  const targets = new Map<string, Target>();
  const everywhere = declared.map(({ url }) => url);
  for (const { version, binding: name, url: given, tenant } of declared) {
    const binding = BINDINGS[name];
    if (binding === undefined || !VERSIONS.includes(version)) continue;
    const url = binding === 'grpc' ? grpcUrl(given, everywhere) : webUrl(given);
    const key = `${version} ${binding}`;
    if (url === undefined || targets.has(key)) continue;
    targets.set(key, { version: version as Version, binding, url, tenant });
  }
  return [...targets.values()];
}

function webUrl(url: string): string | undefined {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url.replace(/(?<!\/)\/+$/, '') : undefined;
}

export function nameOfTarget({ version, binding }: Pick<Target, 'version' | 'binding'>): string {
  return `${version} ${binding}`;
}

export interface Capabilities {
  readonly streaming: boolean;
  readonly push: boolean;
  readonly extendedCard: boolean;
  /** URIs of the declared extensions. */
  readonly extensions: readonly string[];
  readonly required: readonly string[];
}

export function capabilitiesOf(card: unknown): Capabilities {
  const capabilities = memberOf(card, 'capabilities');
  const extensions = listAt(capabilities, 'extensions') ?? [];
  const urisOf = (some: readonly unknown[]) => some.map((extension) => textAt(extension, 'uri') ?? '').filter(Boolean);
  return {
    streaming: memberOf(capabilities, 'streaming') === true,
    push: memberOf(capabilities, 'pushNotifications') === true,
    extendedCard:
      memberOf(capabilities, 'extendedAgentCard') === true ||
      memberOf(card, 'supportsAuthenticatedExtendedCard') === true,
    extensions: urisOf(extensions),
    required: urisOf(extensions.filter((extension) => memberOf(extension, 'required') === true)),
  };
}
