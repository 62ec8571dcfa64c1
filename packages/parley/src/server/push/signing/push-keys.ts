import type { KeptValueFacet, Logger, Vault } from '../../../engine/ports.ts';
import { isPlainObject } from '../../../model/basics/json.ts';
import { newPushKeys, type PushPublicJwk, publicJwkOf, publicKeyOf } from '../../../push/signature/signing-keys.ts';

export interface PushKeysOptions {
  /** The keys that the operator gave; the first one is in use, the others still sign while receivers change. */
  readonly given: readonly string[];
  readonly store: KeptValueFacet;
  readonly vault: Vault | undefined;
  readonly log: Logger;
}

const NAME = 'push signing key';

/** The keys with which webhooks are signed: given, or made once and kept in the store for all nodes and restarts. */
export class PushKeys {
  readonly #options: PushKeysOptions;
  #signingKeys: readonly string[] = [];
  #publicKeys: readonly string[] = [];

  constructor(options: PushKeysOptions) {
    this.#options = options;
  }

  /** `whsk_…`. Empty until it is open. */
  get signingKeys(): readonly string[] {
    return this.#signingKeys;
  }

  /** `whpk_…`, in the same order. */
  get publicKeys(): readonly string[] {
    return this.#publicKeys;
  }

  /** Throws a TypeError for a given key that is invalid. */
  async open(): Promise<void> {
    const { given } = this.#options;
    const signingKeys = given.length > 0 ? given : [await this.#keptKey()];
    this.#publicKeys = await Promise.all(signingKeys.map(publicKeyOf));
    this.#signingKeys = signingKeys;
  }

  jwks(): Promise<readonly PushPublicJwk[]> {
    return Promise.all(this.#publicKeys.map(publicJwkOf));
  }

  async #keptKey(): Promise<string> {
    const { store, log } = this.#options;
    const kept = await store.keptValue(NAME);
    const known = kept === undefined ? undefined : await this.#read(kept);
    if (known !== undefined) return known;
    const { signingKey } = await newPushKeys();
    if (kept !== undefined) {
      log.error(
        'The key that signs webhooks cannot be read: secretKey has not the key for it. Another one is used',
        {},
      );
      return signingKey;
    }
    if (await store.keepValue(NAME, await this.#written(signingKey))) return signingKey;
    // Another node was quicker.
    return (await this.#read((await store.keptValue(NAME)) ?? '')) ?? signingKey;
  }

  async #written(key: string): Promise<string> {
    const { vault } = this.#options;
    return JSON.stringify(vault ? { sealed: await vault.seal(key, NAME) } : { key });
  }

  async #read(kept: string): Promise<string | undefined> {
    const value: unknown = JSON.parse(kept);
    if (!isPlainObject(value)) return undefined;
    if (typeof value.key === 'string') return value.key;
    return typeof value.sealed === 'string' ? this.#options.vault?.open(value.sealed, NAME) : undefined;
  }
}
