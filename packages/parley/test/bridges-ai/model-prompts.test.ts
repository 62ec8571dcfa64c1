import { generateText, type ModelMessage } from 'ai';
import { dataOf, defineAgent, type Message } from 'parley-a2a';
import { a2aModel } from 'parley-a2a/llm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from './support/served.ts';

/** What the agent was sent last. */
let sent: Message | undefined;
let kit: Served;

beforeAll(async () => {
  const recorder = defineAgent({
    name: 'recorder',
    description: 'Remembers what it was sent',
    version: '1.0.0',
    inputModes: ['*/*'],
    skills: ['a', 'b'].map((id) => ({ id, name: id, description: id, tags: ['x'] })),
    run(task) {
      sent = task.message;
      return `${task.skill ?? 'no skill'}, ${task.text.length} characters`;
    },
  });
  kit = await served(recorder);
});
afterAll(() => kit[Symbol.asyncDispose]());

async function send(messages: ModelMessage[], a2a?: Record<string, unknown>, more = {}) {
  const providerOptions = a2a && { a2a: a2a as never };
  const result = await generateText({ model: a2aModel(kit.client), messages, providerOptions, ...more });
  return { result, parts: sent?.parts };
}

const user = (content: string): ModelMessage => ({ role: 'user', content });
const assistant = (content: string): ModelMessage => ({ role: 'assistant', content });

describe('what is sent of a prompt', () => {
  it('is the message as it is, with its files; links are not fetched', async () => {
    const { parts, result } = await send([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look: ' },
          { type: 'file', data: new Uint8Array([1, 2]), mediaType: 'application/pdf', filename: 'a.pdf' },
          { type: 'file', data: 'https://files.invalid/b.png', mediaType: 'image/png' },
          { type: 'file', data: { type: 'text', text: 'plain' }, mediaType: 'text/plain', filename: 'c.txt' },
          { type: 'file', data: { type: 'text', text: '{"quarter":"Q4"}' }, mediaType: 'application/json' },
          { type: 'text', text: 'Well?' },
        ],
      },
    ]);
    expect(parts).toEqual([
      { kind: 'text', text: 'Look: ' },
      { kind: 'bytes', bytes: 'AQI=', mediaType: 'application/pdf', filename: 'a.pdf' },
      { kind: 'link', url: 'https://files.invalid/b.png', mediaType: 'image/png' },
      { kind: 'text', text: 'plain', mediaType: 'text/plain', filename: 'c.txt' },
      { kind: 'data', data: { quarter: 'Q4' } },
      { kind: 'text', text: 'Well?' },
    ]);
    expect(dataOf(parts ?? [])).toEqual({ quarter: 'Q4' });
    expect(result.warnings ?? []).toEqual([]);
  });

  it('begins with the instructions of the system, and a warning tells so', async () => {
    const { parts, result } = await send([user('Hello')], undefined, { system: 'Be brief.' });
    expect(parts).toEqual([{ kind: 'text', text: 'Be brief.\n\nHello' }]);
    expect(result.warnings).toMatchObject([{ type: 'compatibility', feature: 'system messages' }]);
  });

  it('is a transcript where others have spoken before, tools included', async () => {
    const call = { toolCallId: '1', toolName: 'clock' } as const;
    const { parts, result } = await send([
      user('What time is it?'),
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm' },
          { type: 'tool-call', ...call, input: { zone: 'UTC' } },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'json', value: { hour: 9 } } }] },
      assistant('Nine.'),
      user('And now?'),
    ]);
    const text = [
      'User: What time is it?',
      'Assistant: [uses clock with {"zone":"UTC"}]',
      'Tool: [clock returned {"hour":9}]',
      'Assistant: Nine.',
      'User: And now?',
    ].join('\n\n');
    expect(parts).toEqual([{ kind: 'text', text }]);
    expect(result.warnings).toMatchObject([{ type: 'compatibility', feature: 'several messages' }]);
  });

  it('is only what is new where a conversation goes on', async () => {
    const first = await send([user('Hello')]);
    const { contextId } = first.result.providerMetadata?.a2a ?? {};
    const messages = [user('Hello'), assistant('Hi'), user('How are you?'), user('Well?')];
    const { parts, result } = await send(messages, { contextId });
    expect(parts).toEqual([{ kind: 'text', text: 'How are you?\n\nWell?' }]);
    expect(result.providerMetadata?.a2a?.contextId).toBe(contextId);
    expect(result.warnings ?? []).toEqual([]);
    const other = await send(messages);
    expect(other.result.providerMetadata?.a2a?.contextId).not.toBe(contextId);
  });

  it('never goes on with a conversation because a message says so: messages may come from strangers', async () => {
    const first = await send([user('Hello')]);
    const { contextId } = first.result.providerMetadata?.a2a ?? {};
    const forged = { a2a: { contextId: contextId as string } };
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Hello', providerOptions: forged },
      { role: 'assistant', content: [{ type: 'text', text: 'Hi', providerOptions: forged }], providerOptions: forged },
      { role: 'user', content: 'What did I tell you?', providerOptions: forged },
    ];
    const { result } = await send(messages);
    expect(result.providerMetadata?.a2a?.contextId).not.toBe(contextId);
  });

  it('has the skill, the metadata and the references that the options name', async () => {
    const { result } = await send([user('Hello')], { skill: 'b', messageMetadata: { color: 'red' } });
    expect(result.text).toMatch(/^b,/);
    expect(sent?.metadata).toMatchObject({ color: 'red' });
    const model = a2aModel(kit.client, { skill: 'a' });
    expect((await generateText({ model, prompt: 'Hello' })).text).toMatch(/^a,/);
    const providerOptions = { a2a: { skill: 'b' } };
    expect((await generateText({ model, prompt: 'Hello', providerOptions })).text).toMatch(/^b,/);
  });
});

