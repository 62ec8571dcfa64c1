import type { Vault } from '../../../engine/ports.ts';
import { isPlainObject } from '../../../model/basics/json.ts';
import { readSecrets, type StoredSecrets, type WebhookSecrets } from './webhook-config.ts';

/** Encrypts the secrets of configs in the store, where the server has a `secretKey`. */
export class ConfigSecrets {
  readonly #vault: Vault | undefined;

  constructor(vault: Vault | undefined) {
    this.#vault = vault;
  }

  async seal(secrets: WebhookSecrets, revision: string): Promise<StoredSecrets> {
    const isEmpty = secrets.token === undefined && secrets.credentials === undefined;
    if (isEmpty || !this.#vault) return secrets;
    return { sealed: await this.#vault.seal(JSON.stringify(secrets), subjectOf(revision)) };
  }

  /** Resolves with undefined where no key opens them. */
  async open(stored: StoredSecrets, revision: string): Promise<WebhookSecrets | undefined> {
    if (!('sealed' in stored)) return stored;
    const text = await this.#vault?.open(stored.sealed, subjectOf(revision));
    if (text === undefined) return undefined;
    const opened: unknown = JSON.parse(text);
    const secrets = isPlainObject(opened) ? readSecrets(opened) : {};
    return 'sealed' in secrets ? undefined : secrets;
  }
}

function subjectOf(revision: string): string {
  return `push ${revision}`;
}
