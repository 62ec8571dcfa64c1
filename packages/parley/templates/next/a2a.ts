import { A2AServer } from 'parley-a2a';
import { apiKeys } from 'parley-a2a/auth';
import { oncePerProcess } from 'parley-a2a/next';
import { sqlite } from 'parley-a2a/sqlite';
import { agent } from './agent.ts';

const { STORE = 'tasks.db', KEYS, PUBLIC_URL } = process.env;

/** The one server of this process: every route and page that imports this file gets the same. */
export const server = oncePerProcess(
  'a2a',
  () =>
    new A2AServer({
      agents: [agent],
      store: sqlite(STORE),
      // KEYS=1 lets in only callers with a key of the store: npx parley keys create NAME --db tasks.db
      ...(KEYS && { auth: [apiKeys()] }),
      // Where clients reach the application, such as https://agents.example.com.
      url: PUBLIC_URL,
    }),
);
