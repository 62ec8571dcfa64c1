import type { ClientBinding } from '../bindings/binding.ts';
import { CALLED_BINDINGS } from '../bindings/called.ts';
import type { BindingCaller, BindingCallerOptions, BindingCallOptions } from '../bindings/caller.ts';
import type { CallingDialect, CallingRest, ResultDecoders } from '../dialects/calling/calling.ts';
import type { CardVerifier } from '../dialects/cards/read-card.ts';
import type { AgentCard } from '../model/card.ts';
import { A2AError } from '../model/errors/errors.ts';
import type { OperationInputs } from '../model/operations.ts';
import { type TrustSettings, trustedKeys } from './keys/trusted-keys.ts';
import { verifyWith } from './verify-card.ts';

/** The options of a client that cards are verified by. */
export interface VerifyingOptions {
  /** Verifies each card before it is read. */
  readonly verifyCard: CardVerifier;
  /** Bindings that verify extended cards too. */
  readonly bindings: readonly ClientBinding[];
}

/** The options of a client that matter here. */
interface GivenOptions {
  readonly bindings?: readonly ClientBinding[] | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly timing?: { readonly now: () => number } | undefined;
}

/**
 * The options of a client that takes no card but those which a trusted key has signed, the extended one included. All others are
 * refused (UNTRUSTED_CARD), and of a card that is taken, only what its signature covers is looked at. The client of
 * `parley-a2a` does the same by `trust`.
 *
 * @example
 * const agent = await A2AClient.connect(url, verifiedCards({ jwksUrl: 'https://example.com/.well-known/jwks.json' }));
 */
export function verifiedCards<Options extends object = object>(
  trust: TrustSettings,
  options?: Options,
): Options & VerifyingOptions {
  const { fetch: send, timing, bindings = [] } = (options ?? {}) as GivenOptions;
  const keys = trustedKeys(trust, {
    fetch: send ?? ((input, init) => fetch(input, init)),
    now: timing?.now ?? Date.now,
  });
  const verifyCard: CardVerifier = async (published, signal) => (await verifyWith(keys, published, signal)).card;
  return {
    ...options,
    verifyCard,
    bindings: [...bindings, ...CALLED_BINDINGS].map((binding) => verifyingBinding(binding, verifyCard)),
  } as Options & VerifyingOptions;
}

/** A binding whose extended cards are verified before they are read. */
function verifyingBinding(binding: ClientBinding, verify: CardVerifier): ClientBinding {
  return {
    ...binding,
    open: (options) => verifyingCaller(binding, options, verify),
  };
}

function verifyingCaller(binding: ClientBinding, options: BindingCallerOptions, verify: CardVerifier): BindingCaller {
  const caller = binding.open(options);
  return {
    unary: (operation, input, call) =>
      operation === 'getExtendedCard'
        ? (verifiedExtendedCard(binding, options, input, { call, verify }) as Promise<never>)
        : caller.unary(operation, input, call),
    stream: (operation, input, call) => caller.stream(operation, input, call),
  };
}

type CardDecoder = ResultDecoders['getExtendedCard'];

/** The card is wanted as it was published, before anything is made of it: the reader of the dialect shows it. */
async function verifiedExtendedCard(
  binding: ClientBinding,
  options: BindingCallerOptions,
  input: OperationInputs['getExtendedCard'],
  { call, verify }: { readonly call: BindingCallOptions; readonly verify: CardVerifier },
): Promise<AgentCard> {
  let published: unknown;
  let decodeAgain: ((verified: unknown) => AgentCard) | undefined;
  const dialect = withCardDecoder(options.dialect, (decode) => (result, details) => {
    published = result;
    decodeAgain = (verified) => decode(verified, details);
    return decode(result, details);
  });
  await binding.open({ ...options, dialect }).unary('getExtendedCard', input, call);
  const verified = await verify(published, call.signal);
  if (!decodeAgain)
    throw new A2AError('UNTRUSTED_CARD', 'The binding does not show the extended card as it was published');
  return decodeAgain(verified);
}

type Wrap = (decode: CardDecoder) => CardDecoder;

function withCardDecoder(dialect: CallingDialect, wrap: Wrap): CallingDialect {
  const { rest } = dialect;
  return {
    ...dialect,
    decodeResult: wrapped(dialect.decodeResult, wrap),
    rest: 'decodeResult' in rest ? wrappedRest(rest, wrap) : rest,
  };
}

function wrappedRest(rest: CallingRest, wrap: Wrap): CallingRest {
  const { withFiles } = rest;
  return {
    ...rest,
    decodeResult: wrapped(rest.decodeResult, wrap),
    withFiles: withFiles && ((files) => wrappedRest(withFiles(files), wrap)),
  };
}

function wrapped(decoders: ResultDecoders, wrap: Wrap): ResultDecoders {
  return { ...decoders, getExtendedCard: wrap(decoders.getExtendedCard) };
}
