import { chunk, complete, json, reply, type TaskContext } from 'parley-a2a';
import type { RunResult } from 'parley-a2a/types';
import { expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const circular: Wire = { name: 'loop' };
circular.self = circular;

function nested(levels: number): Wire {
  let value: Wire = 'deep';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

/** What an agent in plain JavaScript may hand over. */
const BROKEN: readonly (readonly [string, (task: TaskContext) => Wire])[] = [
  ['a number', () => 42],
  ['true', () => true],
  ['an object', () => ({ answer: 42 })],
  ['an object that looks like an outcome', () => ({ outcome: 'success', score: 1 })],
  ['an outcome without its kind', () => ({ outcome: undefined })],
  ['a symbol', () => Symbol('x')],
  ['a function', () => () => 'x'],
  ['a date', () => new Date()],
  ['a part of no kind', () => ({ kind: 'video', url: 'https://example.com' })],
  ['a wire part', () => ({ data: { a: 1 } })],
  ['text that is no string', () => ({ kind: 'text', text: 5 })],
  ['bytes that are not base64', () => ({ kind: 'bytes', bytes: 'not base64!' })],
  ['a link to nowhere', () => ({ kind: 'link', url: '' })],
  ['a list with a hole', () => ['text', undefined]],
  ['data that points at itself', () => json(circular)],
  ['data that JSON cannot hold', () => json(10n as Wire)],
  ['data that is undefined', () => json(undefined as Wire)],
  ['data beyond any depth', () => json(nested(200_000))],
  ['metadata that is a list', () => ({ kind: 'text', text: 'x', metadata: [1] })],
  ['a media type that is a number', () => ({ kind: 'text', text: 'x', mediaType: 5 })],
  ['a chunk without parts', () => chunk([])],
  ['a chunk of an artifact with a number for an id', () => chunk('x', { artifactId: 5 as Wire })],
  ['a completion with nothing sensible', () => complete(5 as Wire)],
  ['a reply that points at itself', () => reply({ parts: [json(circular)] })],
  ['a reply without content', () => reply(undefined as Wire)],
  ['a status that is a number', (task) => task.status(5 as Wire)],
  ['a question that is an object', (task) => task.ask({ question: 'Which?' } as Wire)],
  ['a question that is nothing', (task) => task.ask(null as Wire)],
  ['a question with a number for a prompt', (task) => task.ask({ prompt: 5 } as Wire)],
  ['an artifact with a number for a name', (task) => task.artifact({ name: 5 as Wire }).write('x')],
];

it.each(BROKEN)('an agent that gives %s breaks its task at most [rule:errors.agent-response]', async (_, run) => {
  const { peer } = startServer(agentOf((task) => run(task) as RunResult));
  for (const params of [sendParams('go'), sendParams('go', {}, { returnImmediately: true })]) {
    const response = await peer.respond('SendMessage', params);
    if (response.error) {
      expect([response.error.code, response.error.data[0].reason]).toEqual([-32006, 'INVALID_AGENT_RESPONSE']);
      continue;
    }
    expect(violationsOfV1('SendMessageResponse', response.result)).toEqual([]);
    const { id } = response.result.task;
    await expect.poll(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_FAILED');
    const task = await peer.call('GetTask', { id });
    expect(violationsOfV1('Task', task)).toEqual([]);
    expect(task.status.message.parts[0].text).toEqual(expect.stringMatching(/\S/));
  }
  const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
  for (const { result } of frames) expect(violationsOfV1('StreamResponse', result)).toEqual([]);
  expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_FAILED');
});

it('an agent that yields something broken after something good keeps what was good [rule:errors.agent-response]', async () => {
  const { peer } = startServer(
    agentOf(async function* () {
      yield 'good';
      yield 42 as Wire;
      yield 'never';
    }),
  );
  const task = await peer.send('go');
  expect(violationsOfV1('Task', task)).toEqual([]);
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(task.artifacts.map((artifact: Wire) => artifact.parts)).toEqual([[{ text: 'good' }]]);
});

it('an agent that changes what it wrote changes nothing that was sent [rule:errors.agent-response]', async () => {
  const { peer } = startServer(
    agentOf(async (task) => {
      const data: Wire = { rows: [1] };
      const metadata: Wire = { step: 1 };
      await task.artifact({ metadata }).write(json(data, { metadata }));
      data.rows.push(10n);
      metadata.self = metadata;
    }),
  );
  const task = await peer.send('go');
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(task.artifacts[0]).toMatchObject({
    metadata: { step: 1 },
    parts: [{ data: { rows: [1] }, metadata: { step: 1 } }],
  });
});
