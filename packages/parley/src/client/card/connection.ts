import { JSON_RPC } from '../../bindings/jsonrpc/name.ts';
import type { CallingDialect } from '../../dialects/calling/calling.ts';
import { type ClientDialects, clientDialects, dialectNamed, OFFICIAL_VERSIONS } from '../../dialects/calling/spoken.ts';
import { readAgentCard } from '../../dialects/cards/read-card.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { type AgentCard, RESUME_EXTENSION } from '../../model/card.ts';
import { A2AError, isA2AError } from '../../model/errors/errors.ts';
import type { TrustedOrigins } from '../auth/origins.ts';
import { httpUrl } from '../call/http-url.ts';
import { SharedWork } from '../call/shared-work.ts';
import type { ClientOptions } from '../options.ts';
import { LEAST_LIFETIME_MS, LONGEST_REVALIDATION_MS } from '../pace.ts';
import { below, cardAddresses, type DiscoveryOptions, type FetchedCard, findCard, revalidated } from './discovery.ts';
import { type Callable, callableInterfaces, informalInterface } from './interfaces.ts';

/** Prepares a request for the card, ended by a signal. */
type Discovery = (signal: AbortSignal) => Promise<DiscoveryOptions>;

export type Target = string | URL | AgentCard | JsonObject;

/** The agent that is called: its card, and the interface of it that is in use. */
export class Connection {
  readonly #options: ClientOptions;
  readonly #base: URL | undefined;
  /** The user's address for JSON-RPC, whatever the card says. */
  readonly #rpcUrl: string | undefined;
  readonly #trusted: TrustedOrigins;
  readonly #now: () => number;
  readonly dialects: ClientDialects;
  /** The informal dialect in use: by the settings, or because the card is in it. */
  #informal: CallingDialect | undefined;
  #fetched: FetchedCard | undefined;
  #card: AgentCard | undefined;
  #complaints: readonly string[] = [];
  #callables: readonly Callable[] = [];
  #current = 0;
  #opening: SharedWork | undefined;
  #checkedAt = 0;
  /** Nothing says which version is spoken: they are tried until one is understood. */
  #isGuessed = false;
  #isUnderstood = false;
  /** The extended card takes the place of the public one (reference: v1-operations §11). */
  #isExtended = false;

