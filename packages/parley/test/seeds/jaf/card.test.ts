import { defineAgent } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { filesOf, type Sample } from '../../dialects/support/corpus.ts';
import type { Wire } from '../../support/rpc.ts';
import { serveJaf } from './peer.ts';

const tutor = defineAgent({
  name: 'MathTutor',
  description: 'Specialized mathematical assistant',
  version: '1.0.0',
  skills: [
    {
      id: 'calculate',
      name: 'Mathematical Calculation',
      description: 'Perform arithmetic and algebraic calculations',
      tags: ['math', 'calculation', 'arithmetic'],
      examples: [{ input: 'What is 15 * 7?', output: '15 * 7 = 105' }],
    },
  ],
  card: {
    securitySchemes: {
      token: { type: 'http', scheme: 'Bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    },
    rateLimit: { requests: 100, window: 60, burst: 20 },
  },
  run: () => '105',
});

const plain = defineAgent({ name: 'plain', description: 'Says nothing', version: '2.0.0', run: () => '' });

const [sample] = filesOf<Sample>('jaf', 'AgentCard');

describe('cards of JAF (S1.7)', () => {
  it('are those of the document, byte for byte', async () => {
    const { peer } = await serveJaf([], {
      agents: { mathtutor: tutor, plain },
      basePath: '',
      mounts: [],
      url: 'https://api.example.com',
    });
    const card = await (await peer.get('/agents/mathtutor/card')).text();
    expect(card).toBe(JSON.stringify(sample?.content.wire));
    expect(await (await peer.get('/agents/mathtutor')).text()).toBe(card);
  });

  it('are at the addresses of the document, for the default agent too (S1.1)', async () => {
    const { peer } = await serveJaf([tutor, plain]);
    const card = async (path: string) => (await (await peer.get(path)).json()) as Wire;
    expect(await card('/.well-known/agent-card')).toMatchObject({ name: 'MathTutor', url: `${peer.base}/a2a` });
    expect(await card('/a2a/agents/plain/card')).toEqual(await card('/a2a/agents/plain'));
    expect((await card('/a2a/agents')).agents.map((agent: Wire) => agent.name)).toEqual(['MathTutor', 'plain']);
    expect(await card('/a2a/health')).toEqual({ status: 'ok' });
  });

  it('say nothing of limits that nobody has set', async () => {
    const { peer } = await serveJaf(plain);
    const card = (await (await peer.get('/.well-known/agent-card')).json()) as Wire;
    expect(card.rateLimit).toBeUndefined();
    expect(card.authentication).toEqual({ required: false, schemes: [] });
    expect(card.inputModes).toEqual(['text', 'data']);
    expect(card.capabilities).toEqual({
      streaming: true,
      pushNotifications: false,
      stateTransitionHistory: true,
      contextAccumulation: true,
    });
  });

  it('leave the official ones what they are: examples by their input, schemes with their details', async () => {
    const { peer } = await serveJaf(tutor, { mounts: [] });
    for (const version of ['1.0', '0.3']) {
      const response = await peer.get('/.well-known/agent-card.json', { 'a2a-version': version });
      const card = (await response.json()) as Wire;
      expect(card.skills[0].examples).toEqual(['What is 15 * 7?']);
      expect(card.securitySchemes.key).toBeDefined();
      expect(card.rateLimit).toBeUndefined();
    }
  });
});
