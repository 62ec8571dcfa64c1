import { AgentCard } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { isLegacyAgentCard, parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client';
import type { AgentDefinition } from 'parley-a2a';
import { RESUME_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { echo } from '../../../../examples/agents/echo.ts';
import { agents } from '../../../../examples/agents/index.ts';
import { lab } from '../../../../examples/agents/lab.ts';
import type { Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { messageOf, sending, textOf } from './support/messages.ts';
import { everyMatrix, ROWS, type Version } from './support/rows.ts';
import { addressOf, cardPath, cardResolver, connect, listening, served } from './support/sdk.ts';

const FULL: Partial<AgentDefinition> = {
  name: 'full',
  description: 'Has everything that a card can tell – in “Unicode” 🙂',
  version: '2.1.0-beta.3',
  provider: { organization: 'Test & Söhne', url: 'https://example.com' },
  documentationUrl: 'https://example.com/docs',
  iconUrl: 'https://example.com/icon.png',
  inputModes: ['text/plain', 'image/*'],
  outputModes: ['application/json'],
  extensions: [
    { uri: 'urn:test:a:v1', description: 'A test', required: true, params: { zones: ['UTC'], deep: { a: 1 } } },
  ],
  extendedCard: true,
  streaming: false,
  skills: [
    {
      id: 'one',
      name: 'One',
      description: 'The first',
      tags: ['a', 'b'],
      examples: ['Do it'],
      inputModes: ['text/plain'],
      outputModes: ['text/csv'],
    },
    { id: 'two', name: 'Two', description: 'The second', tags: ['c'] },
  ],
};

const AGENTS = { plain: agentOf(() => 'hi'), full: agentOf(() => 'hi', FULL), echo, lab };

/** The card as it is on the wire. */
async function wireCard(base: string, version: Version | undefined, path = cardPath(undefined)): Promise<Wire> {
  const headers: Record<string, string> = version === undefined ? {} : { 'a2a-version': version };
  return (await fetch(new URL(path, base), { headers })).json();
}

describe.each(Object.entries(AGENTS))('the card of an agent: %s', (_, agent) => {
  it('is one of 1.0, of which the SDK reads everything and misses nothing', async () => {
    const { server } = await listening(agent);
    const wire = await wireCard(addressOf(server), '1.0');
    expect(isLegacyAgentCard(wire)).toBe(false);
    expect(AgentCard.toJSON(AgentCard.fromJSON(wire))).toEqual(wire);
    expect(await cardResolver('1.0').resolve(addressOf(server))).toEqual(wire);
  });

  it('is one of 0.3, which the SDK takes for such and reads', async () => {
    const { server } = await listening(agent);
    const wire = await wireCard(addressOf(server), '0.3');
    expect(isLegacyAgentCard(wire)).toBe(true);
    const card = await cardResolver('0.3').resolve(addressOf(server));
    expect(card).toEqual(parseLegacyAgentCard(wire));
    const newer = AgentCard.fromJSON(await wireCard(addressOf(server), '1.0'));
    expect({ ...card, supportedInterfaces: [] }).toEqual({ ...newer, supportedInterfaces: [] });
    const url = `${server.url}/a2a`;
    expect(card.supportedInterfaces).toEqual([
      { url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '0.3.0' },
      { url: `${url}/v1`, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '0.3' },
      { url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '0.3' },
      { url, protocolBinding: 'HTTP+JSON', tenant: '', protocolVersion: '0.3' },
    ]);
  });

  it('is both for a request without a version: whichever way the SDK reads it, it finds that version', async () => {
    const { server } = await listening(agent);
    const base = addressOf(server);
    const merged = await wireCard(base, undefined);
    expect(isLegacyAgentCard(merged)).toBe(false);
    expect(AgentCard.fromJSON(merged)).toEqual(AgentCard.fromJSON(await wireCard(base, '1.0')));
    expect(parseLegacyAgentCard(merged)).toEqual(parseLegacyAgentCard(await wireCard(base, '0.3')));
    expect(await cardResolver('none').resolve(base)).toEqual(merged);
  });
});

it('may list tenants, of which the SDK reads everything too', async () => {
  const { server } = await listening(lab, { tenants: ['acme', 'Straße/1 & co'] });
  const wire = await wireCard(addressOf(server), '1.0');
  expect(AgentCard.toJSON(AgentCard.fromJSON(wire))).toEqual(wire);
  const tenants = AgentCard.fromJSON(await wireCard(addressOf(server), undefined)).supportedInterfaces.map(
    (entry) => entry.tenant,
  );
  expect(new Set(tenants)).toEqual(new Set(['', 'acme', 'Straße/1 & co']));
});

describe('the setting for requests without a version', () => {
  it.each(['1.0', '0.3'] as const)('%s: the card is that of the version', async (shape) => {
    const { server } = await listening(lab, { card: shape });
    const base = addressOf(server);
    expect(await wireCard(base, undefined)).toEqual(await wireCard(base, shape));
    const card = await cardResolver('none').resolve(base);
    const client = await new ClientFactory(compatible()).createFromAgentCard(card);
    expect(client.protocolVersion).toBe(shape);
    expect(textOf(messageOf(await client.sendMessage(sending('reply Hello'))).parts)).toBe('Hello');
  });

  it('merged: a client takes 1.0, whether it knows 0.3 or not', async () => {
    const { server } = await listening(lab, { card: 'merged' });
    const card = await cardResolver('none').resolve(addressOf(server));
    for (const options of [compatible(), ClientFactoryOptions.default]) {
      const client = await new ClientFactory(options).createFromAgentCard(card);
      expect(client.protocolVersion).toBe('1.0');
      expect(textOf(messageOf(await client.sendMessage(sending('reply Hello'))).parts)).toBe('Hello');
    }
  });
});

describe('the SDK as it comes', () => {
  it('finds the card, takes JSON-RPC in 1.0, and gets an answer', async () => {
    const { server } = await listening(echo);
    const client = await new ClientFactory().createFromUrl(addressOf(server));
    expect([client.protocolVersion, client.transport.protocolName]).toEqual(['1.0', 'JSONRPC']);
    expect(textOf(messageOf(await client.sendMessage(sending('hello'))).parts)).toBe('hello');
  });

  it.each([
    '/.well-known/agent-card',
    '/.well-known/agent.json',
    '/.well-known/agent-card.json/',
  ])('finds it at %s too', async (path) => {
    const { server } = await listening(echo);
    const card = await new DefaultAgentCardResolver({ path }).resolve(addressOf(server));
    expect(card.name).toBe('echo');
  });

  it('finds the extension for resuming on every card', async () => {
    const { server } = await listening(Object.values(agents));
    for (const name of Object.keys(agents)) {
      const card = await new DefaultAgentCardResolver().resolve(addressOf(server), cardPath(name));
      expect(card.name).toBe(name);
      expect(card.capabilities?.extensions.map(({ uri }) => uri)).toContain(RESUME_EXTENSION);
    }
  });

  it('is told that there is no such agent', async () => {
    const { server } = await listening(echo);
    const attempt = new ClientFactory().createFromUrl(addressOf(server), cardPath('nobody'));
    await expect(attempt).rejects.toThrow('404');
  });

  // Without its setting for older agents it does not know what to do with their cards.
  it('finds no transport on a pure 0.3 card', async () => {
    const { server } = await listening(echo);
    const card = await wireCard(addressOf(server), '0.3');
    await expect(new ClientFactory().createFromAgentCard(card)).rejects.toThrow('No compatible transport');
  });
});

everyMatrix((row) => {
  it.runIf(row.sdk.usesFetch)('leads to each of several agents', async () => {
    const { server } = await served(row, [lab, echo]);
    const { client: first } = await connect(server, row);
    expect(textOf(messageOf(await first.sendMessage(sending('reply by default'))).parts)).toBe('by default');
    const { client: second, card, wire } = await connect(server, row, { agent: 'echo' });
    expect(card.name).toBe('echo');
    expect(textOf(messageOf(await second.sendMessage(sending('reply as it is'))).parts)).toBe('reply as it is');
    expect(wire[0]?.url.pathname.startsWith('/a2a/agents/echo')).toBe(true);
  });

  it.runIf(row.sdk.usesFetch)('leads to an address of its own choosing', async () => {
    const { client, wire } = await served(row, echo, { basePath: '/some/where/' });
    await client.sendMessage(sending('hello'));
    expect(wire[0]?.url.pathname.startsWith('/some/where')).toBe(true);
    expect(wire[0]?.status).toBe(200);
  });
});

it('has rows for every interface of the card', async () => {
  const { server } = await listening(echo);
  const card = await new DefaultAgentCardResolver().resolve(addressOf(server));
  const offered = card.supportedInterfaces.map((entry) => `${entry.protocolVersion} ${entry.protocolBinding}`);
  expect(offered).toEqual(ROWS.map((row) => `${row.version} ${row.binding}`));
});

/** The SDK's options with its setting for older agents. */
function compatible(): ClientFactoryOptions {
  const legacyCompat = { enabled: true };
  return {
    transports: [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat })],
    cardResolver: cardResolver('none'),
  };
}
