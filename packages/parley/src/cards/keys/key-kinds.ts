import { isPlainObject } from '../../model/basics/json.ts';
import type { Jwk } from './algorithms.ts';

/** A key of `node:crypto`, as far as it is looked at here. */
export interface KeyObjectLike {
  readonly type: string;
  readonly asymmetricKeyType?: string | undefined;
  export(options: { readonly format: 'jwk' }): object;
}

export function isKeyObject(value: unknown): value is KeyObjectLike {
  return isPlainObject(value) && typeof value.export === 'function' && typeof value.type === 'string';
}

export function isJwk(value: unknown): value is Jwk {
  return isPlainObject(value) && typeof value.kty === 'string';
}

/** The members of private and of shared keys. */
const SECRETS: readonly string[] = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** The public half of a key, without what says how a private one may be used. */
export function publicHalf(key: Jwk): Jwk {
  const dropped = key.d === undefined ? SECRETS : [...SECRETS, 'key_ops', 'ext'];
  return Object.fromEntries(Object.entries(key).filter(([name]) => !dropped.includes(name))) as Jwk;
}
