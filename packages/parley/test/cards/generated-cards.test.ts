import { AgentCard } from '@a2a-js/sdk';
import { A2AClient, A2AServer, type Agent, defineAgent } from 'parley-a2a';
import { generateAgentCard } from 'parley-a2a/cards';
import { skillSchemasOf } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const report = {
  id: 'report',
  name: 'Report',
  description: 'Writes',
  tags: ['text'],
  input: z.object({ quarter: z.enum(['Q1', 'Q2']) }),
};
const reporter = defineAgent({
  name: 'reporter',
  description: 'Writes reports',
  version: '2.0.0',
  skills: [report],
  run: () => 'done',
});
const url = 'https://agents.example.com/a2a';

const search = {
  name: 'search',
  description: 'Searches the web',
  parameters: z.object({ query: z.string().min(1), limit: z.int().optional() }),
  output: { type: 'array', items: {} },
};

describe('generateAgentCard [seed:S3.4]', () => {
  it('has skills and tools, with what they take as JSON Schema in the params of an extension', async () => {
    const card = generateAgentCard(reporter, { url: `${url}/`, tools: [search, { name: 'clock' }] });
    expect(card).toMatchObject({
      name: 'reporter',
      version: '2.0.0',
      supportedInterfaces: expect.arrayContaining([{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]),
      skills: [
        { id: 'report', tags: ['text'] },
        { id: 'search', name: 'search', description: 'Searches the web', tags: ['tool'] },
        { id: 'clock', description: 'clock' },
      ],
    });
    const client = new A2AClient(card as never);
    const schemas = skillSchemasOf(client.card as NonNullable<typeof client.card>);
    expect([...schemas.keys()]).toEqual(['report', 'search']);
    expect(schemas.get('search')).toEqual({
      input: expect.objectContaining({
        type: 'object',
        properties: { query: { type: 'string', minLength: 1 }, limit: expect.objectContaining({ type: 'integer' }) },
        required: ['query'],
      }),
      output: { type: 'array', items: true },
    });
    expect(AgentCard.toJSON(AgentCard.fromJSON(card))).toMatchObject({ name: 'reporter' });
  });

  it('has the shape, provider, tenants and security that it is given', () => {
    const older = generateAgentCard(reporter, { url, shape: '0.3' });
    expect(older).toMatchObject({ protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC' });
    const card = generateAgentCard(reporter, {
      url,
      provider: { organization: 'Example', url: 'https://example.com' },
      tenants: ['acme'],
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      security: [{ key: [] }],
    });
    expect(card).toMatchObject({
      provider: { organization: 'Example' },
      securityRequirements: [{ schemes: { key: {} } }],
      supportedInterfaces: expect.arrayContaining([expect.objectContaining({ tenant: 'acme' })]),
    });
  });

  it.each<[string, () => unknown, string]>([
    [
      'an address that is none',
      () => generateAgentCard(reporter, { url: '/a2a' }),
      'url must be an http(s) address, not "/a2a"',
    ],
    [
      'a tool of the name of a skill',
      () => generateAgentCard(reporter, { url, tools: [{ name: 'report' }] }),
      'two skills have the id "report"',
    ],
    [
      'a tool without a name',
      () => generateAgentCard(reporter, { url, tools: [{ name: '' }] }),
      'skills[1] needs id, a text',
    ],
    [
      'a schema without words',
      () => generateAgentCard(reporter, { url, tools: [{ name: 'a', parameters: z.date() }] }),
      'The input of tool "a" of agent "reporter" cannot be written as JSON Schema',
    ],
    [
      'half a provider',
      () => generateAgentCard(reporter, { url, provider: { organization: 'Example', url: '' } }),
      'provider needs an organization and an http(s) url',
    ],
    [
      'security without its scheme',
      () => generateAgentCard(reporter, { url, securitySchemes: {}, security: [{ key: [] }] }),
      'security names "key", which is none of securitySchemes',
    ],
  ])('refuses %s', (_, make, message) => expect(make).toThrow(message));
});

describe('a server checks the cards of its agents when it starts', () => {
  const start = (more: Partial<Agent>, options: object = {}) =>
    new A2AServer({ agents: [{ ...reporter, ...more } as Agent], ...options });

  it.each<[string, Partial<Agent>, string]>([
    ['documents', { documentationUrl: 'docs/index.html' }, 'documentationUrl must be an http(s) address'],
    ['an icon', { iconUrl: 'javascript:alert(1)' }, 'iconUrl must be an http(s) address, or data: of an image'],
    ['a provider', { provider: { organization: '', url: 'https://example.com' } }, 'provider needs an organization'],
    ['media types', { outputModes: [''] }, 'outputModes must be media types such as text/plain'],
    ['no media types', { inputModes: [] }, 'inputModes must not be empty'],
    ['a skill', { skills: [{ ...report, description: '' }] }, 'skill "report" needs description, a text'],
    ['tags', { skills: [{ ...report, tags: [''] }] }, 'skill "report" needs tags, one at least'],
    ['an example', { skills: [{ ...report, examples: [''] }] }, 'skill "report" has an example that is no text'],
    [
      'params',
      { extensions: [{ uri: 'urn:x', params: { a: [Number.NaN] } }] },
      'params of the extension urn:x have a number that JSON cannot write, at a[0]',
    ],
    [
      'params that are none',
      { extensions: [{ uri: 'urn:x', params: [] as never }] },
      'params of the extension urn:x must be an object',
    ],
    [
      'params in a circle',
      { extensions: [{ uri: 'urn:x', params: circle() as never }] },
      'params of the extension urn:x cannot be written as JSON',
    ],
  ])('and names %s', (_, more, problem) => {
    expect(() => start(more)).toThrow(`The card of agent "reporter" cannot be published: ${problem}`);
  });

  it('and all that is wrong at once', () => {
    expect(() => start({ iconUrl: 'x', documentationUrl: 'y' })).toThrow(/documentationUrl .*; iconUrl /);
  });

  it('and whether they can be signed', () => {
    const sign = { key: 'x', kid: 'a' };
    expect(() => start({ description: 'half \ud83d' }, { card: { sign } })).toThrow(
      'The card of agent "reporter" cannot be signed: a text has half of a surrogate pair',
    );
  });
});

function circle(): object {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}
