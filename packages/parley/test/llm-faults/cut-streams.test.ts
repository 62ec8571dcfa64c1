import { tool } from 'ai';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { textOfTask } from '../support/frames.ts';
import { CUT, callTool, callTools, END_EARLY, type Move, think } from '../support/openai/openai-server.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { host, saidBy } from './host.ts';

/** A counter as a tool: what it was called with. */
function counter() {
  const inputs: unknown[] = [];
  const count = tool({
    inputSchema: z.object({ word: z.string() }),
    execute: (input) => {
      inputs.push(input);
      return inputs.length;
    },
  });
  return { inputs, tools: { count } };
}

/** The artifacts as a reader has them that joins chunks and takes `append: false` for a new beginning. */
function joined(frames: readonly Wire[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { result } of frames) {
    const update = result.artifactUpdate;
    if (!update) continue;
    const key = update.artifact.name ?? 'answer';
    const text = update.artifact.parts.map((part: Wire) => part.text).join('');
    texts[key] = update.append ? (texts[key] ?? '') + text : text;
  }
  return texts;
}

const ASK = callTool('count', { word: 'one' });
/** Tokens of half a call. */
const HALF_ASK = ASK.slice(0, 3);

const CUTS: Readonly<Record<string, readonly Move[]>> = {
  'before the first token': [CUT],
  'between tokens': ['Hel', 'lo', CUT],
  'inside of a frame': ['Hel', { raw: 'data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"l' }, CUT],
  'after a thought': [think('Let me see'), CUT],
  'inside of a tool call': ['Hel', ...HALF_ASK, CUT],
  'after a tool call and before its end': ['Hel', ...ASK, CUT],
  'without a finish reason': ['Hel', 'lo', END_EARLY],
  'without a finish reason, after a tool call': [...ASK, END_EARLY],
};

it.each(Object.entries(CUTS))('a response cut %s is asked for again and appears once (S0.17)', async (_, cut) => {
  const { inputs, tools } = counter();
  const whole = [think('Hm'), 'Hello', ' you', ...ASK];
  const { model, peer } = await host([cut, whole, cut, ['Good', ' bye']], { tools });
  const frames = await peer.stream('SendStreamingMessage', sendParams('Hi'));
  const task = await peer.call('GetTask', { id: frames[0]?.result.task.id });
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(joined(frames)).toEqual({ answer: 'Hello you\n\nGood bye', reasoning: 'Hm' });
  const named = (name?: string) => ({ artifacts: task.artifacts.filter((one: Wire) => one.name === name) });
  expect(textOfTask(named())).toBe('Hello you\n\nGood bye');
  expect(textOfTask(named('reasoning'))).toBe('Hm');
  expect(inputs).toEqual([{ word: 'one' }]);
  expect(model.requests).toHaveLength(4);
  // What the model is shown of its own words are those of the whole response.
  const shown = model.requests[3]?.body.messages.find(({ role }) => role === 'assistant');
  expect(shown).toMatchObject({ content: 'Hello you', tool_calls: [{ function: { arguments: '{"word":"one"}' } }] });
});

it('the responses of a server that never sends a finish reason are taken after the last attempt (S0.17)', async () => {
  const { inputs, tools } = counter();
  const asks = [...ASK, END_EARLY];
  const says = ['Hel', 'lo', END_EARLY];
  const { model, peer } = await host([asks, asks, says, says], { tools, limits: { attempts: 2 } });
  const task = await peer.send('Hi');
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(textOfTask(task)).toBe('Hello');
  expect(task.metadata).toMatchObject({ finishReason: 'other', usage: { modelCalls: 2 } });
  expect(inputs).toEqual([{ word: 'one' }]);
  expect(model.requests).toHaveLength(4);

  const empty = await host([[END_EARLY]], { limits: { attempts: 1 } });
  expect(await empty.peer.send('Hi')).toMatchObject({ status: { state: 'TASK_STATE_FAILED' } });
});

it('a response that is cut each time fails the task (S0.17)', async () => {
  const { inputs, tools } = counter();
  const { model, peer } = await host(
    () => ['Hel', ...callTools([{ id: 'c', name: 'count', input: { word: 'a' } }]), CUT],
    {
      tools,
      limits: { attempts: 2 },
    },
  );
  const task = await peer.send('Hi');
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(saidBy(task)).toMatch(/cut off|cannot be reached/);
  expect(model.requests).toHaveLength(2);
  expect(inputs).toEqual([]);
});
