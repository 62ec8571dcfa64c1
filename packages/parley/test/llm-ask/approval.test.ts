import { tool } from 'ai';
import { type InputQuestion, textOf } from 'parley-a2a';
import { openQuestionsOf, QUESTIONS_EXTENSION } from 'parley-a2a/extensions';
import { type LlmAgentOptions, llmAgent, type ToolApproval } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel, talkOf } from '../llm/support/mock-model.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };

const DELETES = {
  calls: [
    { id: 'c1', name: 'remove', input: { file: 'a' } },
    { id: 'c2', name: 'remove', input: { file: 'b' } },
    { id: 'c3', name: 'list', input: {} },
  ],
};

function agentWith(options: Partial<LlmAgentOptions>, needsApproval?: boolean | (() => boolean)) {
  const removed: string[] = [];
  const model = scriptedModel(DELETES, { text: ['Done.'] });
  const remove = tool({
    inputSchema: z.object({ file: z.string() }),
    needsApproval: needsApproval as never,
    execute: ({ file }) => {
      removed.push(file);
      return `removed ${file}`;
    },
  });
  const list = tool({ inputSchema: z.object({}), execute: () => ['a', 'b'] });
  return { agent: llmAgent({ ...ABOUT, model, tools: { remove, list }, ...options }), model, removed };
}

describe('approval of tool calls [seed:S0.17]', () => {
  it.each<[string, ToolApproval | undefined, boolean | (() => boolean) | undefined]>([
    ['toolApproval by the name of the tool', { remove: 'user-approval' }, undefined],
    ['a function for the tool', { remove: () => ({ type: 'user-approval' }) }, undefined],
    [
      'one function for all',
      ({ toolCall }) => (toolCall.toolName === 'remove' ? 'user-approval' : undefined),
      undefined,
    ],
    ['needsApproval of the tool', undefined, true],
    ['a function of the tool', undefined, () => true],
  ])('asks the caller by %s: for several calls at once, and tells the model what was refused', async (...given) => {
    const [, toolApproval, needsApproval] = given;
    const { agent, model, removed } = agentWith({ toolApproval }, needsApproval);
    await using served = testAgent(agent);
    const asked = await served.client.sendMessage('Tidy up');
    expect(asked).toMatchObject({ status: { state: 'input-required' } });
    if (!('status' in asked) || !asked.status.message) throw new Error('It does not ask');
    const open = openQuestionsOf(asked.status.message);
    const choices = [{ value: 'approve' }, { value: 'refuse' }];
    expect(open).toMatchObject([
      {
        prompt: 'May the tool "remove" be called with {"file":"a"}?',
        choices,
        approves: { name: 'remove', args: { file: 'a' } },
      },
      { choices, approves: { name: 'remove', args: { file: 'b' } } },
    ]);
    expect(removed).toEqual([]);
    const options = { taskId: asked.id };
    const parts = open.map(({ id }, index) => ({
      kind: 'data' as const,
      data: { requestId: id, result: index === 0 ? 'refuse' : 'approve' },
    }));
    const done = await served.client.sendMessage({ parts }, options);
    expect(textOf(done)).toBe('Done.');
    expect(removed).toEqual(['b']);
    const results = model.prompts[1]?.at(-1)?.content;
    expect(results).toMatchObject([
      { toolCallId: 'c1', output: { type: 'execution-denied', reason: 'The caller has refused this call' } },
      { toolCallId: 'c2', output: { type: 'text', value: 'removed b' } },
      { toolCallId: 'c3', output: { type: 'json', value: ['a', 'b'] } },
    ]);
  });

  it('is given by onInput of the client, which sees the call', async () => {
    const { agent, removed } = agentWith({
      toolApproval: { remove: { type: 'user-approval', reason: 'It is final.' } },
    });
    await using served = testAgent(agent);
    const seen: InputQuestion[] = [];
    const text = await served.client.run('Tidy up', {
      onInput: (question) => {
        seen.push(question);
        return question.approves?.name === 'remove' ? 'approve' : 'refuse';
      },
    });
    expect([text, removed]).toEqual(['Done.', ['a', 'b']]);
    expect(seen[0]?.prompt).toBe('May the tool "remove" be called with {"file":"a"}?\nIt is final.');
  });

  it('is decided without the caller by approved and denied', async () => {
    const decide: ToolApproval = ({ toolCall }) => {
      if (toolCall.toolName !== 'remove') return 'not-applicable';
      return toolCall.toolCallId === 'c1' ? { type: 'denied', reason: 'Not a.' } : 'approved';
    };
    const { agent, model, removed } = agentWith({ toolApproval: decide });
    await using served = testAgent(agent);
    expect(await served.client.run('Tidy up')).toBe('Done.');
    expect(removed).toEqual(['b']);
    expect(model.prompts[1]?.at(-1)?.content).toMatchObject([
      { output: { type: 'execution-denied', reason: 'Not a.' } },
      { output: { value: 'removed b' } },
      {},
    ]);
  });

  it('is not given by what is neither, however often', async () => {
    const { agent, removed } = agentWith({ toolApproval: { remove: 'user-approval' } });
    await using served = testAgent(agent);
    let asks = 0;
    const text = await served.client.run('Tidy up', {
      onInput: () => {
        asks += 1;
        return 'perhaps';
      },
    });
    expect([text, removed, asks]).toEqual(['Done.', [], 6]);
  });

  it('is asked for only what can be shown', async () => {
    const { agent, model, removed } = agentWith({
      toolApproval: { remove: 'user-approval' },
      limits: { askedArguments: 11 },
    });
    await using served = testAgent(agent);
    expect(await served.client.run('Tidy up')).toBe('Done.');
    expect(removed).toEqual([]);
    expect(talkOf(model.prompts[1]).at(-1)).toContain('11 characters (limits.askedArguments), not 12');
  });

  it.each(['after', 'before'])('survives a restart %s the answers, and calls each tool once', async (when) => {
    const first = agentWith({ toolApproval: { remove: () => 'user-approval' } });
    const second = agentWith({ toolApproval: { remove: () => 'denied' } });
    await using served = testAgent(first.agent);
    const asked = await served.client.sendMessage('Tidy up');
    if (!('status' in asked) || !asked.status.message) throw new Error('It does not ask');
    const [a, b] = openQuestionsOf(asked.status.message);
    const answer = (id: string | undefined, result: string) => ({
      parts: [{ kind: 'text' as const, text: result, metadata: { [QUESTIONS_EXTENSION]: { id: id ?? '' } } }],
    });
    if (when === 'after') await served.client.sendMessage(answer(b?.id, 'approve'), { taskId: asked.id });
    const recorded = async () => JSON.stringify(await served.store.journal(asked.id)).includes('removed b');
    if (when === 'after') await expect.poll(recorded).toBe(true);
    await served.restart(second.agent);
    if (when === 'before') await served.client.sendMessage(answer(b?.id, 'approve'), { taskId: asked.id });
    const done = await served.client.sendMessage(answer(a?.id, 'approve'), { taskId: asked.id });
    expect(textOf(done)).toBe('Done.');
    expect([first.removed, second.removed]).toEqual(when === 'after' ? [['b'], ['a']] : [[], ['b', 'a']]);
  });
});
