import express, { type Express } from 'express';
import type { A2AServer } from 'parley-a2a';
import { a2aExpress } from 'parley-a2a/express';

/** Your application, with the agent beside its own routes: cards at /.well-known, operations at /a2a. */
export function createApp(a2a: A2AServer): Express {
  const app = express();
  app.get('/', (_request, response) => {
    response.send('The agent is at /a2a, and its card at /.well-known/agent-card.json');
  });
  app.use(a2aExpress(a2a));
  return app;
}
