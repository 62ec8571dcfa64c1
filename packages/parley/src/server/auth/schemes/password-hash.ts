import { toBase64Url } from '../../../model/basics/bytes.ts';
import { fromBase64Url } from '../digest.ts';

/** A hash with all that it takes to check a password against it: `scrypt:N:r:p:salt:hash`. */
export interface PasswordHash {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

export type ScryptCost = Pick<PasswordHash, 'cost' | 'blockSize' | 'parallelization'>;

/** 32 MB and about a tenth of a second; one of the settings that OWASP recommends. */
export const DEFAULT_COST: ScryptCost = { cost: 2 ** 15, blockSize: 8, parallelization: 3 };
/** A hash that asks for more memory is refused, in bytes. */
const MOST_MEMORY = 256 * 1024 * 1024;
const MOST_PARALLELIZATION = 16;
const SHORTEST_SALT = 8;
const SHORTEST_KEY = 16;

export function formatHash({ cost, blockSize, parallelization, salt, key }: PasswordHash): string {
  return ['scrypt', cost, blockSize, parallelization, toBase64Url(salt), toBase64Url(key)].join(':');
}

/** Throws where the text is no hash; the message never repeats the text. */
export function parseHash(text: string): PasswordHash {
  const [algorithm, ...fields] = typeof text === 'string' ? text.split(':') : [];
  const [cost = 0, blockSize = 0, parallelization = 0] = fields.slice(0, 3).map(Number);
  if (algorithm !== 'scrypt' || fields.length !== 5)
    throw new TypeError('It is not of the form scrypt:N:r:p:salt:hash');
  const isCost = Number.isSafeInteger(cost) && cost > 1 && Number.isInteger(Math.log2(cost));
  const isBlockSize = Number.isSafeInteger(blockSize) && blockSize >= 1;
  const isParallelization =
    Number.isSafeInteger(parallelization) && parallelization >= 1 && parallelization <= MOST_PARALLELIZATION;
  if (!isCost || !isBlockSize || !isParallelization || memoryOf({ cost, blockSize, parallelization }) > MOST_MEMORY) {
    throw new TypeError('Its cost is not one that scrypt can be run with here');
  }
  const [salt, key] = [fromBase64Url(fields[3] ?? ''), fromBase64Url(fields[4] ?? '')];
  if (salt.length < SHORTEST_SALT || key.length < SHORTEST_KEY)
    throw new TypeError('Its salt or its hash is too short');
  return { cost, blockSize, parallelization, salt, key };
}

/** The bytes of memory that scrypt needs for it. */
export function memoryOf({ cost, blockSize, parallelization }: ScryptCost): number {
  return 128 * blockSize * (cost + parallelization + 2);
}
