import { A2AError } from '../model/errors/errors.ts';
import { type ImportGrpc, loadGrpc, notCarried } from './grpc/load.ts';
import {
  capabilitiesOf,
  cardAddresses,
  cardRequest,
  declaredIn,
  type FetchedCard,
  nameOfTarget,
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
import type { Transport } from './wire/transport.ts';

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
  readonly isAllowed?: ((url: string, binding: Target['binding']) => boolean) | undefined;
  /** The way of its requests over HTTP. Default: over the network, to any address. */
  readonly carrier?: Carrier | undefined;
  /** Gets what speaks gRPC. Without it, interfaces of gRPC are left out. */
  readonly importGrpc?: ImportGrpc | undefined;
}

const CARD_LIMIT_MS = 10_000;
const NO_CREDENTIALS: Credentials = async () => ({});

/** Finds the card of a server. Throws an A2AError if there is none that names an interface. */
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
  const wanted = targetsOf(declared).filter(
    (target) =>
      (options.version === undefined || target.version === options.version) &&
      (options.binding === undefined || target.binding === options.binding) &&
      (options.isAllowed?.(target.url, target.binding) ?? true),
  );
  const way = options.importGrpc ?? notCarried;
  const { targets, leftOut } = await speakable(wanted, sender, () => loadGrpc(way, budget.limits));
  return {
    url,
    cardUrl: address,
    cards,
    card,
    capabilities: capabilitiesOf(card),
    declared,
    targets,
    leftOut,
    budget,
    sender,
    credentials: withRequired(options.credentials?.(card) ?? NO_CREDENTIALS, card),
    otherCredentials: options.otherCredentials && withRequired(options.otherCredentials(card), card),
    prompts: options.prompts ?? {},
    receiver: options.receiver,
  };
}

/**
 * The interfaces that can be spoken to, and why some of them are not. Those of gRPC need packages that may not be installed: where
 * there are others, these are looked at; where there are none, it throws.
 */
async function speakable(
  wanted: readonly Target[],
  sender: Sender,
  load: () => Promise<Transport>,
): Promise<Pick<Server, 'targets' | 'leftOut'>> {
  const others = wanted.filter(({ binding }) => binding !== 'grpc');
  if (others.length === wanted.length) return { targets: wanted, leftOut: [] };
  try {
    sender.carryGrpc(await load());
    return { targets: wanted, leftOut: [] };
  } catch (error) {
    if (others.length === 0) throw error;
    const names = wanted.filter((target) => !others.includes(target)).map(nameOfTarget);
    return { targets: others, leftOut: [`${names.join(', ')}: ${(error as Error).message}`] };
  }
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
