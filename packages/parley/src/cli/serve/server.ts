import { isAbsolute, relative, resolve } from 'node:path';
import { A2AServer } from '../../a2a-server.ts';
import { logStrayErrors } from '../../adapters/stray-errors.ts';
import type { Agent } from '../../agent/agent.ts';
import type { PrivateKeySource } from '../../cards/keys/signing-key.ts';
import type { CardSettings } from '../../server/cards/card-setting.ts';
import { readKey } from '../card-trust.ts';
import { EXIT } from '../exit-codes.ts';
import type { Options } from '../options.ts';
import { wholeNumber } from '../options.ts';
import { CommandError } from '../show/problems.ts';
import { nearest } from '../text/nearest.ts';
import { inOptions, tlsOf, urlOf } from './tls.ts';

const DEFAULT_PORT = 4000;

export function portOf({ port }: Options): number {
  return port === undefined ? DEFAULT_PORT : wholeNumber('port', port, 0, 65_535);
}

/** Throws where the agent that is to be the default is not there. */
export function checkDefault(agents: readonly Agent[], { default: main }: Options): void {
  const names = agents.map(({ name }) => name);
  if (main === undefined || names.includes(main)) return;
  const meant = nearest(main, names);
  const advice = meant ? `did you mean ${meant}?` : `there are ${names.join(', ')}`;
  throw new CommandError(`There is no agent ${main}; ${advice}`, EXIT.usage, 'USAGE');
}

/** A server that listens. Whatever keeps it from doing so is told in one sentence, with what to do. */
export async function listen(agents: readonly Agent[], options: Options, cwd: string): Promise<A2AServer> {
  const port = portOf(options);
  const { db, default: main, host, open } = options;
  const tls = tlsOf(options, cwd);
  const url = urlOf(options);
  const store = db === undefined ? undefined : await storeAt(db, cwd);
  const auth = await authOf(options, cwd);
  const card = cardOf(options, cwd);
  let server: A2AServer;
  try {
    const interceptors = [logStrayErrors()];
    server = new A2AServer({ agents, default: main, store, auth, open, url, card, interceptors });
  } catch (error) {
    throw withAdvice(error);
  }
  try {
    return await server.listen({ port, host, tls });
  } catch (error) {
    throw withAdvice(error);
  }
}

/** The keys that callers must have: in a file of their own, or in that of the tasks. Without keys, their certificates. */
async function authOf({ keys, db, open, 'tls-ca': authority }: Options, cwd: string) {
  const guard = (keys !== undefined && '--keys') || (authority !== undefined && '--tls-ca');
  if (guard && open)
    throw new CommandError(`Either ${guard} or --open: a server lets in some or all`, EXIT.usage, 'USAGE');
  if (keys === undefined) {
    if (authority === undefined) return undefined;
    const { mtls } = await import('../../server/auth/schemes/mtls.ts');
    return mtls();
  }
  const { apiKeys } = await import('../../server/auth/keys/api-keys.ts');
  const file = resolve(cwd, keys);
  return db !== undefined && resolve(cwd, db) === file ? apiKeys() : apiKeys({ file });
}

/** The keys that cards are signed with. */
function cardOf({ 'card-key': files }: Options, cwd: string): CardSettings | undefined {
  return files && { sign: files.map((file) => ({ key: readKey('card-key', file, cwd) as PrivateKeySource })) };
}

async function storeAt(file: string, cwd: string) {
  const { sqlite } = await import('../../sqlite.ts');
  const path = isAbsolute(file) ? file : relative(process.cwd(), resolve(cwd, file));
  return sqlite(path);
}

function withAdvice(error: unknown): CommandError {
  const text = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  if (error instanceof Error && error.name === 'StoreError')
    return new CommandError(`${text}; --db FILE chooses another file`);
  if (/^card\.sign/.test(text))
    return new CommandError(
      text
        .replace(/^card\.sign(\[\d+\])?(\.key)?/, '--card-key$1')
        .replace('needs url, or hosts with the names of this server', 'needs --url'),
    );
  if (/^tls\.(?:cert|key|ca)\b/.test(text)) return new CommandError(inOptions(text));
  const [problem, remedy] = text.split(': give it auth');
  if (remedy !== undefined) {
    return new CommandError(`${problem}; --keys FILE lets in those with a key, --open lets in anybody`);
  }
  const cause = error instanceof Error ? error.cause : undefined;
  switch (cause instanceof Error && 'code' in cause ? cause.code : undefined) {
    case 'EADDRINUSE':
    case 'EACCES':
      return new CommandError(`${text}; --port 0 takes any free one`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CommandError(`${text}; --host 0.0.0.0 takes all addresses`);
    default:
      return new CommandError(text);
  }
}
