import { A2AError } from '../model/errors/errors.ts';
import {
  capabilitiesOf,
  cardAddresses,
  cardRequest,
  declaredIn,
  type FetchedCard,
  readCard,
  targetsOf,
} from './probe/cards.ts';
import type { Prompt, Situation } from './probe/prompts.ts';
import type { Receiver, Server } from './probe/server.ts';
import { Budget, DEFAULT_TOTAL_MS, limitsWithin } from './wire/budget.ts';
import type { Credentials, Target } from './wire/caller.ts';
import type { Carrier } from './wire/carrier.ts';
import { HttpCarrier } from './wire/http-carrier.ts';
import { Sender } from './wire/sender.ts';

export interface CheckOptions {
  /** Only interfaces that fit. */
  readonly version?: Target['version'] | undefined;
  readonly binding?: Target['binding'] | undefined;
  /** The headers that prove who calls; told the card. */
  readonly credentials?: ((card: unknown) => Credentials) | undefined;
  readonly otherCredentials?: ((card: unknown) => Credentials) | undefined;
  readonly prompts?: Readonly<Partial<Record<Situation, Prompt>>> | undefined;
  readonly totalMs?: number | undefined;
  readonly receiver?: Receiver | undefined;
  /** Tells whether an interface at this address may be called. */
  readonly isAllowed?: ((url: string) => boolean) | undefined;
  /** The way of its requests. Default: over the network, to any address. */
  readonly carrier?: Carrier | undefined;
}

const CARD_LIMIT_MS = 10_000;
const NO_CREDENTIALS: Credentials = async () => ({});

/** Finds the card of a server. Throws an A2AError where there is none, or none that names an interface. */
export async function openServer(url: string, options: CheckOptions = {}): Promise<Server> {
  const budget = new Budget(limitsWithin(options.totalMs ?? DEFAULT_TOTAL_MS));
  const sender = new Sender(budget, options.carrier ?? new HttpCarrier());
  const early = options.credentials?.(undefined) ?? NO_CREDENTIALS;
  const fetchCard = async (address: string, version?: string): Promise<FetchedCard> => {
    const request = cardRequest(address, version);
    const headers = { ...(await early(address)), ...request.headers };
    return readCard(await sender.exchange({ ...request, headers }, { waitMs: CARD_LIMIT_MS }));
  };
  const { address, plain } = await findCard(url, fetchCard);
  const cards = { plain, '1.0': await fetchCard(address, '1.0'), '0.3': await fetchCard(address, '0.3') };
  const card = cards['1.0'].card ?? plain.card ?? {};
  const declared = [...declaredIn(card), ...declaredIn(plain.card), ...declaredIn(cards['0.3'].card)];
  const targets = targetsOf(declared).filter(
    (target) =>
      (options.version === undefined || target.version === options.version) &&
      (options.binding === undefined || target.binding === options.binding) &&
      (options.isAllowed?.(target.url) ?? true),
  );
  return {
    url,
    cardUrl: address,
    cards,
    card,
    capabilities: capabilitiesOf(card),
    declared,
    targets,
    budget,
    sender,
    credentials: withRequired(options.credentials?.(card) ?? NO_CREDENTIALS, card),
    otherCredentials: options.otherCredentials && withRequired(options.otherCredentials(card), card),
    prompts: options.prompts ?? {},
    receiver: options.receiver,
  };
}

/** Every request names the extensions that the card requires. */
function withRequired(credentials: Credentials, card: unknown): Credentials {
  const { required } = capabilitiesOf(card);
  if (required.length === 0) return credentials;
  const named = required.join(', ');
  return async (url) => ({ ...(await credentials(url)), 'a2a-extensions': named, 'x-a2a-extensions': named });
}

async function findCard(
  url: string,
  fetchCard: (address: string) => Promise<FetchedCard>,
): Promise<{ readonly address: string; readonly plain: FetchedCard }> {
  let last: FetchedCard | undefined;
  for (const address of cardAddresses(url)) {
    const plain = await fetchCard(address);
    if (plain.card) return { address, plain };
    last = plain;
    if (plain.exchange.got === undefined) break;
  }
  const { got, trouble, late } = last?.exchange ?? {};
  if (got === undefined) {
    if (late) throw new A2AError('TIMEOUT', `The card did not come (${trouble})`);
    throw new A2AError('UNREACHABLE', trouble ?? 'No response');
  }
  if (got.status === 401) throw new A2AError('UNAUTHENTICATED', 'The card is not for everybody (HTTP 401)');
  if (got.status === 403) throw new A2AError('PERMISSION_DENIED', 'The card is not for you (HTTP 403)');
  if (got.status === 200)
    throw new A2AError('INVALID_RESPONSE', 'What is at the address of the card is no JSON object');
  throw new A2AError('NOT_FOUND', `No agent card was found (HTTP ${got.status})`);
}
