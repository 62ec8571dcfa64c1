import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { type RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const PATH = '/.well-known/agent-card.json';
const MEMBERS_OF_03 = [
  'url',
  'preferredTransport',
  'additionalInterfaces',
  'protocolVersion',
  'supportsAuthenticatedExtendedCard',
];

const agent = () => agentOf(() => 'ok', { provider: { organization: 'Example', url: 'https://example.com' } });

async function card(peer: RpcPeer, version?: string): Promise<{ body: Wire; response: Response }> {
  const response = await peer.raw(PATH, version === undefined ? {} : { headers: { 'a2a-version': version } });
  return { response, body: await response.clone().json() };
}

describe('the card', () => {
  it('is the pure 1.0 card for A2A-Version 1.0 and the pure 0.3 card for 0.3 [rule:card.negotiate] [rule:card.pure-10]', async () => {
    const { peer } = startServer(agent());
    for (const version of ['1.0', '1.0.1']) {
      const { body } = await card(peer, version);
      expect(violationsOfV1('AgentCard', body)).toEqual([]);
      for (const member of MEMBERS_OF_03) expect(body).not.toHaveProperty(member);
    }
    for (const version of ['0.3', '0.3.0']) {
      const { body } = await card(peer, version);
      expect(body).not.toHaveProperty('supportedInterfaces');
      expect(body).toMatchObject({
        protocolVersion: '0.3.0',
        url: 'http://localhost/a2a',
        preferredTransport: 'JSONRPC',
      });
    }
    const byQuery: Wire = await (await peer.raw(`${PATH}?A2A-Version=0.3`)).json();
    expect(byQuery.protocolVersion).toBe('0.3.0');
  });

  it('has its 0.3 members as 0.3 wants them (S4.5) [rule:v03.card-members]', async () => {
    const { body } = await card(startServer(agent()).peer, '0.3');
    for (const member of ['name', 'description', 'version', 'capabilities', 'defaultInputModes', 'skills']) {
      expect(body).toHaveProperty(member);
    }
    expect(body.additionalInterfaces).toEqual([
      { url: 'http://localhost/a2a/v1', transport: 'JSONRPC' },
      { url: 'http://localhost/a2a', transport: 'JSONRPC' },
      { url: 'http://localhost/a2a', transport: 'HTTP+JSON' },
    ]);
    expect(body.capabilities).toMatchObject({ streaming: true, pushNotifications: true });
  });

  it('has both sets of members without a version, 1.0 interfaces first [rule:card.default-shape] [rule:card.merged-members] [rule:card.merged-unsigned]', async () => {
    const { peer } = startServer(agent());
    for (const version of [undefined, '', 'latest']) {
      const { body } = await card(peer, version);
      for (const member of MEMBERS_OF_03) expect(body, String(version)).toHaveProperty(member);
      const versions = body.supportedInterfaces.map((entry: Wire) => entry.protocolVersion);
      expect(versions).toEqual(['1.0', '1.0', '0.3', '0.3']);
      expect(body.capabilities).toHaveProperty('extendedAgentCard');
      expect(body).not.toHaveProperty('signatures');
    }
  });

  it.each([
    ['1.0', 'supportedInterfaces', 'url'],
    ['0.3', 'url', 'supportedInterfaces'],
  ] as const)('has the shape of the setting without a version: %s [rule:card.default-shape]', async (setting, has, hasNot) => {
    const { body } = await card(startServer(agent(), { card: setting }).peer);
    expect(body).toHaveProperty(has);
    expect(body).not.toHaveProperty(hasNot);
  });

  it('varies by version, and each shape has an ETag of its own [rule:card.vary]', async () => {
    const { peer } = startServer(agent());
    const responses = await Promise.all([undefined, '1.0', '0.3'].map((version) => card(peer, version)));
    const etags = responses.map(({ response }) => response.headers.get('etag'));
    expect(new Set(etags).size).toBe(3);
    for (const { response } of responses) expect(response.headers.get('vary')).toBe('A2A-Version, Host');
    const stale = await peer.raw(PATH, { headers: { 'a2a-version': '0.3', 'if-none-match': etags[1] ?? '' } });
    expect(stale.status).toBe(200);
    const fresh = await peer.raw(PATH, { headers: { 'a2a-version': '0.3', 'if-none-match': etags[2] ?? '' } });
    expect(fresh.status).toBe(304);
  });
});
