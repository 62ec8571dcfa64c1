import type { Jwk } from '../../cards/keys/algorithms.ts';
import { type CardKey, readSigningKey, type SigningKey } from '../../cards/keys/signing-key.ts';
import { type CardJson, cardPayload } from '../../cards/payload/card-payload.ts';
import { signaturesOf } from '../../cards/sign-card.ts';
import type { CardSignature } from '../../cards/signature.ts';

/** The most cards whose signatures are kept: extended cards, and those of hosts, have no bound. */
const MOST_KEPT = 64;

/** Signs cards with the keys of a server. The same card is signed once. */
export class CardSigner {
  readonly #settings: readonly CardKey[];
  readonly #kept = new Map<string, Promise<readonly CardSignature[]>>();
  #reading: Promise<readonly SigningKey[]> | undefined;

  constructor(settings: readonly CardKey[]) {
    this.#settings = settings;
  }

  /** Reads the keys. Throws a TypeError that names the one that cannot be used. */
  async open(): Promise<void> {
    await this.#keys();
  }

  /** The public halves, for verifiers. */
  async publicKeys(): Promise<readonly Jwk[]> {
    return (await this.#keys()).map(({ publicJwk }) => publicJwk);
  }

  sign(card: CardJson): Promise<readonly CardSignature[]> {
    const payload = cardPayload(card);
    const known = this.#kept.get(payload);
    if (known) return known;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MOST_KEPT) this.#kept.delete(oldest);
    const made = this.#keys().then((keys) => signaturesOf(card, keys));
    this.#kept.set(payload, made);
    // A failure is tried again.
    made.catch(() => this.#kept.delete(payload));
    return made;
  }

  #keys(): Promise<readonly SigningKey[]> {
    this.#reading ??= readKeys(this.#settings);
    return this.#reading;
  }
}

async function readKeys(settings: readonly CardKey[]): Promise<readonly SigningKey[]> {
  const keys = await Promise.all(
    settings.map((key, index) =>
      readSigningKey(key, settings.length > 1 ? `card.sign[${index}].key` : 'card.sign.key'),
    ),
  );
  const names = keys.map(({ kid }) => kid);
  const twice = names.find((kid, index) => names.indexOf(kid) !== index);
  if (twice !== undefined) throw new TypeError(`card.sign has two keys of the name ${JSON.stringify(twice)}`);
  return keys;
}
