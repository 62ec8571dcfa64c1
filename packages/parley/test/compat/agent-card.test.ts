import { defineAgent } from 'parley-a2a';
import { generateAgentCard } from 'parley-a2a/compat';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const url = 'https://example.com/a2a';

const researcher = {
  name: 'Research Agent',
  config: { description: 'Finds things', model: 'any' },
  tools: [
    {
      name: 'search',
      description: 'Search the web',
      parameters: z.object({ query: z.string().describe('What to look for'), limit: z.number().int().optional() }),
      execute: async () => 'found',
    },
    { name: 'fetch', parameters: { type: 'object', properties: { url: { type: 'string' } } } },
    { name: 'clock', description: 'What time it is' },
  ],
};

describe('generateAgentCard (S3, Task 5) [seed:S3.4]', () => {
  const card = generateAgentCard(researcher, { url });

  it('has name, description, address and the version of the protocol', () => {
    expect(card).toMatchObject({ name: 'Research Agent', description: 'Finds things', url, version: '0.3' });
  });

  it('has the defaults of the document', () => {
    expect(card.capabilities).toEqual({ streaming: true, pushNotifications: false });
    expect(card.defaultInputModes).toEqual(['text/plain']);
    expect(card.defaultOutputModes).toEqual(['text/plain', 'application/json']);
    expect('provider' in card).toBe(false);
  });

  it('has the tools as skills, with JSON Schema of what they take', () => {
    expect(card.skills.map(({ id, name, description }) => [id, name, description])).toEqual([
      ['search', 'search', 'Search the web'],
      ['fetch', 'fetch', 'fetch'],
      ['clock', 'clock', 'What time it is'],
    ]);
    const [search, fetch, clock] = card.skills;
    expect(search?.inputSchema).toMatchObject({
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for' }, limit: { type: 'integer' } },
      required: ['query'],
    });
    expect(search?.inputModes).toContain('application/json');
    expect(fetch?.inputSchema).toEqual({ type: 'object', properties: { url: { type: 'string' } } });
    expect(clock).not.toHaveProperty('inputSchema');
    expect(JSON.parse(JSON.stringify(card))).toEqual(card);
  });

  it('has no skills where there are no tools', () => {
    expect(generateAgentCard({ name: 'bare', config: {}, tools: [] }, { url }).skills).toEqual([]);
    expect(generateAgentCard({ name: 'bare' }, { url })).not.toHaveProperty('description');
  });

  it('takes capabilities and a provider', () => {
    const provider = { name: 'Example', url: 'https://example.com', contactEmail: 'a2a@example.com' };
    const chosen = generateAgentCard(researcher, { url, capabilities: { streaming: false }, provider });
    expect(chosen.capabilities).toEqual({ streaming: false, pushNotifications: false });
    expect(chosen.provider).toEqual(provider);
  });

  it('describes an agent of ours, typed skills included', () => {
    const reporter = defineAgent({
      name: 'reporter',
      description: 'Reports',
      version: '2.0.0',
      provider: { organization: 'Example', url: 'https://example.com' },
      skills: [
        {
          id: 'report',
          name: 'Report',
          description: 'A report',
          tags: ['x'],
          input: z.object({ quarter: z.string() }),
        },
      ],
      run: () => 'done',
    });
    expect(generateAgentCard(reporter, { url })).toMatchObject({
      name: 'reporter',
      url,
      version: '0.3',
      provider: { name: 'Example', url: 'https://example.com' },
      capabilities: { streaming: true, pushNotifications: false },
      skills: [{ id: 'report', inputSchema: { properties: { quarter: { type: 'string' } } } }],
    });
  });
});
