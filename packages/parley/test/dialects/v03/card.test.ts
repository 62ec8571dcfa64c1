import { describe, expect, it } from 'vitest';
import { encodeMergedCard } from '../../../src/dialects/cards/merged-card.ts';
import { decodeCard } from '../../../src/dialects/v0_3/card.ts';
import { v0_3, v0_3Bare, v0_3Proto, v0_3Text } from '../../../src/dialects/v0_3/index.ts';
import { decodeCard as decodeCardV1 } from '../../../src/dialects/v1_0/card.ts';
import { v1_0 } from '../../../src/dialects/v1_0/index.ts';
import type { AgentCard, AgentInterface } from '../../../src/model/card.ts';
import { violationsOf, violationsOfV1 } from '../support/closed-schema.ts';
import { refusalOf, refusedFields } from '../support/refusals.ts';
import { SCHEMA_V03 } from '../support/schema-v03.ts';

const at = (protocolBinding: string, protocolVersion: string, tenant?: string): AgentInterface => ({
  url: 'https://a.example/a2a',
  protocolBinding,
  protocolVersion,
  tenant,
});

const card: AgentCard = {
  name: 'Echo',
  description: 'Repeats input',
  version: '1.0.0',
  interfaces: [at('JSONRPC', '0.3'), at('JSONRPC', '1.0'), at('HTTP+JSON', '1.0'), at('HTTP+JSON', '0.3')],
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: true,
    extensions: [{ uri: 'urn:parley:ext:resume:v1', description: '', required: false, params: {} }],
  },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Says it back', tags: ['demo'], examples: [] }],
};

function written(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('the card of 0.3', () => {
  it('has its members and all its transports [rule:v03.card-members]', () => {
    expect(JSON.stringify(v0_3.encodeCard(card), undefined, 2)).toBe(
      JSON.stringify(
        {
          protocolVersion: '0.3.0',
          name: 'Echo',
          description: 'Repeats input',
          url: 'https://a.example/a2a',
          preferredTransport: 'JSONRPC',
          additionalInterfaces: [
            { url: 'https://a.example/a2a', transport: 'JSONRPC' },
            { url: 'https://a.example/a2a', transport: 'HTTP+JSON' },
          ],
          version: '1.0.0',
          capabilities: {
            streaming: true,
            pushNotifications: false,
            stateTransitionHistory: false,
            extensions: [{ uri: 'urn:parley:ext:resume:v1' }],
          },
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [{ id: 'echo', name: 'Echo', description: 'Says it back', tags: ['demo'] }],
          supportsAuthenticatedExtendedCard: true,
        },
        undefined,
        2,
      ),
    );
    expect(violationsOf(SCHEMA_V03, 'AgentCard', v0_3.encodeCard(card))).toEqual([]);
  });

  it('is the same in every form, and as extended card', () => {
    for (const dialect of [v0_3, v0_3Text, v0_3Proto, v0_3Bare]) {
      expect(dialect.encodeCard(card)).toEqual(v0_3.encodeCard(card));
      expect(dialect.encode.getExtendedCard(card)).toEqual(v0_3.encodeCard(card));
    }
  });

  it('leaves out the addresses of tenants and repeated ones', () => {
    const interfaces = [at('JSONRPC', '0.3', 'acme'), at('HTTP+JSON', '0.3'), at('HTTP+JSON', '0.3')];
    expect(v0_3.encodeCard({ ...card, interfaces })).toMatchObject({
      preferredTransport: 'HTTP+JSON',
      additionalInterfaces: [{ url: 'https://a.example/a2a', transport: 'HTTP+JSON' }],
    });
  });

  it('does not exist where 0.3 is not spoken', () => {
    for (const interfaces of [[at('JSONRPC', '1.0')], [at('JSONRPC', '0.3', 'acme')]]) {
      expect(refusalOf(() => v0_3.encodeCard({ ...card, interfaces })).code).toBe('VERSION_NOT_SUPPORTED');
    }
  });

  it('is read with the main interface first', () => {
    const read = decodeCard({
      url: 'https://a.example/rest',
      preferredTransport: 'HTTP+JSON',
      additionalInterfaces: [
        { url: 'https://a.example/rpc', transport: 'JSONRPC' },
        { url: 'https://a.example/rest', transport: 'HTTP+JSON' },
      ],
    });
    expect(read.interfaces.map(({ url, protocolBinding }) => [url, protocolBinding])).toEqual([
      ['https://a.example/rest', 'HTTP+JSON'],
      ['https://a.example/rpc', 'JSONRPC'],
    ]);
    expect(refusedFields(() => decodeCard({ name: 'Echo' }))).toEqual(['url']);
  });
});

describe('the merged card', () => {
  it('has the members of both versions, 1.0 interfaces first [rule:card.merged-members]', () => {
    const merged = written(encodeMergedCard(card)) as Record<string, unknown>;
    const [older, newer] = [v0_3, v1_0].map((dialect) => written(dialect.encodeCard(card)) as Record<string, unknown>);
    // And the one that only the draft of 1.0 has (S2.1).
    const members = Object.keys({ ...older, ...newer, protocolVersions: [] });
    expect(Object.keys(merged).sort()).toEqual(members.sort());
    expect(merged).toMatchObject({
      protocolVersion: '0.3.0',
      protocolVersions: ['1.0', '0.3'],
      url: 'https://a.example/a2a',
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ transport: 'JSONRPC' }, { transport: 'HTTP+JSON' }],
    });
    const interfaces = merged.supportedInterfaces as readonly { protocolBinding: string; protocolVersion: string }[];
    expect(interfaces.map((entry) => `${entry.protocolBinding} ${entry.protocolVersion}`)).toEqual([
      'JSONRPC 1.0',
      'HTTP+JSON 1.0',
      'JSONRPC 0.3',
      'HTTP+JSON 0.3',
    ]);
  });

  it('has the capability flags in both places', () => {
    expect(encodeMergedCard(card)).toMatchObject({
      supportsAuthenticatedExtendedCard: true,
      capabilities: {
        streaming: true,
        pushNotifications: false,
        stateTransitionHistory: false,
        extendedAgentCard: true,
        extensions: [{ uri: 'urn:parley:ext:resume:v1' }],
      },
    });
  });

  it('is not signed, whatever the card carries', () => {
    const signed = { ...card, signatures: [{ protected: 'a', signature: 'b' }] };
    expect(encodeMergedCard(signed)).not.toHaveProperty('signatures');
  });

  it('is understood by readers of both versions', () => {
    const merged = written(encodeMergedCard(card));
    const ours = card.interfaces.filter(({ protocolVersion }) => protocolVersion === '0.3');
    expect(written(decodeCard(merged))).toMatchObject({ name: 'Echo', interfaces: written(ours) as object });
    expect(decodeCardV1(merged).interfaces).toHaveLength(4);
  });

  it('is the pure card of 1.0 where 0.3 is not spoken', () => {
    const only = { ...card, interfaces: [at('JSONRPC', '1.0')] };
    expect(violationsOfV1('AgentCard', encodeMergedCard(only))).toEqual([]);
  });
});
