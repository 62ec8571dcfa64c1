import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Grant, GrantStore } from '../../client/auth/oauth/grants.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import type { Surroundings } from '../surroundings.ts';
import { withFileLock } from './file-lock.ts';

const LARGEST_FILE_BYTES = 2 ** 20;
/** File systems take no longer names. */
const LONGEST_NAME = 200;

/** Keeps logins in the user's configuration folder: a file for each origin, which other users cannot read. */
export class TokenFiles implements GrantStore {
  readonly #folder: string | undefined;

  constructor(env: Surroundings['env']) {
    this.#folder = folderOf(env);
  }

  read(origin: string): readonly Grant[] {
    if (this.#folder === undefined) return [];
    const file = join(this.#folder, fileName(origin));
    const text = readIfThere(file);
    if (text === undefined) return [];
    const grants = grantsIn(text, origin);
    if (grants) return grants;
    throw new Error(`The login for ${origin} in ${file} cannot be read; parley logout ${origin} removes it`);
  }

  write(origin: string, grants: readonly Grant[]): void {
    const folder = this.checkedFolder();
    const file = join(folder, fileName(origin));
    if (grants.length === 0) {
      rmSync(file, { force: true });
      return;
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A reader sees the old file or the new one meanwhile, never half of it.
    const draft = join(folder, `.${randomUUID()}.tmp`);
    try {
      writeFileSync(draft, `${JSON.stringify({ origin, grants }, null, 2)}\n`, {
        mode: 0o600,
        flag: 'wx',
        flush: true,
      });
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }

  /** A refresh token often works only once, so that commands which run at the same time renew one after the other. */
  exclusively<T>(origin: string, work: () => Promise<T>): Promise<T> {
    return withFileLock(join(this.checkedFolder(), `${fileName(origin)}.lock`), work);
  }

  /** Every token that is kept, for any origin; what cannot be read holds none. */
  secrets(): readonly string[] {
    const folder = this.#folder;
    if (folder === undefined) return [];
    return filesIn(folder).flatMap((name) => secretsIn(join(folder, name)));
  }

  /** The folder; throws where the surroundings name none. */
  checkedFolder(): string {
    if (this.#folder !== undefined) return this.#folder;
    throw new Error('There is no folder for the login: set XDG_CONFIG_HOME');
  }
}

function fileName(origin: string): string {
  const plain = encodeURIComponent(origin);
  return `${plain.length <= LONGEST_NAME ? plain : createHash('sha256').update(origin).digest('hex')}.json`;
}

/** By the XDG base directory specification, which has relative paths ignored. */
function folderOf({ XDG_CONFIG_HOME: configured, HOME, APPDATA }: Surroundings['env']): string | undefined {
  if (configured && isAbsolute(configured)) return join(configured, 'parley', 'tokens');
  if (HOME) return join(HOME, '.config', 'parley', 'tokens');
  return APPDATA ? join(APPDATA, 'parley', 'tokens') : undefined;
}

function readIfThere(file: string): string | undefined {
  try {
    if (statSync(file).size > LARGEST_FILE_BYTES) return '';
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

const MOST_FILES = 1000;

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

function secretsIn(file: string): readonly string[] {
  try {
    const text = readIfThere(file) ?? '';
    return [...text.matchAll(/"(?:accessToken|refreshToken)"\s*:\s*"([^"]+)"/g)].map(([, token = '']) => token);
  } catch {
    return [];
  }
}

/** Undefined where the file is not one of ours, or about another origin. */
function grantsIn(text: string, origin: string): readonly Grant[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isPlainObject(parsed) || parsed.origin !== origin || !Array.isArray(parsed.grants)) return undefined;
  return parsed.grants.every(isGrant) ? parsed.grants : undefined;
}

function isGrant(value: unknown): value is Grant {
  if (!isPlainObject(value)) return false;
  const texts = [value.issuer, value.tokenUrl, value.clientId, value.accessToken];
  const optional = [value.resource, value.refreshToken].filter((one) => one !== undefined);
  const { scopes, renewAt } = value;
  return (
    [...texts, ...optional].every((one) => typeof one === 'string') &&
    [value.tokenUrl, value.resource ?? value.tokenUrl].every((one) => URL.canParse(String(one))) &&
    Array.isArray(scopes) &&
    scopes.every((scope) => typeof scope === 'string') &&
    typeof renewAt === 'number'
  );
}
