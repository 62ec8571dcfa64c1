import type { CardJson } from 'parley-a2a/cards';

export const PLAIN: CardJson = {
  name: 'Plain',
  description: 'A card',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'a', name: 'A', description: 'Does a', tags: ['a'] }],
};
