import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostOptions } from '../adapters/support/host.ts';
import { ROOT } from '../setup/support/repository.ts';
import { NextApp, type StartedApp } from './next-app.ts';

/** The agents and the settings of the contract, as they are; they find each other by these paths. */
const SHARED = ['adapters/support/agents.ts', 'adapters/support/host.ts', 'support/script.ts'];

const SERVER = `
import { A2AServer } from 'parley-a2a';
import { oncePerProcess } from 'parley-a2a/next';
import { sqlite } from 'parley-a2a/sqlite';
import { type HostOptions, serverOptions } from './contract/adapters/support/host.ts';

const { PARLEY_OPTIONS = '{}', PARLEY_DB } = process.env;
export const options: HostOptions = JSON.parse(PARLEY_OPTIONS);
export const server = oncePerProcess(
  'contract',
  () => new A2AServer({ ...serverOptions(options.server), ...(PARLEY_DB && { store: sqlite(PARLEY_DB) }) }),
);
`;

/** All paths that nothing else of the app has. */
const CATCH_ALL = `
import { a2aNext } from 'parley-a2a/next';
import { options, server } from '../../a2a.ts';

export const dynamic = 'force-dynamic';
const handlers = a2aNext(server, { prefix: options.prefix });
export const { GET, HEAD, DELETE, OPTIONS } = handlers;

export async function POST(request: Request): Promise<Response> {
  if (options.parsing === 'lost') await request.text();
  return handlers.POST(request);
}
`;

const LOAD = `
import { server } from '../../a2a.ts';

export const dynamic = 'force-dynamic';
export function GET() {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return Response.json({ ...server.load, held: heapUsed + external });
}
`;

/**
 * The agents of the adapters' contract, served from one catch-all route at the root of an app; `/load` tells what the
 * server holds.
 */
export class ContractApp {
  readonly #app: NextApp;

  private constructor(app: NextApp) {
    this.#app = app;
  }

  static async build(): Promise<ContractApp> {
    const shared = SHARED.map((path) => [
      `contract/${path}`,
      readFileSync(join(ROOT, 'packages/parley/test', path), 'utf8'),
    ]);
    const app = await NextApp.create({
      package: 'installed',
      files: {
        ...Object.fromEntries(shared),
        'a2a.ts': SERVER,
        'agent.ts': undefined,
        'app/a2a': undefined,
        'app/.well-known': undefined,
        'app/page.tsx': undefined,
        'app/ask-form.tsx': undefined,
        'app/[[...path]]/route.ts': CATCH_ALL,
        'app/load/route.ts': LOAD,
      },
    });
    try {
      await app.build();
      return new ContractApp(app);
    } catch (error) {
      app.remove();
      throw error;
    }
  }

  /** `database`: a file in the app's folder, for those who start again on what they left. Default: in memory. */
  start(options: HostOptions = {}, database?: string): Promise<StartedApp> {
    const variables = { PARLEY_OPTIONS: JSON.stringify(options), ...(database && { PARLEY_DB: database }) };
    return this.#app.start('start', { ...variables, NODE_OPTIONS: '--expose-gc' });
  }

  remove(): void {
    this.#app.remove();
  }
}
