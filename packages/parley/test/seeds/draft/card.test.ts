import { A2AClient, A2AServer } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const EXTENSION = {
  uri: 'https://a2a.io/extensions/streaming-artifacts',
  required: false,
  description: 'Progressive artifact streaming',
};
const agent = agentOf((task) => `You said ${task.text}`, {
  name: 'echo',
  extensions: [EXTENSION],
  inputModes: ['text', 'file'],
});

async function serve(mounts: ConstructorParameters<typeof A2AServer>[0]['mounts']): Promise<A2AServer> {
  const server = new A2AServer({ agents: [agent], mounts });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  return server;
}

async function cardAt(server: A2AServer, path: string, headers: Record<string, string> = {}): Promise<Wire> {
  return (await fetch(`${server.url}${path}`, { headers })).json();
}

it('is the draft’s at the well-known address where the base path is pinned to it (S2.1)', async () => {
  const server = await serve([{ path: '/a2a', dialect: 'v1_draft' }]);
  const card = await cardAt(server, '/.well-known/agent-card.json');
  expect(Object.keys(card)).toEqual([
    'protocolVersions',
    'name',
    'description',
    'version',
    'supportedInterfaces',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
  ]);
  expect(card.protocolVersions).toEqual(['1.0']);
  expect(card.supportedInterfaces).toEqual([{ url: `${server.url}/a2a`, protocolBinding: 'JSONRPC' }]);
  expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true, extendedAgentCard: false });
  // Its member order too.
  expect(JSON.stringify(card.capabilities.extensions)).toContain(JSON.stringify(EXTENSION));
  expect(card.defaultInputModes).toEqual(['text', 'file']);
  expect(await cardAt(server, '/.well-known/agent-card.json', { 'a2a-version': '1.0' })).toEqual(card);
  expect(await cardAt(server, '/a2a/.well-known/agent-card.json')).toEqual(card);
  // What is not spoken at the address is not promised either.
  expect(await cardAt(server, '/.well-known/agent-card.json', { 'a2a-version': '0.3' })).toEqual(card);
});

it('is the draft’s below any mount of it, and the usual one elsewhere (S2.1)', async () => {
  const server = await serve([{ path: '/draft', dialect: 'v1_draft' }]);
  const card = await cardAt(server, '/draft/.well-known/agent-card.json');
  expect(card.supportedInterfaces).toEqual([{ url: `${server.url}/draft`, protocolBinding: 'JSONRPC' }]);
  const usual = await cardAt(server, '/.well-known/agent-card.json');
  expect(usual.protocolVersions).toEqual(['1.0', '0.3']);
  // All else that a client of the draft looks for is there all the same.
  expect(usual.supportedInterfaces).toContainEqual(
    expect.objectContaining({ url: `${server.url}/a2a`, protocolBinding: 'JSONRPC' }),
  );
});

it('has no older address where the base path is the draft’s (S2.1, Discovery)', async () => {
  const server = await serve([{ path: '/a2a', dialect: 'v1_draft' }]);
  for (const place of ['', '/a2a', '/a2a/agents/echo']) {
    expect((await fetch(`${server.url}${place}/.well-known/agent.json`)).status).toBe(404);
  }
  // Nor is another dialect promised where the agent is.
  const card = await cardAt(server, '/.well-known/agent-card.json');
  expect(await cardAt(server, '/.well-known/agent-card')).toEqual(card);
  expect(await cardAt(server, '/a2a/agents/echo/card')).toMatchObject({ protocolVersions: ['1.0'] });
});

it('leads a client of the draft to the agent, from either card (S2.1)', async () => {
  const server = await serve([{ path: '/draft', dialect: 'v1_draft' }]);
  for (const path of ['', '/draft', '/draft/.well-known/agent-card.json']) {
    const client = new A2AClient(`${server.url}${path}`, { protocol: 'v1_draft' });
    expect(await client.run('hi')).toBe('You said hi');
    expect((await client.agentCard()).name).toBe('echo');
    expect(client.cardProblems).toEqual([]);
  }
});
