import { createServer } from 'node:http';
import Koa from 'koa';
import { a2aKoa } from 'parley-a2a/koa';
import { expect, it, onTestFinished } from 'vitest';
import { startServer, type Wire } from '../../support/rpc.ts';
import { adapterContract } from '../contract.ts';
import { koaHost } from '../hosts/koa.ts';
import { contractAgents } from '../support/agents.ts';
import { listening } from '../support/host.ts';

adapterContract(koaHost);

it('works where middleware has taken a prefix off the path, with its headers on the answers', async () => {
  const app = new Koa();
  const statuses: number[] = [];
  app.use(async (context, next) => {
    context.set('x-from-app', 'yes');
    const { path } = context;
    // As `koa-mount` does it.
    context.path = path.slice('/outer'.length) || '/';
    await next();
    context.path = path;
    statuses.push(context.status);
  });
  app.use(a2aKoa(startServer(contractAgents).server, { prefix: 'inner/' }));
  const handle = app.callback();
  const { url, stop } = await listening(createServer((incoming, outgoing) => void handle(incoming, outgoing)));
  onTestFinished(stop);
  const response = await fetch(`${url}/outer/inner/.well-known/agent-card.json?x=1`);
  expect(response.headers.get('x-from-app')).toBe('yes');
  expect(((await response.json()) as Wire).url).toBe(`${url}/outer/inner/a2a`);
  expect((await fetch(`${url}/outer/inner/a2a`)).status).toBe(405);
  expect((await fetch(`${url}/outer/a2a`)).status).toBe(404);
  expect(statuses).toEqual([200, 405, 404]);
});
