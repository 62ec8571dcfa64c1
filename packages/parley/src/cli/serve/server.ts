import { isAbsolute, relative, resolve } from 'node:path';
import { A2AServer } from '../../a2a-server.ts';
import type { Agent } from '../../agent/agent.ts';
import { EXIT } from '../exit-codes.ts';
import type { Options } from '../options.ts';
import { wholeNumber } from '../options.ts';
import { CommandError } from '../show/problems.ts';
import { nearest } from '../text/nearest.ts';

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
  const { db, default: main, host } = options;
  const store = db === undefined ? undefined : await storeAt(db, cwd);
  const server = new A2AServer({ agents, default: main, store });
  try {
    return await server.listen({ port, host });
  } catch (error) {
    throw withAdvice(error);
  }
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
