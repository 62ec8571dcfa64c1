import { tool } from 'ai';
import { textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel, type Turn } from './support/mock-model.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };

/** Resolves when it is told to. */
function gate(): { readonly reached: Promise<void>; readonly pass: () => Promise<never> } {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    reached,
    pass: () => {
      reach();
      return new Promise<never>(() => {});
    },
  };
}

describe('a run that was lost [seed:S0.17]', () => {
  const LOOKS: Turn = {
    reasoning: ['Hm.'],
    text: ['Let me ', 'look.'],
    calls: [
      { id: 'c1', name: 'look', input: { at: 'a' } },
      { id: 'c2', name: 'look', input: { at: 'b' } },
    ],
  };

  it.each(['model call', 'tool', 'first model call'])('in the middle of a %s goes on after it', async (where) => {
    const stop = gate();
    const looked: string[] = [];
    const agentOf = (isFirst: boolean) => {
      const hangs: Turn = { text: ['Half an '], hang: stop.pass };
      const turns: readonly Turn[] = isFirst
        ? where === 'first model call'
          ? [hangs]
          : [LOOKS, where === 'model call' ? hangs : { text: ['never'] }]
        : where === 'first model call'
          ? [LOOKS, { text: ['Found it.'] }]
          : [{ text: ['Found it.'] }];
      const model = scriptedModel(...turns);
      const look = tool({
        inputSchema: z.object({ at: z.string() }),
        execute: async ({ at }) => {
          if (isFirst && where === 'tool' && at === 'b') {
            // The result of the other one is on disk before the server dies.
            return stop.pass();
          }
          looked.push(at);
          return `saw ${at}`;
        },
      });
      return { model, agent: llmAgent({ ...ABOUT, model, tools: { look } }) };
    };
    const first = agentOf(true);
    await using served = testAgent(first.agent);
    const stream = served.client.sendMessageStream('Where is it?');
    const task = stream.task;
    await stop.reached;
    if (where === 'tool') await expect.poll(() => looked).toEqual(['a']);
    const second = agentOf(false);
    await served.restart(second.agent);
    const ended = await task;
    expect(ended.status.state).toBe('completed');
    expect(looked.toSorted()).toEqual(where === 'tool' ? expect.arrayContaining(['a', 'b']) : ['a', 'b']);
    expect(second.model.prompts).toHaveLength(where === 'first model call' ? 2 : 1);
    const answer = ended.artifacts.find(({ name }) => name === undefined);
    expect(answer?.parts).toEqual([{ kind: 'text', text: 'Let me look.\n\nFound it.' }]);
    expect(textOf(ended.artifacts.find(({ name }) => name === 'reasoning') ?? '')).toBe('Hm.');
    expect(ended.metadata?.usage).toMatchObject({ modelCalls: 2, inputTokens: 20 });
    const calling = ended.history.filter((message) => textOf(message) === 'Calling look…');
    expect(calling).toHaveLength(2);
  });
});
