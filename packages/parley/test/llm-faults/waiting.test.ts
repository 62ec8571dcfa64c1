import { tool } from 'ai';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/eventually.ts';
import { textOfTask } from '../support/frames.ts';
import { callTool, type Move } from '../support/openai/openai-server.ts';
import { sendParams } from '../support/rpc.ts';
import { host, saidBy } from './host.ts';

/** Says something and is never heard of again. */
async function* silentAfter(...moves: readonly Move[]): AsyncGenerator<Move> {
  yield* moves;
  await new Promise(() => {});
}

const HANGS: Readonly<Record<string, readonly Move[]>> = {
  'before the first token': [],
  'in the middle of its answer': ['Once ', 'upon '],
  'in the middle of a tool call': callTool('tell', { what: 'more' }).slice(0, 3),
};

it.each(Object.entries(HANGS))('a cancel reaches a provider that hangs %s (S0.17)', async (_, moves) => {
  const { model, peer } = await host(() => silentAfter(...moves));
  const stream = await peer.open('SendStreamingMessage', sendParams('Hi'));
  const id = (await stream.next())?.result.task.id;
  const request = await model.whenRequests(1);
  const text = moves.filter((move) => typeof move === 'string').join('');
  await eventually(async () => textOfTask(await peer.call('GetTask', { id }))).toBe(text);
  const canceled = await peer.call('CancelTask', { id });
  expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
  expect(await request.ended).toBe('left');
  const last = (await stream.rest()).at(-1);
  expect(last?.result.statusUpdate.status.state).toBe('TASK_STATE_CANCELED');
  expect(textOfTask(await peer.call('GetTask', { id }))).toBe(text);
  expect(model.requests).toHaveLength(1);
});

it('a cancel while attempts are far apart ends the task at once (S0.17)', async () => {
  const { model, peer } = await host(() => ({ status: 429, headers: { 'retry-after': '3600' } }), {
    limits: { longestDelay: 3_600_000 },
  });
  const { id } = await peer.send('Hi', {}, { returnImmediately: true });
  await model.whenRequests(1);
  const canceled = await peer.call('CancelTask', { id });
  expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
  expect(model.requests).toHaveLength(1);
});

it('a cancel reaches a tool (S0.17)', async () => {
  const aborted = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const wait = tool({
    inputSchema: z.object({}),
    execute: (__, { abortSignal }) => {
      abortSignal?.addEventListener('abort', () => aborted.resolve('aborted'));
      begun.resolve();
      return new Promise(() => {});
    },
  });
  const { model, peer } = await host([callTool('wait', {})], { tools: { wait } });
  const { id } = await peer.send('Hi', {}, { returnImmediately: true });
  await begun.promise;
  await peer.call('CancelTask', { id });
  expect(await aborted.promise).toBe('aborted');
  expect(model.requests).toHaveLength(1);
});

it('a first token that does not come before the deadline fails the task and leaves the provider (S0.17)', async () => {
  const { model, peer } = await host(() => silentAfter(), {}, { limits: { runTimeout: 300 } });
  const task = await peer.send('Hi');
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(saidBy(task)).not.toBe('');
  expect(await model.requests[0]?.ended).toBe('left');
  expect(model.requests).toHaveLength(1);
});

it('a provider that goes silent in the middle is left and asked again, and its words are taken back (S0.17)', async () => {
  const limits = { tokenTimeout: 200, attempts: 50 };
  const { model, peer } = await host(({ number }) => (number === 1 ? silentAfter('Once ', 'upon ') : ['Fine.']), {
    limits,
  });
  const task = await peer.send('Hi');
  expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'Fine.']);
  expect(await model.requests[0]?.ended).toBe('left');
});

it('a provider that never begins fails the task when all attempts are made (S0.17)', async () => {
  const limits = { firstTokenTimeout: 60, tokenTimeout: 0, attempts: 2 };
  const { model, peer, logged } = await host(() => silentAfter(), { limits });
  const task = await peer.send('Hi');
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(task.status.message.metadata).toEqual({ reason: 'timeout' });
  expect(saidBy(task)).toMatch(/did not respond in time/);
  expect(model.requests).toHaveLength(2);
  for (const { ended } of model.requests) expect(await ended).toBe('left');
  expect(JSON.stringify(logged)).toContain('has sent nothing for 60 milliseconds');
});

it('an answer that never ends is given up at its bound, and is not asked for again (S0.17)', async () => {
  const { model, peer } = await host(
    async function* () {
      for (;;) yield 'and so on ';
    },
    { limits: { responseLength: 20_000 } },
  );
  const task = await peer.send('Hi');
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(saidBy(task)).toMatch(/too long/);
  expect(await model.requests[0]?.ended).toBe('left');
  expect(model.requests).toHaveLength(1);
  expect(textOfTask(task).length).toBeLessThanOrEqual(20_010);
});

it('arguments of a tool that never end are given up at the same bound (S0.17)', async () => {
  const { model, peer } = await host(
    async function* (): AsyncGenerator<Move> {
      yield* callTool('tell', '{"what": "').slice(0, 2);
      for (;;) yield { delta: { tool_calls: [{ index: 0, function: { arguments: 'more ' } }] } };
    },
    { limits: { responseLength: 20_000 } },
  );
  const task = await peer.send('Hi');
  expect([task.status.state, saidBy(task)]).toEqual(['TASK_STATE_FAILED', expect.stringMatching(/too long/)]);
  expect(await model.requests[0]?.ended).toBe('left');
});

it('tool calls that never end are given up at the same bound, however little they say (S0.17)', async () => {
  const { model, peer } = await host(
    async function* (): AsyncGenerator<Move> {
      for (let index = 0; ; index += 1) {
        yield { delta: { tool_calls: [{ index, id: `c${index}`, function: { name: 'tell', arguments: '{}' } }] } };
      }
    },
    { limits: { responseLength: 20_000 } },
  );
  const task = await peer.send('Hi');
  expect([task.status.state, saidBy(task)]).toEqual(['TASK_STATE_FAILED', expect.stringMatching(/too long/)]);
  expect(await model.requests[0]?.ended).toBe('left');
});

it('a name of a tool counts against the bound of a response (S0.17)', async () => {
  const { peer } = await host([callTool('x'.repeat(20_001), {})], { limits: { responseLength: 20_000 } });
  expect(saidBy(await peer.send('Hi'))).toMatch(/too long/);
});
