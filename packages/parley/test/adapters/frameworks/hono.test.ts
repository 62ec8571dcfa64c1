import { Hono } from 'hono';
import { a2aHono } from 'parley-a2a/hono';
import { expect, it } from 'vitest';
import { RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { adapterContract } from '../contract.ts';
import { honoHost } from '../hosts/hono.ts';
import { contractAgents } from '../support/agents.ts';

adapterContract(honoHost);

const CARD = '/.well-known/agent-card.json';

it('works as an app of its own', async () => {
  const app = a2aHono(startServer(contractAgents).server);
  expect(((await (await app.request(CARD)).json()) as Wire).url).toBe('http://localhost/a2a');
  const peer = new RpcPeer(async (request) => app.fetch(request));
  expect((await peer.send('Ada')).artifacts[0].parts).toEqual([{ text: 'Hello, Ada!' }]);
});

it('works where Hono takes the prefix off by itself, with the address as a setting', async () => {
  const { server } = startServer(contractAgents, { url: 'http://localhost/agents' });
  const app = new Hono().mount('/agents', a2aHono(server).fetch);
  const card: Wire = await (await app.request(`/agents${CARD}`)).json();
  const peer = new RpcPeer(async (request) => app.fetch(request), card.url);
  expect((await peer.send('Ada')).artifacts[0].parts).toEqual([{ text: 'Hello, Ada!' }]);
});

it('works below a path with parameters, with the headers of middleware on its answers', async () => {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header('x-from-app', 'yes');
  });
  app.route('/teams/:team', a2aHono(startServer(contractAgents).server));
  const response = await app.request(`/teams/blue${CARD}`);
  expect(response.headers.get('x-from-app')).toBe('yes');
  expect(((await response.json()) as Wire).url).toBe('http://localhost/teams/blue/a2a');
});
