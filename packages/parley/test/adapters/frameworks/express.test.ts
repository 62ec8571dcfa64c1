import { createServer } from 'node:http';
import express from 'express';
import { a2aExpress } from 'parley-a2a/express';
import { expect, it, onTestFinished } from 'vitest';
import { startServer, type Wire } from '../../support/rpc.ts';
import { adapterContract } from '../contract.ts';
import { express5Host } from '../hosts/express.ts';
import { contractAgents } from '../support/agents.ts';
import { listening } from '../support/host.ts';

adapterContract(express5Host);

it('is a router like any other, at any depth, with the headers of middleware on its answers', async () => {
  const { server } = startServer(contractAgents);
  const app = express();
  app.use((_request, response, next) => {
    response.setHeader('x-from-app', 'yes');
    next();
  });
  const agents = a2aExpress(server).get('/about', (_request, response) => void response.send('about'));
  app.use('/teams/:team', express.Router().use('/agents', agents));
  const { url, stop } = await listening(createServer(app));
  onTestFinished(stop);
  const base = `${url}/teams/blue/agents`;
  const response = await fetch(`${base}/.well-known/agent-card.json`);
  expect(response.headers.get('x-from-app')).toBe('yes');
  expect(((await response.json()) as Wire).url).toBe(`${base}/a2a`);
  expect(await (await fetch(`${base}/about`)).text()).toBe('about');
});
