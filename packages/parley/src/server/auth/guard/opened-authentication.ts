import type { ApiKeyFacet, Logger } from '../../../engine/ports.ts';
import type { AuthTools } from '../authenticator.ts';
import type { Authentication } from '../combine.ts';
import { uncheckable } from '../refusals.ts';

/** Opens the authenticators of a server once for all who ask. After a failure the next one who asks tries again. */
export class OpenedAuthentication {
  readonly authentication: Authentication;
  readonly #tools: AuthTools;
  #opening: Promise<void> | undefined;
  #isOpen = false;

  constructor(authentication: Authentication, tools: AuthTools) {
    this.authentication = authentication;
    this.#tools = tools;
  }

  open(): Promise<void> {
    this.#opening ??= this.authentication.open(this.#tools).then(
      () => {
        this.#isOpen = true;
      },
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  /** Undefined where they are open. Rejects with what the caller of a request is told. */
  whenOpen(): Promise<void> | undefined {
    if (this.#isOpen) return undefined;
    return this.open().catch((error: unknown) => {
      this.#tools.log.error('The authenticators could not be opened', { error });
      throw uncheckable(error);
    });
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#isOpen = false;
    await opening?.catch(() => undefined);
    if (opening) await this.authentication.close();
  }
}

interface ToolSources {
  readonly log: Logger;
  readonly now: () => number;
  readonly store: ApiKeyFacet;
  /** Resolves when the store is open; undefined where it is. */
  readonly whenStoreOpen: () => Promise<void> | undefined;
}

/** The tools that a server gives its authenticators: keys are read when the store is open, and requests may come before. */
export function authTools({ log, now, store, whenStoreOpen }: ToolSources): AuthTools {
  const apiKey: ApiKeyFacet['apiKey'] = (id) => {
    const opening = whenStoreOpen();
    return opening ? opening.then(() => store.apiKey(id)) : store.apiKey(id);
  };
  return {
    log,
    now,
    store: {
      apiKey,
      listApiKeys: () => store.listApiKeys(),
      addApiKey: (record) => store.addApiKey(record),
      removeApiKey: (id) => store.removeApiKey(id),
    },
  };
}
