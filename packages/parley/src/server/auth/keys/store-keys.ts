import type { ApiKeyFacet, ApiKeyRecord, Awaitable } from '../../../engine/ports.ts';
import type { AuthTools } from '../authenticator.ts';
import { whenKnown } from '../guard/when-known.ts';
import { uncheckable } from '../refusals.ts';
import { checkedKeys, isKeyId } from './key-record.ts';
import { KeyRing } from './key-ring.ts';
import { KEYS_FRESHNESS, type KeySource } from './key-source.ts';
import { idOf } from './key-text.ts';

/** The most keys that are held after their use. */
const MOST_HELD = 10_000;

interface Held {
  readonly record: string;
  readonly ring: KeyRing;
  readonly lookedAt: number;
}

/** Keys in the server's store, each found by the id in its text. */
export class StoreKeys implements KeySource {
  readonly #none = new KeyRing([]);
  readonly #held = new Map<string, Held>();

  open(tools: AuthTools): void {
    storeOf(tools);
  }

  ringFor(text: string, tools: AuthTools): Awaitable<KeyRing> {
    const id = idOf(text);
    if (id === undefined || !isKeyId(id)) return this.#none;
    const now = tools.now();
    const held = this.#held.get(id);
    if (held && now >= held.lookedAt && now - held.lookedAt < KEYS_FRESHNESS) return held.ring;
    const fail = (error: unknown): never => {
      tools.log.error('The API keys of the store cannot be read', { error });
      throw uncheckable(error);
    };
    let found: Awaitable<ApiKeyRecord | undefined>;
    try {
      found = storeOf(tools).apiKey(id);
    } catch (error) {
      return fail(error);
    }
    return whenKnown(found, (record) => this.#hold(id, record, now), fail);
  }

  #hold(id: string, record: ApiKeyRecord | undefined, now: number): KeyRing {
    const before = this.#held.get(id);
    this.#held.delete(id);
    if (record === undefined) return this.#none;
    const text = JSON.stringify(record);
    const ring = before?.record === text ? before.ring : ringOf(record);
    this.#held.set(id, { record: text, ring, lookedAt: now });
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MOST_HELD) break;
      this.#held.delete(oldest);
    }
    return ring;
  }
}

function ringOf({ id, hash, subject, tenant, scopes }: ApiKeyRecord): KeyRing {
  return new KeyRing(checkedKeys([{ id, hash, subject, tenant, scopes }]));
}

function storeOf({ store }: AuthTools): ApiKeyFacet {
  if (store === undefined)
    throw new Error('apiKeys() without keys or a file keeps them in the store, and there is none');
  return store;
}