describe('what cannot be sent is refused, and said', () => {
  const refusals: [string, ModelMessage[], Record<string, unknown> | undefined, string][] = [
    ['an unknown option', [user('x')], { contextID: 'c' }, 'providerOptions.a2a.contextID is none of its members'],
    ['an option of another type', [user('x')], { contextId: 7 }, 'providerOptions.a2a.contextId must be a text'],
    ['an empty id', [user('x')], { taskId: '' }, 'providerOptions.a2a.taskId must be a text that is not empty'],
    ['a time that is none', [user('x')], { timeout: 'soon' }, 'providerOptions.a2a.timeout must be a number'],
    ['nothing new', [user('x'), assistant('y')], { contextId: 'c' }, 'The prompt has nothing to send'],
    [
      'a file of another provider',
      [
        {
          role: 'user',
          content: [
            { type: 'file', mediaType: 'image/png', data: { type: 'reference', reference: { openai: 'f-1' } } },
          ],
        },
      ],
      undefined,
      'The prompt has a file of another provider',
    ],
  ];

  it.for(refusals)('%s', async ([, messages, options, problem]) => {
    sent = undefined;
    await expect(send(messages, options)).rejects.toMatchObject({
      name: 'AI_APICallError',
      message: expect.stringContaining(problem),
      isRetryable: false,
      data: { code: 'INVALID_PARAMS' },
    });
    expect(sent).toBeUndefined();
  });

  it('settings of a model that an agent has no place for are warned of', async () => {
    const { result } = await send([user('Hello')], undefined, {
      temperature: 0.5,
      maxOutputTokens: 100,
      topP: 0.9,
      topK: 40,
      presencePenalty: 1,
      frequencyPenalty: 1,
      stopSequences: ['.'],
      seed: 7,
      reasoning: 'high',
      tools: { a: kit.client.asTool() },
    });
    expect(result.warnings?.map((warning) => 'feature' in warning && warning.feature).sort()).toEqual([
      'frequencyPenalty',
      'maxOutputTokens',
      'presencePenalty',
      'reasoning',
      'seed',
      'stopSequences',
      'temperature',
      'tools',
      'topK',
      'topP',
    ]);
    expect(result.text).toContain('characters');
  });
});
