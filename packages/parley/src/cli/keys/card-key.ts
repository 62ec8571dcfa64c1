import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Jwk } from '../../cards/keys/algorithms.ts';
import { readSigningKey } from '../../cards/keys/signing-key.ts';
import { exportJwk, newKeyPair } from '../../cards/keys/web-crypto.ts';
import { CommandError } from '../show/problems.ts';

/**
 * Makes a key for signing cards and writes it into a new file that only its owner may read. Returns the public half. ES256, as
 * every verifier knows it.
 */
export async function createCardKey(file: string, cwd: string, kid: string | undefined): Promise<Jwk> {
  const pair = await newKeyPair('ES256');
  const { publicJwk, kid: name } = await readSigningKey({ key: pair, kid });
  const { key_ops: _operations, ext: _extractable, ...secret } = await exportJwk(pair.privateKey);
  const text = `${JSON.stringify({ ...secret, kid: name, alg: 'ES256' }, undefined, 2)}\n`;
  try {
    writeFileSync(resolve(cwd, file), text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const problem =
      code === 'EEXIST' ? 'is there already, and a key is not written over' : `cannot be written (${String(code)})`;
    throw new CommandError(`${file} ${problem}`);
  }
  return publicJwk;
}
