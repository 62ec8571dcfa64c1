import { join } from 'node:path';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { llmAgent } from 'parley-a2a/llm';
import { mcpTools } from 'parley-a2a/mcp';
import { testAgent } from 'parley-a2a/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedModel, talkOf } from '../llm/support/mock-model.ts';
import { startNewServer, startOldServer } from './support/http-servers.ts';

const SERVERS = ['old-server', 'new-server'] as const;

const commandOf = (name: string) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'support', `${name}.ts`)],
});

describe.for(SERVERS)('tools of the %s', (name) => {
  let tools: Awaited<ReturnType<typeof mcpTools>>;
  beforeAll(async () => {
    tools = await mcpTools({ ...commandOf(name), prefix: 'my' });
  });
  afterAll(() => tools.close());

  it('have prefixes and schemas', () => {
    expect(Object.keys(tools)).toEqual(['my_add', 'my_dot', 'my_fail', 'my_big', 'my_die', 'my_pid', 'my_wait']);
    expect(tools.my_add?.description).toBe('Adds two numbers');
    expect(tools.my_add?.inputSchema['~standard'].jsonSchema.input()).toMatchObject({ required: ['a', 'b'] });
  });

  it('are used by the AI SDK as they are', async () => {
    const set: ToolSet = tools;
    const prompts: unknown[] = [];
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        prompts.push(prompt);
        const isFirst = prompts.length === 1;
        return {
          content: isFirst
            ? [{ type: 'tool-call', toolCallId: '1', toolName: 'my_add', input: '{"a":2,"b":3}' }]
            : [{ type: 'text', text: 'five' }],
          finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined },
          usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
          warnings: [],
        } as never;
      },
    });
    const { text } = await generateText({ model, tools: set, prompt: 'Add', stopWhen: stepCountIs(3) });
    expect(text).toBe('five');
    expect(JSON.stringify(prompts[1])).toContain('"output":{"type":"text","value":"5"}');
  });

  it('are used by agents with language models', async () => {
    const model = scriptedModel({ calls: [{ id: '1', name: 'my_add', input: { a: 2, b: 5 } }] }, { text: ['seven'] });
    const agent = llmAgent({ name: 'adder', description: 'Adds', version: '1', model, tools });
    await using tested = testAgent(agent);
    expect(await tested.client.run('Add')).toBe('seven');
    expect(talkOf(model.prompts[1]).at(-1)).toBe('tool: "7"');
  });

  it('give pictures to models', async () => {
    const output = await tools.my_dot?.execute({});
    expect(output && tools.my_dot?.toModelOutput({ output })).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: 'A dot' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: expect.stringMatching(/^iVBOR/) } },
      ],
    });
  });

  it('are canceled by the signal of the AI SDK', async () => {
    const stop = new AbortController();
    const waiting = tools.my_wait?.execute({}, { abortSignal: stop.signal });
    const failed = expect(waiting).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await failed;
    await expect(tools.my_wait?.execute({}, { abortSignal: stop.signal })).rejects.toThrow('enough');
  });

  it('have results of a size', async () => {
    await expect(tools.my_big?.execute({ size: 2_000_000 })).rejects.toThrow(
      /The result of big has \d+ bytes, more than limits.resultBytes \(1048576\)/,
    );
  });

  it('start their server again where it has died, and do not repeat the call that it died of', async () => {
    const pid = async () => (await tools.my_pid?.execute({}))?.content[0]?.text;
    const before = await pid();
    await expect(tools.my_die?.execute({})).rejects.toThrow(/^die of /);
    const after = await pid();
    expect(after).toMatch(/^\d+$/);
    expect(after).not.toBe(before);
  });

  it('throw what the server says is wrong', async () => {
    await expect(tools.my_fail?.execute({})).rejects.toThrow('The disk is full');
    await expect(tools.my_add?.execute({ a: 'x' })).rejects.toThrow(/\bb\b|expected number/i);
  });
});

describe('tools over HTTP', () => {
  it.for([
    ['old', startOldServer],
    ['old and imprecise', () => startOldServer(400)],
    ['new', startNewServer],
  ] as const)('are those of the %s server, with headers, over forgotten sessions', async ([, startServer]) => {
    const server = await startServer();
    const tools = await mcpTools({ url: server.url, headers: { authorization: 'Bearer secret' } });
    expect((await tools.add?.execute({ a: 1, b: 2 }))?.structuredContent).toEqual({ sum: 3 });
    expect(server.last.headers.authorization).toBe('Bearer secret');
    server.forget();
    expect((await tools.add?.execute({ a: 1, b: 3 }))?.structuredContent).toEqual({ sum: 4 });
    await tools.close();
    await expect(tools.add?.execute({ a: 1, b: 2 })).rejects.toThrow('are closed');
    await server.close();
    await expect(mcpTools({ url: server.url })).rejects.toThrow(/^Cannot use the MCP server http:\/\/127\.0\.0\.1:/);
  });
});

it('gives a call up that is aborted while its server is connected to anew', async () => {
  const server = await startOldServer();
  let isStuck = false;
  const slowFetch: typeof fetch = (url, init) =>
    isStuck && typeof init?.body === 'string' && init.body.includes('"initialize"')
      ? new Promise(() => {})
      : fetch(url, init);
  const limits = { connectTimeout: 2000 };
  const tools = await mcpTools({ url: server.url, protocol: '2025-11-25', fetch: slowFetch, limits });
  server.forget();
  isStuck = true;
  const stop = new AbortController();
  const call = tools.add?.execute({ a: 1, b: 2 }, { abortSignal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 50);
  await expect(call).rejects.toThrow('enough');
  await tools.close();
  await server.close();
});

describe('mistakes', () => {
  it.for([
    [{ ...commandOf('old-server'), only: ['sing'] }, /has no tool sing$/],
    [
      { ...commandOf('old-server'), protocol: '2025-11-25', limits: { tools: 3 } },
      /has 7 tools, more than limits.tools \(3\)/,
    ],
    [{ command: process.execPath, args: ['-e', 'console.error("no such file"); process.exit(1)'] }, /no such file/],
    [{ command: '/no/such/program' }, /^Cannot use the MCP server \/no\/such\/program: .*ENOENT/],
    [{ url: 'http://127.0.0.1:1/mcp' }, /^Cannot use the MCP server http:\/\/127\.0\.0\.1:1: /],
    [{ url: 'nonsense' }, /not an address|Invalid URL/],
    [{ url: 'file:///etc/passwd' }, /http/],
    [{ command: 'x', limits: { tools: 0 } }, /limits.tools must be a whole number above 0/],
    [{ command: 'x', limits: { toolz: 1 } }, /there is no limit toolz/],
    [{}, /give a command or a url/],
  ] as const)('%j', async ([source, problem]) => {
    await expect(mcpTools(source as never)).rejects.toThrow(problem);
  });
});
