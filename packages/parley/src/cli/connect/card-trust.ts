import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type PublicKeySource, type TrustSettings, trustedKeys } from '../../cards/keys/trusted-keys.ts';
import type { Options } from '../options.ts';
import { programOf, type Surroundings } from '../surroundings.ts';
import { UsageError } from '../usage-error.ts';

/** The keys that cards must be signed with, as the command line names them; undefined where it names none. */
export function trustOf({ jwks, trust }: Options, env: Surroundings['env']): TrustSettings | undefined {
  if (jwks === undefined && trust === undefined) return undefined;
  const { cwd } = programOf(env, process.cwd());
  const settings = { jwksUrl: jwks, keys: trust?.map((file) => readKey('trust', file, cwd) as PublicKeySource) };
  try {
    trustedKeys(settings, { fetch, now: Date.now });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new UsageError(problem.replace(/^trust\.jwksUrl/, '--jwks').replace(/^trust\.keys\[\d+\]/, '--trust'));
  }
  return settings;
}

/** The text of a PEM file, or the parsed JSON of a key or of a set of keys. */
export function readKey(option: string, file: string, cwd: string): unknown {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new UsageError(`--${option} ${file} cannot be read${reason}`);
  }
  if (!text.trimStart().startsWith('{')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`--${option} ${file} is neither PEM nor JSON`);
  }
}
