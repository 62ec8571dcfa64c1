import { uncheckable } from '../refusals.ts';
import { DEFAULT_COST, formatHash, memoryOf, type PasswordHash, type ScryptCost } from '../schemes/password-hash.ts';

/**
 * Passwords hashed at once in this process. Each takes a thread of Node's pool, which files and name look-ups need too,
 * and tens of megabytes.
 */
const MOST_AT_ONCE = 2;
/** The most that wait for their turn; further ones are told to come later. */
const MOST_WAITING = 64;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

type NodeCrypto = typeof import('node:crypto');

/** Loaded with the first password, so that `parley-a2a/auth` starts where there is no Node. */
let loading: Promise<NodeCrypto> | undefined;

export function loadCrypto(): Promise<NodeCrypto> {
  loading ??= import('node:crypto').then((module) => module.default);
  return loading;
}

/** Hashes a password for `users` of `basic()`. */
export async function hashPassword(password: string, cost: ScryptCost = DEFAULT_COST): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const empty = { ...cost, salt, key: new Uint8Array(KEY_BYTES) };
  return formatHash({ ...empty, key: await derive(password, empty) });
}

/** Tells whether a password is the one that was hashed. Throws `UNAVAILABLE` if too many wait already. */
export async function verifyPassword(password: string, hash: PasswordHash): Promise<boolean> {
  const { timingSafeEqual } = await loadCrypto();
  const release = await takeTurn();
  try {
    return timingSafeEqual(await derive(password, hash), hash.key);
  } finally {
    release();
  }
}

async function derive(password: string, hash: PasswordHash): Promise<Uint8Array> {
  const node = await loadCrypto();
  const { cost, blockSize, parallelization, salt, key } = hash;
  // Twice what is needed: the exact bound differs between versions of OpenSSL.
  const options = { cost, blockSize, parallelization, maxmem: 2 * memoryOf(hash) };
  return new Promise((resolve, reject) => {
    node.scrypt(password.normalize('NFC'), salt, key.length, options, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
}

let running = 0;
const waiting: (() => void)[] = [];

/** Resolves when it may begin; what it resolves to must be called at the end. */
async function takeTurn(): Promise<() => void> {
  if (running < MOST_AT_ONCE) running++;
  else if (waiting.length < MOST_WAITING) await new Promise<void>((resolve) => waiting.push(resolve));
  else throw uncheckable(new Error(`More than ${MOST_WAITING} passwords wait to be checked`));
  return () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
}
