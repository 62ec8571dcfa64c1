import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateText, isStepCount, type Tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { defineAgent, json, textOf, toObservable } from 'parley-a2a';
import { testAgent } from 'parley-a2a/testing';
import { filter, from, interval, lastValueFrom, map, take, toArray } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../setup/support/repository.ts';

// The libraries that users have, where other tests use small stand-ins.

describe('Zod', () => {
  const Order = z.object({ product: z.string(), amount: z.int().min(1).default(1) });
  const Receipt = z.object({ total: z.number() });
  const shop = defineAgent({
    name: 'shop',
    description: 'Sells things',
    version: '1.0.0',
    skills: [{ id: 'order', name: 'Order', description: 'Orders', tags: ['shop'], input: Order, output: Receipt }],
    run(task) {
      expectTypeOf(task.input.amount).toEqualTypeOf<number>();
      return json({ total: task.input.amount * 10 });
    },
  });

  it('checks what a skill is given, with its defaults, and shows its JSON Schema on the card (S3.4)', async () => {
    await using kit = testAgent(shop);
    const client = kit.client.as<typeof shop>();
    expect(await client.skill('order').call({ product: 'desk', amount: 3 })).toEqual({ total: 30 });
    expect(await client.skill('order').call({ product: 'desk' })).toEqual({ total: 10 });
    const wrong = client.skill('order').call({ product: 'desk', amount: 0 });
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    const card = await kit.client.agentCard();
    expect(JSON.stringify(card.capabilities.extensions)).toContain('"minimum":1');
  });

  it('says what is wrong as docs/guides/skills.md shows it', async () => {
    const Report = z.object({ quarter: z.enum(['Q1', 'Q2', 'Q3', 'Q4']), year: z.number().default(2025) });
    const skill = { id: 'report', name: 'Sales report', description: 'The figures', tags: ['sales'], input: Report };
    await using kit = testAgent(defineAgent({ ...shop, skills: [skill], run: () => 'done' }));
    const error: Error = await kit.client.sendMessage(json({ quarter: 'Q5' })).then(
      () => expect.fail('It was accepted'),
      (reason) => reason,
    );
    expect(readFileSync(join(ROOT, 'docs/guides/skills.md'), 'utf8')).toContain(`\`\`\`\n${error.message}\n\`\`\`\n`);
  });

  it('checks the answer to a question, and the next one is asked for with the reason', async () => {
    const agent = defineAgent({
      name: 'asker',
      description: 'Asks',
      version: '1.0.0',
      async *run(task) {
        const age = await task.ask({ prompt: 'How old are you?', schema: z.int().min(0).max(150) });
        expectTypeOf(age).toEqualTypeOf<number>();
        yield `You are ${age}.`;
      },
    });
    await using kit = testAgent(agent);
    const answers = ['many', '-1', '42'];
    const asked: string[] = [];
    const text = await kit.client.run('go', {
      onInput: (question) => {
        asked.push(question.prompt);
        return answers.shift();
      },
    });
    expect(text).toBe('You are 42.');
    expect(asked).toHaveLength(3);
  });
});

describe('RxJS (S0.16)', () => {
  it('writes an agent, and reads one', async () => {
    const counter = defineAgent({
      name: 'counter',
      description: 'Counts',
      version: '1.0.0',
      run: () =>
        interval(1).pipe(
          take(5),
          map((count) => `${count} `),
        ),
    });
    await using kit = testAgent(counter);
    const texts = from(toObservable(kit.client.sendMessageStream('go'))).pipe(
      filter((event) => event.kind === 'artifact'),
      map((event) => textOf(event.artifact)),
      toArray(),
    );
    expect((await lastValueFrom(texts)).join('')).toBe('0 1 2 3 4 ');
  });

  it('stops the source when the task is canceled', async () => {
    let isRunning = true;
    const ticks = defineAgent({
      name: 'ticks',
      description: 'Ticks',
      version: '1.0.0',
      run: (task) => {
        task.onCancel(() => {
          isRunning = false;
        });
        return interval(1).pipe(map(() => '.'));
      },
    });
    await using kit = testAgent(ticks);
    const stream = kit.client.sendMessageStream('go');
    await stream.id;
    expect((await stream.cancel()).status.state).toBe('canceled');
    expect(isRunning).toBe(false);
  });
});

describe('the AI SDK', () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  /** A model that uses a tool first, and then says what it has heard. */
  const modelThatUses = (toolName: string, input: unknown) =>
    new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        const last = prompt.at(-1);
        const heard = last?.role === 'tool' ? JSON.stringify(last.content) : undefined;
        if (heard !== undefined) {
          const finishReason = { unified: 'stop' as const, raw: undefined };
          return { content: [{ type: 'text', text: heard }], finishReason, usage, warnings: [] };
        }
        const call = { type: 'tool-call' as const, toolCallId: 'c1', toolName, input: JSON.stringify(input) };
        return { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
      },
    });
  const helper = defineAgent({
    name: 'helper',
    description: 'Helps',
    version: '1.0.0',
    run: (task) => `did ${task.text}`,
  });

  it('takes an agent as a tool, as it is', async () => {
    await using kit = testAgent(helper);
    await kit.client.agentCard();
    const tool = kit.client.asTool();
    expectTypeOf(tool).toExtend<Tool>();
    const model = modelThatUses('helper', { task: 'it' });
    const tools = { [tool.name]: tool };
    const { text } = await generateText({ model, tools, stopWhen: isStepCount(2), prompt: 'Get it done' });
    expect(text).toContain('"output":{"type":"text","value":"did it"}');
    // The model was told what the tool does and what it takes.
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([
      { type: 'function', name: 'helper', description: 'Helps', inputSchema: tool.parameters },
    ]);
  });

  it('refuses what a model makes up, and does not ask the agent', async () => {
    await using kit = testAgent(helper);
    const tools = { helper: kit.client.asTool() };
    const model = modelThatUses('helper', { quarter: 'Q4' });
    const { toolCalls } = await generateText({ model, tools, prompt: 'Get it done' });
    expect(toolCalls).toMatchObject([{ toolName: 'helper', invalid: true }]);
    expect((await kit.client.listTasks()).tasks).toEqual([]);
  });

  it('stops a tool by its own signal', async () => {
    const stuck = defineAgent({
      ...helper,
      run: (task) => new Promise((resolve) => resolveLater(task.signal, resolve)),
    });
    await using kit = testAgent(stuck);
    const abort = new AbortController();
    const use = kit.client.asTool().execute({ task: 'it' }, { abortSignal: abort.signal });
    abort.abort(new Error('enough'));
    expect(await use).toEqual({ output: '', success: false, error: 'enough' });
  });
});

function resolveLater(signal: AbortSignal, resolve: (value: string) => void): void {
  signal.addEventListener('abort', () => resolve('too late'), { once: true });
}
