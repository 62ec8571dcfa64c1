import { join } from 'node:path';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { mcpTools } from 'parley-a2a/mcp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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

  it('throw what the server says is wrong', async () => {
    await expect(tools.my_fail?.execute({})).rejects.toThrow('The disk is full');
    await expect(tools.my_add?.execute({ a: 'x' })).rejects.toThrow(/\bb\b|expected number/i);
  });
});
