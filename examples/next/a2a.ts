import { A2AServer } from 'parley-a2a';
import { oncePerProcess } from 'parley-a2a/next';
import { sqlite } from 'parley-a2a/sqlite';
import { packer } from './agent.ts';

/** The one server of this process: every route and page that imports this file gets the same. */
export const server = oncePerProcess(
  'a2a',
  () =>
    new A2AServer({
      agents: [packer],
      store: sqlite(process.env.PARLEY_DB ?? 'a2a.db'),
      // Where clients reach the app, with Next's `basePath` if it has one. Without it: plain HTTP, as addressed.
      url: process.env.PUBLIC_URL,
    }),
);
