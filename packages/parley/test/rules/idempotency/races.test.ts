import { reply } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { countingAgent } from '../../support/agents/turns.ts';
import { eventually } from '../../support/eventually.ts';
import { payloadsOf, stateOf, textOfStream } from '../../support/frames.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { type RpcFrame, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, pause } from '../../support/script.ts';
import { gatedStore } from '../../support/stores/gated-store.ts';

const KEY = { 'idempotency-key': '7d1f-key' };

describe('many sends with one key that race each other', () => {
  for (const kind of ['task', 'reply'] as const) {
    it(`start exactly one run, which gives a ${kind} [rule:idempotency.joins]`, async () => {
      let runs = 0;
      const { peer, server } = startServer(
        agentOf(async function* () {
          runs += 1;
          await pause(10);
          if (kind === 'reply') return reply('only once');
          for (const piece of ['a', 'b', 'c', 'd', 'e']) {
            yield piece;
            await pause(3);
          }
          return undefined;
        }),
        { limits: { replyWindow: PATIENCE_MS } },
      );
      const params = sendParams('go');
      const sends = Array.from({ length: 60 }, async (_, index): Promise<Wire> => {
        await pause(index % 6);
        if (index % 2 === 0) return peer.call('SendMessage', params, KEY);
        return peer.stream('SendStreamingMessage', params, KEY);
      });
      const answers = await Promise.all(sends);
      expect(runs).toBe(1);
      const unary = answers.filter((_, index) => index % 2 === 0);
      const streams: RpcFrame[][] = answers.filter((_, index) => index % 2 === 1);
      for (const answer of unary) expect(answer).toEqual(unary[0]);
      for (const frames of streams) {
        if (kind === 'reply') {
          expect(payloadsOf(frames)).toEqual([unary[0]]);
          continue;
        }
        expect(frames[0]?.result.task.id).toBe(unary[0].task.id);
        expect(textOfStream(frames)).toBe('abcde');
        expect(stateOf(frames.at(-1))).toBe('TASK_STATE_COMPLETED');
      }
      expect((await peer.call('ListTasks', {})).totalSize).toBe(kind === 'task' ? 1 : 0);
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }

  it('start one run while the store is slow [rule:idempotency.joins]', async () => {
    const { store, hold, release } = gatedStore();
    const { agent, runs, go } = countingAgent();
    go();
    const { peer } = startServer(agent, { store });
    const params = sendParams('go');
    hold();
    const sends = Array.from({ length: 20 }, () => peer.call('SendMessage', params, KEY));
    await pause(30);
    release();
    const answers = await Promise.all(sends);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(runs).toEqual(['go']);
  });
});

describe('a known key with a different body', () => {
  const whole = sendParams('go', { messageId: 'm-1', contextId: 'talk' }, { historyLength: 5 });
  const others: Readonly<Record<string, Wire>> = {
    'another text': { ...whole, message: { ...whole.message, parts: [{ text: 'go!' }] } },
    'another messageId': { ...whole, message: { ...whole.message, messageId: 'm-2' } },
    'another context': { ...whole, message: { ...whole.message, contextId: 'other' } },
    'other metadata': { ...whole, metadata: { a: 1 } },
    'another configuration': { ...whole, configuration: { historyLength: 6 } },
  };
  for (const [name, other] of Object.entries(others)) {
    it(`is refused: ${name} [rule:idempotency.other-body-status]`, async () => {
      const { agent, runs, go } = countingAgent();
      const { peer } = startServer(agent);
      const first = peer.call('SendMessage', whole, KEY);
      await eventually(() => runs).toEqual(['go']);
      for (const phase of ['while the first one runs', 'when it has ended']) {
        if (phase === 'when it has ended') {
          go();
          await first;
        }
        for (const operation of ['SendMessage', 'SendStreamingMessage'] as const) {
          const error = await peer.error(operation, other, KEY);
          expect(error.code).toBe(-32602);
          expect(JSON.stringify(error.data)).toContain('Idempotency-Key');
        }
      }
      expect(runs).toEqual(['go']);
      expect((await peer.call('SendMessage', whole, KEY)).task).toEqual((await first).task);
    });
  }

  it('is accepted under another key, or none', async () => {
    const { agent, runs, go } = countingAgent();
    go();
    const { peer } = startServer(agent);
    const params = sendParams('go');
    const ids = new Set<string>();
    for (const headers of [KEY, { 'idempotency-key': 'another' }, {}, {}]) {
      ids.add((await peer.call('SendMessage', params, headers)).task.id);
    }
    expect(ids.size).toBe(4);
    expect(runs).toHaveLength(4);
  });
});

it('a refused send does not use up its key', async () => {
  const { agent, runs, go } = countingAgent();
  go();
  const { peer } = startServer(agent);
  const params = sendParams('go', { taskId: 'unknown' });
  expect((await peer.error('SendMessage', params, KEY)).code).toBe(-32001);
  expect((await peer.error('SendMessage', params, KEY)).code).toBe(-32001);
  expect((await peer.call('SendMessage', sendParams('go'), KEY)).task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(runs).toEqual(['go']);
});

describe('messages with keys of their own that reach a task at the same time', () => {
  it('are each taken once, however often they are sent [rule:idempotency.durable]', async () => {
    const open = Promise.withResolvers<string>();
    const { peer, server } = startServer(agentOf(() => open.promise));
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    const params = Array.from({ length: 10 }, (_, index) =>
      sendParams(`message ${index}`, { taskId: id }, { returnImmediately: true }),
    );
    const sendAll = () =>
      Promise.all(params.map((one, index) => peer.call('SendMessage', one, { 'idempotency-key': `key-${index}` })));
    await sendAll();
    await sendAll();
    const { history } = await peer.call('GetTask', { id });
    expect(history.length).toBe(1 + params.length);
    open.resolve('done');
    await server.close();
  });
});
