import { A2AClient, A2AServer, type Agent, defineAgent, json } from 'parley-a2a';
import { custom } from 'parley-a2a/auth';
import { SKILLS_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { bridgeTo, GENERATIONS } from './support/bridge.ts';
import { placesOf } from './support/served.ts';

const deep = (levels: number): object => (levels === 0 ? {} : { type: 'object', properties: { a: deep(levels - 1) } });

/** An agent whose card says what it should not: schemas of skills, names, descriptions. */
function cardOf(skills: Readonly<Record<string, unknown>>, name = 'odd', description = 'Odd') {
  const ids = Object.keys(skills);
  const base = { description: 'A skill', tags: ['x'] };
  return {
    name,
    description,
    version: '1',
    protocolVersion: '1.0',
    supportedInterfaces: [{ url: 'http://odd.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { extensions: [{ uri: SKILLS_EXTENSION, params: { skills } }] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: ids.map((id) => ({ id, name: id, ...base })),
  };
}

function placeWith(card: unknown) {
  const url = 'http://odd.example';
  const client = new A2AClient(url, { fetch: async () => Response.json(card) });
  return { url, client };
}

describe.for(GENERATIONS)('cards of strangers, for a client of %s', (generation) => {
  const listed = async (card: unknown) => {
    const [good] = placesOf().places;
    const caller = await bridgeTo([placeWith(card), ...(good ? [good] : [])]).connect(generation);
    const tools = await caller.listTools();
    await caller.close();
    return tools;
  };

  it.for([
    ['too deep', { input: deep(2000), output: deep(2000) }],
    ['too large', { input: { type: 'object', description: 'x'.repeat(100_000) } }],
    [
      'that lead nowhere',
      {
        input: { type: 'object', properties: { a: { $ref: '#/$defs/no' } } },
        output: { type: 'object', properties: { a: { $ref: '#/$defs/no' } } },
      },
    ],
    [
      'that are none',
      { input: { type: 'object', properties: 7 }, output: { type: 'object', properties: { a: { type: 'nonsense' } } } },
    ],
    [
      'with regular expressions that are none',
      { input: { type: 'object' }, output: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
    ],
    ['of texts', { input: { type: 'string' } }],
    ['of anything', { input: true, output: true }],
  ] as const)('schemas %s do no harm to other tools', async ([, skill]) => {
    const tools = await listed(cardOf({ do: skill }));
    expect(tools.map(({ name }) => name)).toEqual(['odd', 'odd_do', 'talker']);
    expect(tools[1]?.inputSchema.type).toBe('object');
  });

  it('names and descriptions are bounded and legal', async () => {
    const skills = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`s${index} ${'ä/'.repeat(100)}`, { input: {} }]),
    );
    const tools = await listed(cardOf(skills, `${'n'.repeat(200)}\u001b[31m`, 'd'.repeat(100_000)));
    expect(tools.length).toBe(129);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    for (const { name, description = '' } of tools) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(description.length).toBeLessThanOrEqual(4000);
    }
  });
});

describe('results of strangers', () => {
  const call = async (agent: Agent, message = 'go') => {
    const caller = await bridgeTo(placesOf([agent]).places).connect('2025-11-25');
    const result = await caller.callTool(agent.name, { message });
    await caller.close();
    return result;
  };
  const about = { description: 'Odd', version: '1' };

  it('that are too large are named in their place', async () => {
    const huge = defineAgent({
      name: 'huge',
      ...about,
      async *run() {
        yield 'short';
        yield json({ text: 'x'.repeat(9_000_000) });
      },
    });
    const result = await call(huge);
    expect(result.structuredContent).toBeUndefined();
    expect(result.content).toMatchObject([
      { text: 'short' },
      { text: expect.stringMatching(/^A text of 9\d+ bytes is left out: a result has at most 8388608 bytes\.$/) },
      {},
    ]);
  });

  it('without anything say so', async () => {
    const result = await call(defineAgent({ name: 'silent', ...about, run: () => {} }));
    expect(result.content[0]).toEqual({ type: 'text', text: 'The agent has completed the task, without output.' });
  });

  it('of a guarded agent say what is missing, and come with a token', async () => {
    const safe = defineAgent({ name: 'safe', ...about, run: (task) => `in as ${task.user?.subject}` });
    const auth = custom(({ token }) => (token === 'right' ? { subject: 'ann' } : undefined), {
      scheme: { type: 'http', scheme: 'bearer' },
    });
    const server = new A2AServer({ agents: [safe], auth, log: { error: () => {}, warn: () => {} } });
    const at = (token: string | undefined) => {
      const url = 'http://localhost';
      const credentials = () => token;
      const client = new A2AClient(url, { credentials, fetch: (to, init) => server.fetch(new Request(to, init)) });
      return bridgeTo([{ url, client }]).connect('2026-07-28');
    };
    const stranger = await at(undefined);
    const refused = await stranger.callTool('safe', { message: 'hi' });
    expect(refused).toMatchObject({ isError: true, _meta: { 'io.parley/a2a': { error: 'UNAUTHENTICATED' } } });
    const ann = await at('right');
    expect((await ann.callTool('safe', { message: 'hi' })).content[0]).toMatchObject({ text: 'in as ann' });
    await Promise.all([stranger.close(), ann.close()]);
  });
});
