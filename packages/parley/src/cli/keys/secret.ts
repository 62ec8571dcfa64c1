import { hashKey } from '../../server/auth/keys/key-text.ts';
import { hashPassword } from '../../server/auth/node/scrypt.ts';
import { prompterOf } from '../chat/prompter.ts';
import type { Surroundings } from '../surroundings.ts';
import { UsageError } from '../usage-error.ts';

/** Reads a secret from a pipe, or at a prompt that does not show it. */
export async function readSecret(surroundings: Surroundings): Promise<string> {
  const prompter = prompterOf(surroundings);
  try {
    const entry = await prompter.ask('Password or key: ', true);
    if (entry.kind === 'text' && entry.text !== '') return entry.text;
  } finally {
    prompter.close();
  }
  throw new UsageError('There is nothing to hash: pipe the password or the key in');
}

/** A quick hash only for what no person has made up: everything else could be guessed from it. */
export function hashSecret(secret: string): Promise<string> {
  return isRandom(secret) ? hashKey(secret) : hashPassword(secret);
}

/** At least 128 bits, going by what random texts look like: 32 hexadecimal digits, or 22 letters and digits of all kinds. */
function isRandom(secret: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(secret)) return new Set(secret.toLowerCase()).size >= 8;
  const isText = /^[\w.-]{22,}$/.test(secret);
  return isText && [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(secret)) && new Set(secret).size >= 12;
}
