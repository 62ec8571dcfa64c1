import { jsonSchema, tool } from 'ai';
import { A2AClient, textOf } from 'parley-a2a';
import { callerTools, llmAgent } from 'parley-a2a/llm';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedModel, talkOf } from '../llm/support/mock-model.ts';

const ABOUT = { name: 'helper', description: 'Helps', version: '1.0.0' };
const CALLS = {
  calls: [
    { id: 'c1', name: 'free_slots', input: { day: 'Mon' } },
    { id: 'c2', name: 'free_slots', input: { day: 'Tue' } },
  ],
};
const freeSlots = tool({ description: 'Free slots on a day', inputSchema: z.object({ day: z.string() }) });

describe('a tool without execute [seed:S0.17]', () => {
  it('is run by the caller, several calls side by side', async () => {
    const model = scriptedModel(CALLS, { text: ['Tuesday.'] });
    await using served = testAgent(llmAgent({ ...ABOUT, model, tools: { free_slots: freeSlots } }));
    const days: unknown[] = [];
    const execute = ({ day }: { readonly day: string }) => {
      days.push(day);
      if (day === 'Mon') throw new Error('no calendar');
      return ['10:00'];
    };
    const text = await served.client.run('A slot?', { tools: { free_slots: { description: 'Slots', execute } } });
    expect([text, days]).toEqual(['Tuesday.', ['Mon', 'Tue']]);
    expect(model.prompts[1]?.at(-1)?.content).toMatchObject([
      { output: { type: 'error-text', value: 'The tool "free_slots" failed: no calendar' } },
      { output: { type: 'json', value: ['10:00'] } },
    ]);
  });

  it('fails the task of a caller that has not declared it, by name', async () => {
    const model = scriptedModel(CALLS, { text: ['Never.'] });
    await using served = testAgent(llmAgent({ ...ABOUT, model, tools: { free_slots: freeSlots } }));
    const task = await served.client.sendMessage('A slot?');
    expect(task).toMatchObject({ status: { state: 'failed', message: { metadata: { reason: 'tool-failed' } } } });
    expect(textOf(task)).toContain('The caller has not declared a tool "free_slots"');
    expect(model.prompts).toHaveLength(1);
  });

  it('may be whatever the caller has declared', async () => {
    const model = scriptedModel({ calls: [{ id: 'c1', name: 'clock', input: { zone: 'UTC' } }] }, { text: ['Noon.'] });
    const tools = (task: Parameters<typeof callerTools>[0]) => callerTools(task);
    await using served = testAgent(llmAgent({ ...ABOUT, model, tools }));
    const parameters = { type: 'object', properties: { zone: { type: 'string' } } } as const;
    const declared = {
      clock: { description: 'The time', parameters, execute: (args: unknown) => ({ args, time: '12:00' }) },
      'not a name': { description: '', execute: () => 1 },
      __proto__x: { description: '', execute: () => 1 },
    };
    expect(await served.client.run('What time is it?', { tools: declared })).toBe('Noon.');
    expect(talkOf(model.prompts[1]).at(-1)).toBe('tool: {"args":{"zone":"UTC"},"time":"12:00"}');
    const [offered] = model.doStreamCalls;
    expect(offered?.tools).toMatchObject([
      { type: 'function', name: 'clock', description: 'The time', inputSchema: parameters },
    ]);
  });

  it('gets arguments that can be shown, or the model is told', async () => {
    const model = scriptedModel(CALLS, { text: ['Too much.'] });
    const limits = { askedArguments: 5 };
    const tools = { free_slots: tool({ inputSchema: jsonSchema({ type: 'object' }) }) };
    await using served = testAgent(llmAgent({ ...ABOUT, model, tools, limits }));
    expect(await served.client.run('A slot?')).toBe('Too much.');
    expect(talkOf(model.prompts[1]).at(-1)).toContain('limits.askedArguments');
  });

  it('is asked for at the mount of S0 without a declaration [seed:S0.7]', async () => {
    const model = scriptedModel(CALLS, { text: ['Fine.'] });
    await using served = testAgent(llmAgent({ ...ABOUT, model, tools: { free_slots: freeSlots } }));
    const client = new A2AClient(`${served.url}/api/a2a`, {
      protocol: 'rxjs',
      rpcPath: '',
      fetch: served.fetch,
      onInput: ({ tool: wanted }) => `${wanted?.name} is free`,
    });
    expect(await client.run('A slot?')).toBe('Fine.');
    expect(talkOf(model.prompts[1]).at(-1)).toContain('free_slots is free');
    expect(talkOf(model.prompts[1]).at(-1)).not.toContain('value');
  });
});
