import { APICallError, tool } from 'ai';
import { bytes, json, link, reject, text, textOf } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel, talkOf } from './support/mock-model.ts';

const refusal = new APICallError({
  message: 'no',
  url: 'x',
  requestBodyValues: {},
  statusCode: 400,
  isRetryable: false,
});
const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0', inputModes: ['*/*'] };

describe('the conversation of an agent of a language model (S1.8)', () => {
  it('has the earlier turns of the context, with their tool calls and results, also after a restart', async () => {
    const model = scriptedModel(
      {
        text: ['Looking.'],
        calls: [
          { id: 'c1', name: 'find', input: { what: 'key' } },
          { id: 'c2', name: 'find', input: { what: 3 } },
        ],
      },
      { text: ['Under the mat.'] },
      { text: ['As I said.'] },
    );
    const find = tool({
      inputSchema: z.object({ what: z.string() }),
      execute: ({ what }) => `the ${what} is under the mat`,
    });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { find } }));
    const first = await agent.client.sendMessage('Where is my key?');
    await agent.restart();
    await agent.client.sendMessage('Where?', { contextId: first.contextId });
    const talk = talkOf(model.prompts[2]);
    expect(talk.slice(0, 2)).toEqual([
      'user: Where is my key?',
      'assistant: Looking. [find {"what":"key"}] [find {"what":3}]',
    ]);
    expect(talk[2]).toMatch(/^tool: "the key is under the mat" "Invalid input for tool find/);
    expect(talk.slice(3)).toEqual(['assistant: Under the mat.', 'user: Where?']);
    // Other conversations see nothing of it.
    await agent.client.sendMessage('Hello');
    expect(talkOf(model.prompts[3])).toEqual(['user: Hello']);
  });

  it('has the results of tools that the caller ran, and of results that did not fit only the last', async () => {
    const model = scriptedModel(
      { calls: [{ id: 'c1', name: 'pick', input: {} }] },
      { text: ['not JSON'] },
      { text: ['{"color":"red"}'] },
      { text: ['{"color":"blue"}'] },
    );
    const pick = tool({ description: 'Lets the caller pick', inputSchema: z.object({}), outputSchema: z.string() });
    const output = z.object({ color: z.string() });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { pick }, output }));
    const tools = { pick: { description: 'Picks', execute: () => 'red' } };
    const first = await agent.client.sendMessageStream('Pick', { tools }).task;
    expect(first.status.state).toBe('completed');
    await agent.client.sendMessage('Again', { contextId: first.contextId });
    expect(talkOf(model.prompts[3]).slice(1)).toEqual([
      'user: Pick',
      'assistant: [pick {}]',
      'tool: "red"',
      'assistant: {"color":"red"}',
      'user: Again',
    ]);
  });

  it('has the reason of a rejection, and of tools without a result does not say that they did nothing', async () => {
    const decline = tool({
      inputSchema: z.object({}),
      execute: (): string => {
        throw reject('Not on Sundays');
      },
    });
    const model = scriptedModel(
      { text: ['I try.'], calls: [{ id: 'c1', name: 'decline', input: {} }] },
      { text: ['Ask tomorrow.'] },
    );
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { decline } }));
    const first = await agent.client.sendMessage('Pay');
    await agent.client.sendMessage('Why not?', { contextId: first.contextId });
    expect(talkOf(model.prompts[1])).toEqual([
      'user: Pay',
      'assistant: I try. [decline {}]',
      'tool: "The tool has no result: it was not carried out, or the task ended before it was done"',
      'assistant: Not on Sundays',
      'user: Why not?',
    ]);
  });

  it('goes on after a file that the model did not take: later calls name it alone', async () => {
    const limited = new APICallError({ message: 'no', url: 'x', requestBodyValues: {}, statusCode: 429 });
    const model = scriptedModel({ error: refusal }, { error: limited }, { text: ['Fine.'] });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, limits: { attempts: 1 } }));
    const file = bytes(new Uint8Array([1]), { mediaType: 'application/x-odd', filename: 'a.odd' });
    const image = bytes(new Uint8Array([2]), { mediaType: 'image/png' });
    const { contextId } = await agent.client.sendMessage({ parts: [text('Read'), file] });
    await agent.client.sendMessage({ parts: [text('Look'), image] }, { contextId });
    expect(textOf(await agent.client.sendMessage('And now?', { contextId }))).toBe('Fine.');
    expect(talkOf(model.prompts[2]).filter((line) => line.startsWith('user'))).toEqual([
      'user: Read\n[file: a.odd, application/x-odd, not shown]',
      'user: Look <file>',
      'user: And now?',
    ]);
  });

  it('goes on after a file of a tool that the model did not take, and shows what it had taken before', async () => {
    const model = scriptedModel(
      { calls: [{ id: 'c1', name: 'shoot', input: {} }] },
      { error: refusal },
      { text: ['Fine.'] },
    );
    const shoot = tool({
      inputSchema: z.object({}),
      execute: () => 'shot',
      toModelOutput: () => ({
        type: 'content',
        value: [{ type: 'file', mediaType: 'image/x-odd', data: { type: 'data', data: new Uint8Array([1]) } }],
      }),
    });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, tools: { shoot }, limits: { attempts: 1 } }));
    const image = bytes(new Uint8Array([2]), { mediaType: 'image/png' });
    const { contextId } = await agent.client.sendMessage({ parts: [text('Compare'), image] });
    expect(textOf(await agent.client.sendMessage('And now?', { contextId }))).toBe('Fine.');
    const prompt = JSON.stringify(model.prompts[2]);
    expect(prompt).toContain('[file: not shown]');
    expect(prompt).not.toContain('image/x-odd');
    expect(talkOf(model.prompts[2])[0]).toBe('user: Compare <file>');
  });

  it('takes texts, data and files; text files as text, others with their type', async () => {
    const model = scriptedModel({ text: ['I see.'] });
    const agentOf = llmAgent({ ...ABOUT, model, limits: { files: 2 } });
    await using agent = testAgent(agentOf);
    const first = await agent.client.sendMessage([
      text('Look:'),
      json({ a: 1 }),
      bytes('x,y', { mediaType: 'text/csv', filename: 'table.csv' }),
      bytes(new Uint8Array([137, 80]), { mediaType: 'image/png', filename: 'dot.png' }),
    ]);
    const [message] = model.prompts[0] ?? [];
    expect(message?.content).toEqual([
      { type: 'text', text: 'Look:' },
      { type: 'text', text: '{"a":1}' },
      { type: 'text', text: '[file: table.csv, text/csv]\nx,y' },
      expect.objectContaining({ type: 'file', mediaType: 'image/png', filename: 'dot.png' }),
    ]);
    // In the next turn the latest file comes first, and one more is all that fits.
    const more = bytes(new Uint8Array([1]), { mediaType: 'image/gif' });
    await agent.client.sendMessage([text('And this'), more], { contextId: first.contextId });
    const [earlier, , latest] = model.prompts[1] ?? [];
    expect(talkOf(latest && [latest])).toEqual(['user: And this <file>']);
    expect(talkOf(earlier && [earlier])).toEqual([
      'user: Look:\n{"a":1}\n[file: table.csv, text/csv]\nx,y\n[file: dot.png, image/png, not shown]',
    ]);
  });

  it('fails where a link of the caller cannot be had, and never asks the model', async () => {
    const model = scriptedModel({ text: ['never'] });
    await using agent = testAgent(llmAgent({ ...ABOUT, model }));
    const task = await agent.client.sendMessage([text('Read'), link('http://127.0.0.1:1/secret.txt')]);
    expect(task).toMatchObject({ status: { state: 'failed', message: { metadata: { reason: 'no-file' } } } });
    expect(textOf(task)).not.toBe('');
    expect(model.prompts).toEqual([]);
  });

  it('is bounded by tasks and by length, whole tasks at a time, and prepareHistory has the last word', async () => {
    const model = scriptedModel({ text: ['yes'] });
    await using agent = testAgent(llmAgent({ ...ABOUT, model, limits: { historyTasks: 3, historyLength: 41 } }));
    const { contextId } = await agent.client.sendMessage('one');
    for (const word of ['two', 'a text that is much longer', 'four', 'five']) {
      await agent.client.sendMessage(word, { contextId });
    }
    expect(talkOf(model.prompts[3])).toEqual([
      ...['user: one', 'assistant: yes', 'user: two', 'assistant: yes'],
      ...['user: a text that is much longer', 'assistant: yes', 'user: four'],
    ]);
    expect(talkOf(model.prompts[4])).toEqual([
      ...['user: a text that is much longer', 'assistant: yes'],
      ...['user: four', 'assistant: yes', 'user: five'],
    ]);

    const long = scriptedModel({ text: ['yes'] });
    await using paged = testAgent(llmAgent({ ...ABOUT, model: long, limits: { historyTasks: 18 } }));
    let context = (await paged.client.sendMessage('1')).contextId;
    for (let number = 2; number <= 21; number += 1) {
      context = (await paged.client.sendMessage(`${number}`, { contextId: context })).contextId;
    }
    const asked = talkOf(long.prompts[20]).filter((line) => line.startsWith('user'));
    expect(asked).toEqual(Array.from({ length: 19 }, (_, index) => `user: ${index + 3}`));

    const seen: unknown[] = [];
    const prepared = scriptedModel({ text: ['yes'] });
    await using shortened = testAgent(
      llmAgent({
        ...ABOUT,
        model: prepared,
        prepareHistory: (messages, { turn, inputTokens, task }) => {
          seen.push([messages.length, turn, inputTokens, task.text]);
          return messages.slice(-1);
        },
      }),
    );
    const begun = await shortened.client.sendMessage('one');
    await shortened.client.sendMessage('two', { contextId: begun.contextId });
    expect(seen).toEqual([
      [1, 1, undefined, 'one'],
      [3, 1, undefined, 'two'],
    ]);
    expect(talkOf(prepared.prompts[1])).toEqual(['user: two']);
  });
});
