import { discard, parseJson, readText, responseFacts } from '../../bindings/http/response.ts';
import { unreachable } from '../../bindings/http/unreachable.ts';
import type { CallingDialect } from '../../dialects/calling/calling.ts';
import { type CardCheck, type CardVerifier, readAgentCard } from '../../dialects/cards/read-card.ts';
import type { AgentCard } from '../../model/card.ts';
import { A2AError, type A2AErrorCode, isA2AError } from '../../model/errors/errors.ts';
import { transportCodeOf } from '../../model/errors/http-status-codes.ts';
import { httpUrl } from '../call/http-url.ts';
import { DEFAULT_LIFETIME_MS } from '../pace.ts';

export interface DiscoveryOptions {
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly cardBytes: number;
  readonly now: () => number;
  /** The informal dialects that a card may be in. */
  readonly dialects: readonly CallingDialect[];
  readonly checkCard?: CardCheck | undefined;
  readonly verifyCard?: CardVerifier | undefined;
}

/** A card and what is known of how long it holds. */
export interface FetchedCard {
  readonly card: AgentCard;
  readonly complaints: readonly string[];
  /** The informal dialect that the card is in, and its agent speaks. */
  readonly dialect?: CallingDialect | undefined;
  readonly url: string;
  readonly etag: string | undefined;
  readonly freshUntil: number;
}

const WELL_KNOWN = '/.well-known/agent-card.json';
/** Before 0.3, and in documents of that time (reference: v1-agent-card §1). */
const OLDER = ['/.well-known/agent.json', '/.well-known/agent-card'];

/** The addresses at which the card of an agent may be, the likeliest first. */
export function cardAddresses(base: URL, path: string | undefined): readonly string[] {
  if (path !== undefined) return [below(base, path)];
  if (base.pathname.endsWith('.json') || base.pathname.includes('/.well-known/')) return [base.href];
  // The base names one of several agents: the host's own card would be another's.
  if (base.pathname.includes('/agents/')) return [WELL_KNOWN, ...OLDER, '/card'].map((place) => below(base, place));
  const root = new URL(base.origin);
  const places = [WELL_KNOWN, ...OLDER].flatMap((place) => [below(base, place), below(root, place)]);
  return [...new Set(places)];
}

/** An address below another, whose query stays. */
export function below(base: URL, path: string): string {
  if (/^https?:\/\//i.test(path)) return path;
  const url = new URL(base);
  url.pathname = `${pathOf(base)}/${path.replace(/^\/+/, '')}`;
  return url.href;
}

const NOT_HERE: readonly A2AErrorCode[] = ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'INVALID_RESPONSE'];

/** The first card that is found, or an error that names the places. */
export async function findCard(
  addresses: readonly string[],
  options: DiscoveryOptions,
  base?: URL,
): Promise<FetchedCard> {
  const tried: string[] = [];
  let httpStatus: number | undefined;
  let refusal: A2AError | undefined;
  for (const address of addresses) {
    let found = await fetchCard(address, undefined, options).catch((error: unknown) => {
      // Servers refuse what they do not know, or answer it with anything; the card may be in an older place.
      if (!isA2AError(error) || !NOT_HERE.includes(error.code)) throw error;
      refusal ??= error;
      return error.message;
    });
    // An address that is the only one was meant as it is.
    if (addresses.length > 1 && base && typeof found === 'object' && isAbove(found, address, base))
      found = 'of another address';
    if (typeof found === 'object') return found;
    tried.push(`${address} (${found})`);
    httpStatus ??= Number(/\d{3}/.exec(found)?.[0]) || undefined;
  }
  if (refusal) throw refusal;
  throw new A2AError('NOT_FOUND', `No agent card was found at ${tried.join(', ')}`, { httpStatus });
}

/**
 * True for the host's card where the address is below its agent's without being that itself: what is asked for, a tenant for
 * one, has a card of its own, or is not there.
 */
function isAbove({ card }: FetchedCard, address: string, base: URL): boolean {
  const isOfHost = address.startsWith(`${base.origin}/.`);
  const own = pathOf(base);
  const paths = card.interfaces.flatMap(({ url }) => httpUrl(url) ?? []).map(pathOf);
  return isOfHost && !paths.includes(own) && paths.some((path) => own.startsWith(`${path}/`));
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/(?<!\/)\/+$/, '');
}

/** The same card, or a newer one, once its time is up (reference: v1-agent-card §4). */
export async function revalidated(known: FetchedCard, options: DiscoveryOptions): Promise<FetchedCard> {
  const found = await fetchCard(known.url, known, options);
  if (typeof found === 'object') return found;
  throw new A2AError('NOT_FOUND', `The agent card at ${known.url} is gone: ${found}`);
}

/** The card; or why there is none at this address. */
async function fetchCard(
  address: string,
  known: FetchedCard | undefined,
  { fetch: send, headers, signal, cardBytes, now, dialects, checkCard, verifyCard }: DiscoveryOptions,
): Promise<FetchedCard | string> {
  const response = await send(address, {
    headers: { accept: 'application/json', ...headers, ...(known?.etag && { 'if-none-match': known.etag }) },
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw unreachable(address, error);
  });
  const freshUntil = now() + lifetimeOf(response.headers.get('cache-control'));
  if (!response.ok) {
    discard(response);
    const { status } = response;
    if (status === 304 && known) return { ...known, freshUntil };
    const problem = `status ${status}`;
    // Other statuses say that there is no card.
    const isBusy = status === 429 || status >= 500;
    const code = isBusy ? 'UNAVAILABLE' : status === 401 || status === 403 ? transportCodeOf(status) : undefined;
    if (code) throw new A2AError(code, `No agent card is given at ${address}: ${problem}`, responseFacts(response));
    return problem;
  }
  const text = await readText(response, cardBytes, signal);
  const parsed = parseJson(text);
  if (parsed === undefined) return 'not JSON';
  const received = readAgentCard(verifyCard ? await verifyCard(parsed, signal) : parsed, dialects, checkCard);
  const url = response.url || address;
  const etag = response.headers.get('etag') ?? undefined;
  return { ...received, card: absolute(received.card, url), url, etag, freshUntil };
}

/** Some cards have addresses without a host: they are meant from where the card is. */
function absolute(card: AgentCard, from: string): AgentCard {
  const interfaces = card.interfaces.map((entry) =>
    entry.url.startsWith('/') ? { ...entry, url: new URL(entry.url, from).href } : entry,
  );
  return { ...card, interfaces };
}

function lifetimeOf(cacheControl: string | null): number {
  const directives = cacheControl ?? '';
  if (/\bno-(store|cache)\b/i.test(directives)) return 0;
  const seconds = /\bmax-age=(\d+)/i.exec(directives)?.[1];
  return seconds === undefined ? DEFAULT_LIFETIME_MS : Number(seconds) * 1000;
}