  constructor(target: Target, options: ClientOptions, trusted: TrustedOrigins, now: () => number) {
    this.#options = options;
    this.#trusted = trusted;
    this.#now = now;
    this.dialects = clientDialects(options.dialects ?? []);
    this.#informal = options.protocol === undefined ? undefined : dialectNamed(options.protocol, this.dialects);
    if (isCard(target)) {
      this.#useGiven(target);
    } else {
      const { rpcPath } = options;
      this.#base = addressOf(target);
      this.#rpcUrl = rpcPath === undefined ? undefined : below(this.#base, rpcPath);
      trusted.add(this.#base);
    }
  }

  get card(): AgentCard | undefined {
    return this.#card;
  }

  get complaints(): readonly string[] {
    return this.#complaints;
  }

  get current(): Callable | undefined {
    return this.#callables[this.#current];
  }

  /** Streams whose events depend on those before them cannot begin after a position. */
  get resumes(): boolean {
    if (this.#informal?.streamDecoder) return false;
    return this.#card?.capabilities.extensions.some(({ uri }) => uri === RESUME_EXTENSION) ?? false;
  }

  /** The card is known and need not be asked for again. */
  isFresh(exactly = false): boolean {
    const fetched = this.#isExtended ? undefined : this.#fetched;
    const due = exactly ? 0 : LEAST_LIFETIME_MS;
    const isStale = fetched && this.#now() >= Math.max(fetched.freshUntil, this.#checkedAt + due);
    return this.#card !== undefined && !isStale;
  }

  /** Finds the card, or looks whether it has changed. */
  async open(discovery: Discovery, signal: AbortSignal, exactly = false): Promise<void> {
    if (this.isFresh(exactly)) return;
    if (!this.#opening || this.#opening.isOver) {
      this.#opening = new SharedWork(async (shared) => this.#discover(await discovery(shared)));
    }
    await this.#opening.join(signal).catch((error: unknown) => {
      // A card that cannot be asked for again is still the best that is known.
      if (!this.#card) throw error;
    });
  }

  /**
   * Goes over from an interface that cannot be reached to the next one somewhere else: the same host is as unreachable
   * under another binding or version. False if there is none; the first one is then tried again with the next call.
   */
  fallBack(from: Callable): boolean {
    const { origin } = new URL(from.entry.url);
    return this.#goOver(from, ({ entry }) => new URL(entry.url).origin !== origin);
  }

  /** Goes over from a version that was guessed and is not understood to the next one. */
  guessAgain(from: Callable): boolean {
    if (!this.#isGuessed) return false;
    // Another call may have found out meanwhile.
    return this.#isUnderstood ? this.current !== from : this.#goOver(from, () => true);
  }

  /** Notes that the guessed version was understood. */
  settle(): void {
    this.#isUnderstood = true;
  }

  /** Notes that the card no longer holds: it is asked for again before its time is up. */
  doubt(): void {
    if (this.#fetched) this.#fetched = { ...this.#fetched, freshUntil: 0 };
  }

  #goOver(from: Callable, fits: (callable: Callable) => boolean): boolean {
    // Another call was quicker.
    if (this.current !== from) return true;
    const next = this.#callables.findIndex((callable, index) => index > this.#current && fits(callable));
    this.#current = Math.max(next, 0);
    return next >= 0;
  }

  useExtended(card: AgentCard): void {
    const { current } = this;
    const callables = card.interfaces.length > 0 ? this.#chosen(card, card) : this.#callables;
    this.#card = card;
    this.#isExtended = true;
    this.#callables = this.#rerouted(callables);
    const same = this.#callables.findIndex(
      ({ entry, binding, dialect }) =>
        entry.url === current?.entry.url && dialect === current.dialect && binding === current.binding,
    );
    this.#current = Math.max(same, 0);
  }

  async #discover(discovery: DiscoveryOptions): Promise<void> {
    const known = this.#fetched;
    if (known) {
      const signal = AbortSignal.any([discovery.signal, AbortSignal.timeout(LONGEST_REVALIDATION_MS)]);
      const found = await revalidated(known, { ...discovery, signal }).catch(() => ({ ...known, freshUntil: 0 }));
      this.#checkedAt = this.#now();
      this.#fetched = found;
      if (found.card !== known.card) this.#use(found);
      return;
    }
    const base = this.#base;
    if (!base) return;
    try {
      const found = await findCard(cardAddresses(base, this.#options.agentCardPath), discovery, base);
      this.#use(found);
      this.#fetched = found;
      this.#checkedAt = this.#now();
    } catch (error) {
      const isMissing = isA2AError(error) && (error.code === 'NOT_FOUND' || error.code === 'INVALID_RESPONSE');
      const isKnownHow = this.#rpcUrl || this.#informal;
      if (!isKnownHow || !isMissing) throw error;
      const capabilities = { streaming: true, pushNotifications: true, extendedAgentCard: true };
      this.#use({ ...readAgentCard({ name: base.host, capabilities }), complaints: [] });
    }
  }

  #use({ card, complaints, dialect }: Pick<FetchedCard, 'card' | 'complaints' | 'dialect'>): void {
    const { prefer, protocol } = this.#options;
    const isOpen = prefer?.version === undefined && prefer?.binding !== 'HTTP+JSON';
    // The protocol that the user named stays.
    if (protocol === undefined) this.#informal = isOpen ? dialect : undefined;
    const withRpc = this.#rpcUrl ? withJsonRpc(card, this.#rpcUrl) : { card, isGuessed: false };
    try {
      this.#callables = this.#chosen(card, withRpc.card);
    } catch (error) {
      throw withComplaints(error, complaints);
    }
    this.#card = card;
    this.#complaints = complaints;
    this.#current = 0;
    this.#isGuessed = withRpc.isGuessed;
    this.#isUnderstood = false;
  }

  #chosen(card: AgentCard, withRpc: AgentCard): readonly Callable[] {
    const { prefer, protocol } = this.#options;
    if (!this.#informal) {
      const version = OFFICIAL_VERSIONS.find((one) => one === protocol) ?? prefer?.version;
      return callableInterfaces(withRpc, this.dialects, { ...prefer, version }, this.#options.bindings);
    }
    const own = card.interfaces.length === 0 ? this.#base?.href : undefined;
    return [informalInterface(card, this.#informal, this.#rpcUrl ?? own)];
  }

  #rerouted(callables: readonly Callable[]): readonly Callable[] {
    const url = this.#rpcUrl;
    if (!url) return callables;
    return callables.map((one) =>
      one.entry.protocolBinding === JSON_RPC ? { ...one, entry: { ...one.entry, url } } : one,
    );
  }

  /** A card that the user has, in the model or as it was published. */
  #useGiven(target: AgentCard | JsonObject): void {
    const isModel = 'interfaces' in target && Array.isArray(target.interfaces);
    this.#use(
      isModel
        ? { card: target as AgentCard, complaints: [] }
        : readAgentCard(target, this.dialects.informal, this.#options.checkCard),
    );
    // A caller that hands a card over trusts the address in it.
    if (this.current) this.#trusted.add(this.current.entry.url);
  }
}

/** What is neither is refused as an address that is none: `undefined`, say, for a variable that is not set. */
function isCard(target: Target): target is AgentCard | JsonObject {
  return Object(target) === target && !(target instanceof URL);
}

function addressOf(target: string | URL): URL {
  const url = httpUrl(String(target));
  if (url && !url.username && !url.password) return url;
  const problem = url
    ? `The address of ${url.host} holds credentials: set credentials instead`
    : `Not an http(s) address or a card: ${String(target).slice(0, 200)}`;
  throw new A2AError('INVALID_PARAMS', problem);
}

/**
 * The card with JSON-RPC at this address first: in the versions that it has it in, else in that of its other interfaces.
 * Where it names none at all they are tried, the newer one until it is refused.
 */
function withJsonRpc(card: AgentCard, url: string): { readonly card: AgentCard; readonly isGuessed: boolean } {
  const rpc = card.interfaces.filter(({ protocolBinding }) => protocolBinding === JSON_RPC);
  const others = card.interfaces.filter(({ protocolBinding }) => protocolBinding !== JSON_RPC);
  const spoken = new Set(others.map(({ protocolVersion }) => protocolVersion));
  const isGuessed = card.interfaces.length === 0;
  const versions = isGuessed ? OFFICIAL_VERSIONS : [...spoken];
  const missing = versions.map((protocolVersion) => ({ url, protocolBinding: JSON_RPC, protocolVersion }));
  const own = rpc.length > 0 ? rpc.map((entry) => ({ ...entry, url })) : missing;
  return { card: { ...card, interfaces: [...own, ...others] }, isGuessed };
}

function withComplaints(error: unknown, complaints: readonly string[]): unknown {
  if (!isA2AError(error) || complaints.length === 0) return error;
  return new A2AError(error.code, `${error.message}. The card has faults: ${complaints.join('; ')}`, { cause: error });
}
