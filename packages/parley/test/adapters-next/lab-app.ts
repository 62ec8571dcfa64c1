import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { A2AServerOptions } from 'parley-a2a';
import { ROOT } from '../setup/support/repository.ts';
import { NextApp, type StartedApp } from './next-app.ts';

/** Agents of the examples that need no files of their own. */
const AGENTS = ['echo.ts', 'lab.ts', 'lab-chunks.ts', 'lab-commands.ts', 'sleep.ts'];

const SERVER = `
import { A2AServer } from 'parley-a2a';
import { oncePerProcess } from 'parley-a2a/next';
import { sqlite } from 'parley-a2a/sqlite';
import { echo } from './agents/echo.ts';
import { lab } from './agents/lab.ts';

export const server = oncePerProcess('lab', () => {
  const { PARLEY_DB = ':memory:', PARLEY_OPTIONS = '{}' } = process.env;
  return new A2AServer({ agents: [lab, echo], anonymous: 'shared', store: sqlite(PARLEY_DB), ...JSON.parse(PARLEY_OPTIONS) });
});
`;

/** All paths that nothing else of the app has. */
const CATCH_ALL = `
import { a2aNext } from 'parley-a2a/next';
import { server } from '../../a2a.ts';

export const dynamic = 'force-dynamic';
export const { GET, HEAD, POST, DELETE, OPTIONS } = a2aNext(server);
`;

const LOAD = `
import { server } from '../../a2a.ts';

export const dynamic = 'force-dynamic';
export const GET = () => Response.json(server.load);
`;

/** Settings that can be told to another process. */
export type LabOptions = Partial<Omit<A2AServerOptions, 'agents' | 'store' | 'bus' | 'clock' | 'newId' | 'log'>>;

let built: Promise<NextApp> | undefined;

/**
 * Next as one of the adapters: the lab is the default agent, the echo agent is the other one, both served from one
 * catch-all route at the root of an app; `/load` tells what the server holds. The app is built once, at the first start.
 */
export const nextAdapter = {
  name: 'Next',

  /** `database`: a file in the app's folder, for those who start again on what they left. */
  async start(options: LabOptions = {}, database = `${crypto.randomUUID()}.db`): Promise<StartedApp> {
    built ??= build();
    const app = await built;
    return app.start('start', { PARLEY_OPTIONS: JSON.stringify(options), PARLEY_DB: database });
  },

  /** Removes what was built. */
  async dispose(): Promise<void> {
    const app = await built?.catch(() => undefined);
    app?.remove();
    built = undefined;
  },
};

async function build(): Promise<NextApp> {
  const agents = AGENTS.map((name) => [`agents/${name}`, readFileSync(join(ROOT, 'examples/agents', name), 'utf8')]);
  const app = await NextApp.create({
    package: 'installed',
    files: {
      ...Object.fromEntries(agents),
      'a2a.ts': SERVER,
      'agent.ts': undefined,
      'app/a2a': undefined,
      'app/.well-known': undefined,
      'app/[...path]/route.ts': CATCH_ALL,
      'app/load/route.ts': LOAD,
    },
  });
  try {
    await app.build();
    return app;
  } catch (error) {
    app.remove();
    throw error;
  }
}
