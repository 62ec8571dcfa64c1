import { tool } from 'ai';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { textOfTask } from '../support/frames.ts';
import {
  type ChatMessage,
  callTool,
  callTools,
  type Move,
  type OpenAIServer,
} from '../support/openai/openai-server.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { host, saidBy } from './host.ts';

/** The results of tools that a request shows to the model, by the call's id. */
function resultsIn(messages: readonly ChatMessage[] = []): Record<string, string> {
  const results = messages.filter(({ role }) => role === 'tool');
  return Object.fromEntries(results.map(({ tool_call_id: id, content }) => [String(id), String(content)]));
}

function lastResults({ requests }: OpenAIServer): Record<string, string> {
  return resultsIn(requests.at(-1)?.body.messages);
}

const add = tool({
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
});

it('tool calls of one response run at once, and the model gets each result (S0.17)', async () => {
  const begun: string[] = [];
  const all = Promise.withResolvers<void>();
  const meet = tool({
    inputSchema: z.object({ who: z.string() }),
    // Waits until all three are there: calls one after the other would never end.
    execute: async ({ who }) => {
      if (begun.push(who) === 3) all.resolve();
      await all.promise;
      return `${who} was here`;
    },
  });
  const calls = ['a', 'b', 'c'].map((who) => ({ id: `call-${who}`, name: 'meet', input: { who } }));
  const { model, peer } = await host([['Well. ', ...callTools(calls)], ['Done']], { tools: { meet } });
  const task = await peer.send('Hi');
  expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'Well. \n\nDone']);
  expect(begun.toSorted()).toEqual(['a', 'b', 'c']);
  expect(lastResults(model)).toEqual({ 'call-a': 'a was here', 'call-b': 'b was here', 'call-c': 'c was here' });
});

const MISTAKES: Readonly<Record<string, readonly [moves: readonly Move[], told: RegExp]>> = {
  'arguments that are no JSON': [callTool('add', '{"a": 1, "b"', 'bad'), /JSON|parse|invalid/i],
  'arguments of another type': [callTool('add', { a: 'one', b: 2 }, 'bad'), /number|invalid/i],
  'arguments that are no object': [callTool('add', '[1, 2]', 'bad'), /invalid|object/i],
  'arguments that are null': [callTool('add', 'null', 'bad'), /invalid|object/i],
  'no arguments': [callTool('add', '', 'bad'), /invalid|expected|number/i],
  'a tool that is not there': [callTool('subtract', { a: 1, b: 2 }, 'bad'), /subtract/],
};

it.each(Object.entries(MISTAKES))('%s are told to the model, which may try again (S0.17)', async (_, [moves, told]) => {
  const { model, peer } = await host([moves, callTool('add', { a: 1, b: 2 }, 'good'), ['Three']], { tools: { add } });
  const task = await peer.send('1 + 2');
  expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'Three']);
  expect(lastResults(model)).toEqual({ bad: expect.stringMatching(told), good: '3' });
  // The request that goes on is one that a strict provider takes: the arguments of each call are an object in JSON.
  for (const { tool_calls: calls = [] } of model.requests.at(-1)?.body.messages ?? []) {
    for (const call of calls) expect(JSON.stringify(JSON.parse(call.function.arguments))).toMatch(/^\{/);
  }
});

it('one bad call beside a good one spoils neither it nor the loop (S0.17)', async () => {
  const calls = [
    { id: 'good', name: 'add', input: { a: 1, b: 2 } },
    { id: 'bad', name: 'add', input: '{' },
  ];
  const { model, peer } = await host([callTools(calls), ['Three']], { tools: { add } });
  expect(textOfTask(await peer.send('Hi'))).toBe('Three');
  expect(lastResults(model)).toMatchObject({ good: '3', bad: expect.stringMatching(/./) });
});

it('a tool that throws, or returns what JSON cannot carry, is told to the model (S0.17)', async () => {
  const inputSchema = z.object({ word: z.string().optional() });
  const tools = {
    thrower: tool({ inputSchema, execute: async (): Promise<string> => Promise.reject(new Error('No such city')) }),
    big: tool({ inputSchema, execute: () => ({ count: 1n }) }),
    silent: tool({ inputSchema, execute: () => undefined }),
  };
  const calls = Object.keys(tools).map((name) => ({ id: name, name, input: {} }));
  const { model, peer } = await host([callTools(calls), ['Sorry']], { tools });
  const task = await peer.send('Hi');
  expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'Sorry']);
  expect(Object.keys(lastResults(model))).toEqual(['thrower', 'big', 'silent']);
  expect(lastResults(model).thrower).toMatch(/No such city/);
});

