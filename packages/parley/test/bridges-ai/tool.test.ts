import { generateText, isStepCount, streamText, type ToolSet, tool as toolOfSdk } from 'ai';
import { bytes, defineAgent, inputRequired, json, link } from 'parley-a2a';
import type { AgentTool, ToolOutput } from 'parley-a2a/client';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { agentOf, gate, hang } from '../support/script.ts';
import { modelThatUses, toolOutputIn } from './support/models.ts';
import { served } from './support/served.ts';

const helper = defineAgent({
  name: 'helper',
  description: 'Helps',
  version: '1.0.0',
  skills: ['fetch', 'carry'].map((id) => ({ id, name: id, description: `To ${id}`, tags: ['x'] })),
  run: (task) => `${task.skill ?? 'did'} ${task.text}`,
});
const stopWhen = isStepCount(2);
const prompt = 'Get it done';

describe('in generateText and streamText, as they are (S0.17)', () => {
  it('asTool under any name, beside tools of the SDK', async () => {
    await using kit = await served(helper);
    const clock = toolOfSdk({
      inputSchema: z.object({ zone: z.string() }),
      execute: async ({ zone }) => `noon in ${zone}`,
    });
    const tools = { helper: kit.client.asTool(), clock };
    expectTypeOf(tools).toExtend<ToolSet>();
    const model = modelThatUses('helper', { task: 'it' });
    const { steps, text: said } = await generateText({ model, tools, stopWhen, prompt });
    for (const { toolResults } of steps) {
      for (const result of toolResults) {
        if (result.dynamic || result.toolName !== 'helper') continue;
        expectTypeOf(result.input.task).toEqualTypeOf<string>();
        expectTypeOf(result.output).toEqualTypeOf<ToolOutput>();
      }
    }
    expect(steps[0]?.toolResults.map(({ output }) => output)).toEqual([{ output: 'did it', success: true }]);
    expect(said).toBe('{"type":"text","value":"did it"}');
    expect(model.doGenerateCalls[0]?.tools?.[0]).toMatchObject({
      name: 'helper',
      description: 'Helps',
      inputSchema: kit.client.asTool().parameters,
    });
  });

  it('an awaited tool', async () => {
    await using kit = await served(helper);
    const tool = await kit.client.asTool();
    const model = modelThatUses(tool.name, { task: 'it' });
    const { text: said } = await generateText({ model, tools: { [tool.name]: tool }, stopWhen, prompt });
    expect(said).toBe('{"type":"text","value":"did it"}');
  });

  it('skillTools, a record by name', async () => {
    await using kit = await served(helper);
    const tools = await kit.client.skillTools();
    expectTypeOf(tools).toEqualTypeOf<Record<string, AgentTool>>();
    expectTypeOf(tools).toExtend<ToolSet>();
    expect(Object.keys(tools)).toEqual(['helper_fetch', 'helper_carry']);
    const model = modelThatUses('helper_carry', { task: 'it' });
    const { text: said } = await generateText({ model, tools, stopWhen, prompt });
    expect(said).toBe('{"type":"text","value":"carry it"}');
    const streamed = streamText({ model: modelThatUses('helper_fetch', { task: 'it' }), tools, stopWhen, prompt });
    expect(await streamed.text).toBe('{"type":"text","value":"fetch it"}');
  });

  it('skillTools of skills whose ids make the same name, none of which is lost', async () => {
    const skills = ['a b', 'a_b', 'a.b'].map((id) => ({ id, name: id, description: id, tags: ['x'] }));
    await using kit = await served(agentOf((task) => String(task.skill), { name: 'same', skills }));
    const tools = await kit.client.skillTools();
    expect(Object.keys(tools)).toEqual(['same_a_b', 'same_a_b_2', 'same_a_b_3']);
    const outputs = await Promise.all(Object.values(tools).map((tool) => tool.execute({ task: 'which?' })));
    expect(outputs.map(({ output }) => output)).toEqual(['a b', 'a_b', 'a.b']);
  });
});

