import { type Grant, type GrantStore, withGrant } from '../../client/auth/oauth/grants.ts';
import type { TokenFiles } from './token-file.ts';

/** Knows nothing of earlier logins, so that a person is asked again, and adds what is granted to the files. */
export class NewLogin implements GrantStore {
  readonly #files: TokenFiles;
  readonly #granted = new Map<string, readonly Grant[]>();

  constructor(files: TokenFiles) {
    this.#files = files;
  }

  read(origin: string): readonly Grant[] {
    return this.#granted.get(origin) ?? [];
  }

  write(origin: string, grants: readonly Grant[]): void {
    this.#granted.set(origin, grants);
    this.#files.write(origin, grants.toReversed().reduce(withGrant, this.#earlier(origin)));
  }

  /** A file that cannot be read makes way for the new login. */
  #earlier(origin: string): readonly Grant[] {
    try {
      return this.#files.read(origin);
    } catch {
      return [];
    }
  }
}