it('a loop that never ends fails with the reason max-turns and keeps what there is (S0.17) (S1.5)', async () => {
  const endless = await host(
    ({ number }) => [`Round ${number}.`, ...callTool('add', { a: number, b: 1 }, `c-${number}`)],
    {
      tools: { add },
      maxTurns: 4,
    },
  );
  const frames = await endless.peer.stream('SendStreamingMessage', sendParams('Go'));
  const task = await endless.peer.call('GetTask', { id: frames[0]?.result.task.id });
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(JSON.stringify(task.status)).toContain('max-turns');
  expect(textOfTask(task)).toBe('Round 1.\n\nRound 2.\n\nRound 3.\n\nRound 4.');
  expect(endless.model.requests).toHaveLength(4);
  expect(frames.at(-1)?.result.statusUpdate.status).toEqual(task.status);
});

it('bounds calls of tools in one response, and the result of each (S0.17)', async () => {
  let runs = 0;
  const long = tool({
    inputSchema: z.object({}),
    execute: () => {
      runs += 1;
      return 'x'.repeat(10_000);
    },
  });
  const calls = Array.from({ length: 40 }, (_, index) => ({ id: `c-${index}`, name: 'long', input: {} }));
  const { model, peer } = await host([callTools(calls), ['Done']], {
    tools: { long },
    limits: { toolCalls: 5, toolResultLength: 100 },
  });
  const task = await peer.send('Hi');
  expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'Done']);
  expect(runs).toBe(5);
  const results = lastResults(model);
  // Providers refuse a conversation in which a call has no result.
  expect(Object.keys(results)).toHaveLength(40);
  for (const result of Object.values(results)) expect(result.length).toBeLessThan(400);
});

it('cuts the result of a tool between characters, and never inside of one (S0.17)', async () => {
  const faces = tool({ inputSchema: z.object({}), execute: () => '\u{1F600}'.repeat(10) });
  const { model, peer } = await host([callTool('faces', {}, 'c'), ['Done']], {
    tools: { faces },
    limits: { toolResultLength: 5 },
  });
  expect(textOfTask(await peer.send('Hi'))).toBe('Done');
  const { c: shown = '' } = lastResults(model);
  expect([shown.startsWith('\u{1F600}\u{1F600}'), shown.isWellFormed()]).toEqual([true, true]);
});

it.each([
  ['too large', { prompt: 1e308, completion: 1e308 }],
  ['below zero', { prompt: -5, completion: -1 }],
])('leaves out counts of tokens that are %s (S0.17)', async (_, usage) => {
  const { peer } = await host(
    [
      [...callTool('add', { a: 1, b: 2 }), { usage }],
      ['Three', { usage }],
    ],
    { tools: { add } },
  );
  const task = await peer.send('Hi');
  expect(task.metadata.usage).toEqual({ cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 2 });
});

it('calls with one and the same id, or without one, are told apart (S0.17)', async () => {
  const seen: number[] = [];
  const note = tool({
    inputSchema: z.object({ number: z.number() }),
    execute: ({ number }) => {
      seen.push(number);
      return `noted ${number}`;
    },
  });
  const twice = callTools([
    { id: 'same', name: 'note', input: { number: 1 } },
    { id: 'same', name: 'note', input: { number: 2 } },
  ]);
  const { peer } = await host([twice, ['Done']], { tools: { note } });
  const task = await peer.send('Hi');
  expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'Done']);
  expect(new Set(seen)).toEqual(new Set([1, 2]));
  expect(seen).toHaveLength(2);
});

it('ends a task with an empty answer, and tells an answer cut short and one withheld from a whole one (S0.17)', async () => {
  const { peer } = await host([[], ['Half', { finish: 'length' }], ['Wel', { finish: 'content_filter' }]]);
  const empty: Wire = await peer.send('Hi');
  expect([empty.status.state, textOfTask(empty)]).toEqual(['TASK_STATE_COMPLETED', '']);
  const short: Wire = await peer.send('Hi');
  expect([short.status.state, textOfTask(short)]).toEqual(['TASK_STATE_COMPLETED', 'Half']);
  expect([empty.metadata.finishReason, short.metadata.finishReason]).toEqual([undefined, 'length']);
  const filtered: Wire = await peer.send('Hi');
  expect([filtered.status.state, saidBy(filtered)]).toEqual(['TASK_STATE_FAILED', expect.stringMatching(/filtered/)]);
  expect([filtered.status.message.metadata.reason, textOfTask(filtered)]).toEqual(['content-filter', 'Wel']);
});
