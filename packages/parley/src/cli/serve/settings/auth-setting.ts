import { resolve } from 'node:path';
import type { AuthSetting } from '../../../server/auth/guard/settings.ts';
import type { JwtOptions } from '../../../server/auth/jwt/options.ts';
import { EXIT } from '../../exit-codes.ts';
import { CommandError } from '../../show/problems.ts';
import { databaseOf, KEYS_OF_STORE, type ServeSettings, settingOf } from './serve-settings.ts';

/**
 * Lets in callers with a key from a file of their own or that of the tasks, or with a token of an issuer; without
 * either, those with a certificate of the authority.
 */
export async function authOf(settings: ServeSettings, cwd: string): Promise<AuthSetting | undefined> {
  const own = settingOf<AuthSetting>(settings, 'auth');
  const keys = settingOf<string>(settings, 'auth.keys');
  const jwt = jwtOf(settings);
  const authority = settingOf<string>(settings, 'tls.ca');
  const guard =
    (own && 'auth') ||
    (keys !== undefined && '--keys') ||
    (jwt && 'auth.jwt') ||
    (authority !== undefined && '--tls-ca');
  if (guard && settingOf<boolean>(settings, 'open')) {
    throw new CommandError(`Either ${guard} or --open: a server lets in some or all`, EXIT.usage, 'USAGE');
  }
  if (own) return own;
  const all = [
    ...(keys === undefined ? [] : [await keysIn(keys, settings, cwd)]),
    ...(jwt ? [await tokensOf(jwt)] : []),
  ];
  if (all.length > 0) return all;
  if (authority === undefined) return undefined;
  const { mtls } = await import('../../../server/auth/schemes/mtls.ts');
  return mtls();
}

async function keysIn(keys: string, settings: ServeSettings, cwd: string) {
  if (areInStore(keys, settings, cwd)) return (await import('../../../server/auth/keys/api-keys.ts')).apiKeys();
  const { usableKeys } = await import('../../keys/usable-keys.ts');
  return usableKeys(resolve(cwd, keys));
}

/** `store`, or the file of the tasks. */
function areInStore(keys: string, settings: ServeSettings, cwd: string): boolean {
  const database = databaseOf(settings);
  if (keys === KEYS_OF_STORE) return true;
  return database !== undefined && resolve(cwd, database) === resolve(cwd, keys);
}

async function tokensOf(options: JwtOptions) {
  const { jwt } = await import('../../../server/auth/jwt/jwt.ts');
  try {
    return jwt(options);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new CommandError(text.replace(/^jwt: /, 'auth.jwt: '), EXIT.usage, 'CONFIG');
  }
}

function jwtOf(settings: ServeSettings): JwtOptions | undefined {
  const get = <Value>(name: string) => settingOf<Value>(settings, `auth.jwt.${name}`);
  const names = ['issuer', 'audience', 'jwks', 'secret', 'tenant'] as const;
  const set = names.filter((name) => get(name) !== undefined);
  if (set.length === 0) return undefined;
  for (const name of ['issuer', 'audience'] as const) {
    if (get(name) === undefined) {
      throw new CommandError(`auth.jwt.${set[0]} needs auth.jwt.${name} too`, EXIT.usage, 'CONFIG');
    }
  }
  return Object.fromEntries(set.map((name) => [name, get(name)])) as unknown as JwtOptions;
}
