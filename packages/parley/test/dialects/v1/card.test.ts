import { describe, expect, it } from 'vitest';
import { decodeCard } from '../../../src/dialects/v1_0/card.ts';
import { v1_0 } from '../../../src/dialects/v1_0/index.ts';
import type { AgentCard } from '../../../src/model/card.ts';
import { violationsOfV1 } from '../support/closed-schema.ts';
import { refusedFields } from '../support/refusals.ts';

const card: AgentCard = {
  name: 'Echo',
  description: 'Repeats input',
  version: '1.0.0',
  interfaces: [{ url: 'https://a.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  capabilities: {
    streaming: false,
    pushNotifications: true,
    extendedAgentCard: false,
    extensions: [{ uri: 'urn:parley:ext:resume:v1', description: '', required: false, params: {} }],
  },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Says it back', tags: ['demo'], examples: [], inputModes: [] }],
  documentationUrl: '',
  iconUrl: undefined,
};

describe('the card of 1.0', () => {
  it('is pure and passes a closed schema [rule:card.pure-10]', () => {
    const extra = { ...card, url: 'https://a.example', preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' };
    expect(violationsOfV1('AgentCard', v1_0.encodeCard(extra))).toEqual([]);
    expect(v1_0.encode.getExtendedCard(card)).toEqual(v1_0.encodeCard(card));
  });

  it('has no empty values, and explicit flags', () => {
    expect(JSON.parse(JSON.stringify(v1_0.encodeCard(card)))).toStrictEqual({
      name: 'Echo',
      description: 'Repeats input',
      version: '1.0.0',
      supportedInterfaces: [{ url: 'https://a.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {
        streaming: false,
        pushNotifications: true,
        extendedAgentCard: false,
        extensions: [{ uri: 'urn:parley:ext:resume:v1' }],
      },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'echo', name: 'Echo', description: 'Says it back', tags: ['demo'] }],
    });
  });

  it('is read though much is missing or foreign', () => {
    const read = decodeCard({
      name: 'Echo',
      url: 'https://a.example/rpc',
      protocolVersion: '0.3.0',
      supported_interfaces: [{ url: 'https://a.example', protocol_binding: 'JSONRPC', protocol_version: '1.0' }],
      capabilities: { streaming: true, stateTransitionHistory: true },
      skills: [],
    });
    expect(read).toEqual({
      name: 'Echo',
      description: '',
      version: '',
      interfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    });
  });

  it('needs an interface to call', () => {
    expect(refusedFields(() => decodeCard({ name: 'Echo', url: 'https://a.example' }))).toEqual([
      'supportedInterfaces',
    ]);
    expect(refusedFields(() => decodeCard({ supportedInterfaces: [{}] }))).toEqual([
      'supportedInterfaces[0].url',
      'supportedInterfaces[0].protocolBinding',
      'supportedInterfaces[0].protocolVersion',
    ]);
    expect(refusedFields(() => decodeCard('card'))).toEqual(['card']);
  });
});
