import { Elysia } from 'elysia';
import { expect, it } from 'vitest';
import { RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { adapterContract } from '../contract.ts';
import { elysiaHost } from '../hosts/elysia.ts';
import { contractAgents } from '../support/agents.ts';
import { hosted } from '../support/hosted.ts';

adapterContract(elysiaHost);

it('leaves to the app the routes that it has [seed:S2]', async () => {
  const { url } = await hosted(elysiaHost);
  expect(await (await fetch(`${url}/own`)).text()).toBe('the app');
});

it('works where Elysia takes the prefix off by itself, with the address as a setting', async () => {
  const { server } = startServer(contractAgents, { url: 'http://localhost/agents' });
  const app = new Elysia().mount('/agents', server.fetch);
  const card: Wire = await (
    await app.handle(new Request('http://localhost/agents/.well-known/agent-card.json'))
  ).json();
  const peer = new RpcPeer(async (request) => app.handle(request), card.url);
  expect((await peer.send('Ada')).artifacts[0].parts).toEqual([{ text: 'Hello, Ada!' }]);
});