describe('aborting', () => {
  const canceled = async (client: Awaited<ReturnType<typeof served>>['client']) =>
    (await client.listTasks()).tasks.map(({ status }) => status.state);

  it('generateText cancels the task that the tool had started', async () => {
    const started = gate();
    const stopped = gate();
    await using kit = await served(
      agentOf(async (task) => {
        task.onCancel(() => stopped.resolve());
        started.resolve();
        await hang(task);
      }),
    );
    const abort = new AbortController();
    const tools = { helper: kit.client.asTool() };
    const model = modelThatUses('helper', { task: 'it' });
    const running = generateText({ model, tools, stopWhen, prompt, abortSignal: abort.signal });
    await started.promise;
    abort.abort(new Error('enough'));
    await Promise.allSettled([running]);
    await stopped.promise;
    await expect.poll(() => canceled(kit.client)).toEqual(['canceled']);
  });

  it('cancels a task whose id is not known yet, once it is', async () => {
    const reached = gate();
    const held = gate();
    const abort = new AbortController();
    await using kit = await served(agentOf(hang), {
      // The response to the send is held back until the tool was aborted.
      interceptors: [
        async (call, next) => {
          const result = await next(call);
          if (call.operation === 'sendStreamingMessage') {
            reached.resolve();
            await held.promise;
          }
          return result;
        },
      ],
    });
    const use = kit.client.asTool().execute({ task: 'it' }, { abortSignal: abort.signal });
    await reached.promise;
    abort.abort(new Error('enough'));
    expect(await use).toEqual({ output: '', success: false, error: 'enough' });
    expect(await canceled(kit.client)).not.toEqual(['canceled']);
    held.resolve();
    await expect.poll(() => canceled(kit.client)).toEqual(['canceled']);
  });

  it('cancels a task of an agent that does not stream', async () => {
    await using kit = await served(agentOf(hang, { streaming: false }));
    const abort = new AbortController();
    const use = kit.client.asTool().execute({ task: 'it' }, { signal: abort.signal });
    await expect.poll(() => canceled(kit.client)).toEqual(['working']);
    abort.abort(new Error('enough'));
    expect(await use).toMatchObject({ success: false, error: 'enough' });
    await expect.poll(() => canceled(kit.client)).toEqual(['canceled']);
  });

  it('cancels a task whose time is up: that of the tool, or that of the client', async () => {
    await using kit = await served(agentOf(hang));
    expect(await kit.client.asTool({ timeout: 50 }).execute({ task: 'it' })).toMatchObject({
      success: false,
      error: 'No response within 50 ms',
    });
    await expect.poll(() => canceled(kit.client)).toEqual(['canceled']);
  });

  it('sends nothing where it is aborted already', async () => {
    await using kit = await served(agentOf(hang));
    const signal = AbortSignal.abort(new Error('before'));
    expect(await kit.client.asTool().execute({ task: 'it' }, { signal })).toMatchObject({ error: 'before' });
    expect(await canceled(kit.client)).toEqual([]);
  });
});

describe('what a model is told of a result', () => {
  const csv = bytes('a,b\n1,2\n', { mediaType: 'text/csv', filename: 'figures.csv' });
  const image = bytes(new Uint8Array([1, 2, 3]), { mediaType: 'image/png', filename: 'chart.png' });
  const page = link('https://files.example/report.pdf', { mediaType: 'application/pdf', filename: 'report.pdf' });
  const full = agentOf(async function* (task) {
    yield 'Sales went up.';
    await task.artifact({ name: 'reasoning' }).end('Let me think');
    await task.artifact({ name: 'figures' }).end(json({ growth: 0.25 }));
    await task.artifact({ name: 'files' }).end([csv, image, page]);
  });

  const heard = async (agent: typeof full, options = {}) => {
    await using kit = await served(agent);
    const model = modelThatUses('helper', { task: 'it' });
    await generateText({ model, tools: { helper: kit.client.asTool(options) }, stopWhen, prompt });
    return toolOutputIn(model.doGenerateCalls[1]?.prompt ?? []);
  };

  it('is its text, its data and its files; files that are no text are described; no reasoning', async () => {
    expect(await heard(full)).toEqual({
      type: 'text',
      value: [
        'Sales went up.',
        '{"growth":0.25}',
        '[file figures.csv: text/csv, 8 bytes]\na,b\n1,2\n',
        '[file chart.png: image/png, 3 bytes]',
        '[file report.pdf: application/pdf, https://files.example/report.pdf]',
      ].join('\n\n'),
    });
  });

  it('has files inline where the tool is made so', async () => {
    expect(await heard(full, { files: 'inline' })).toMatchObject({
      type: 'content',
      value: [
        { type: 'text' },
        { type: 'file', filename: 'chart.png', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
      ],
    });
  });

  it('is its data as JSON where there is no text', async () => {
    const agent = agentOf(() => json({ total: 3 }));
    expect(await heard(agent)).toEqual({ type: 'text', value: '{"total":3}' });
    await using kit = await served(agent);
    expect(await kit.client.asTool().execute({ task: 'it' })).toEqual({
      output: '{"total":3}',
      success: true,
      data: { total: 3 },
    });
  });

  it('is the error where there is one', async () => {
    const error = 'The task is input-required: Which quarter?';
    expect(await heard(agentOf(() => inputRequired('Which quarter?')))).toEqual({ type: 'error-text', value: error });
  });

  it('does not grow with files: text beyond 64 Ki characters is described', async () => {
    const large = bytes('x'.repeat(2 ** 16), { mediaType: 'text/plain', filename: 'large.txt' });
    const agent = agentOf(async (task) => {
      await task.artifact().end([csv, large, csv]);
    });
    const value = String(((await heard(agent)) as { value: string }).value);
    expect(value).toContain('[file large.txt: text/plain, 65536 bytes]');
    expect(value.match(/a,b/g)).toHaveLength(2);
    expect(value.length).toBeLessThan(400);
  });

  it('counts the files beyond 32, and describes text that is none', async () => {
    const binary = bytes(new Uint8Array([0xff, 0xfe]), { mediaType: 'text/plain', filename: 'odd.txt' });
    const agent = agentOf(async (task) => {
      await task.artifact().end(Array.from({ length: 35 }, () => binary));
    });
    const { value } = (await heard(agent)) as { value: string };
    expect(value.split('\n\n')).toEqual([
      ...Array.from({ length: 32 }, () => '[file odd.txt: text/plain, 2 bytes]'),
      '[3 more files are left out]',
    ]);
  });
});
