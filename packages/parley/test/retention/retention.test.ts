import { A2AServer, type A2AServerOptions, memory } from 'parley-a2a';
import { withStore } from 'parley-a2a/ports';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '../push/receiver.ts';
import { sending, serveJaf } from '../seeds/jaf/peer.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { settableClock } from '../support/settable-clock.ts';
import { tempFile } from '../support/temp-folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Rounds of upkeep come quickly, so that what is due goes at once. */
const QUICK = { heartbeatInterval: 5 };

const writer = agentOf(
  async function* (task) {
    await task.step('look', () => 'found');
    for (let piece = 0; piece < 40; piece += 1) yield `${task.text} ${piece}, `;
  },
  { resumable: true },
);

const STORES = {
  memory: () => memory(),
  SQLite: (now: () => number) => sqlite(tempFile(), { now, synchronous: 'off' }),
};

async function serve(options: Partial<A2AServerOptions>) {
  const server = await new A2AServer({
    agents: [writer],
    drainTimeout: 0,
    log: { error: () => {}, warn: () => {} },
    ...options,
  }).listen({ port: 0 });
  onTestFinished(() => server.close());
  return new RpcPeer((request) => fetch(request), `${server.url}/a2a`);
}

describe.each(Object.entries(STORES))('retention, tasks in %s', (_, storeOf) => {
  it('drops the events of an ended task after their time, and tells a reader who comes back', async () => {
    const clock = settableClock();
    const store = storeOf(() => clock.now());
    const peer = await serve({ store, clock, limits: QUICK, retention: { events: '2h', journals: HOUR } });
    const { id } = await peer.send('piece');
    const before = await peer.call('GetTask', { id });
    const all = await peer.stream('SubscribeToTask', { id }, { 'Last-Event-ID': '0' });
    const last = all.at(-1)?.id ?? 0;
    expect(all.length).toBeGreaterThan(40);
    expect((await store.journal(id)).length).toBeGreaterThan(0);

    clock.time += HOUR + 1;
    await eventually(async () => (await store.journal(id)).length).toBe(0);
    expect(await peer.stream('SubscribeToTask', { id }, { 'Last-Event-ID': '0' })).toHaveLength(all.length);

    clock.time += HOUR;
    const resume = async (after: number) => {
      const frames = await peer.stream('SubscribeToTask', { id }, { 'Last-Event-ID': String(after) });
      return frames.map(({ result }) => result.task?.metadata?.['urn:parley:ext:resume:v1'] ?? Object.keys(result)[0]);
    };
    await eventually(() => resume(3)).toEqual([{ gap: 'too-old', asked: '3' }]);
    expect(await resume(last - 1)).toEqual(['statusUpdate']);
    expect(await peer.call('GetTask', { id })).toEqual(before);
    expect((await peer.error('SubscribeToTask', { id }, { 'Last-Event-ID': String(last) })).code).toBe(-32004);
  });

  it('never passes the place of a webhook that has not been told', async () => {
    const clock = settableClock();
    const store = storeOf(() => clock.now());
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 200 : 500 }));
    const peer = await serve({
      store,
      clock,
      limits: QUICK,
      retention: { tasks: '3h', events: HOUR, deliveries: '1h' },
      push: { events: 'all', retry: { firstDelay: 5, longestDelay: 20, pauseAfter: 1e6, giveUpAfter: 100 * DAY } },
    });
    const configuration = { taskPushNotificationConfig: { url: receiver.url } };
    const { task } = await peer.call('SendMessage', { ...sendParams('told'), configuration });
    const other = await peer.send('untold');
    clock.time += 2 * HOUR;
    await eventually(async () => (await store.read(other.id, 0, { events: 9, bytes: 1e6 })).length).toBe(1);
    const { length } = await store.read(task.id, 0, { events: 1e6, bytes: 1e9 });
    expect(length).toBe((await store.head(task.id))?.seq);
    clock.time += 2 * HOUR;
    await eventually(() => store.head(other.id)).toBeUndefined();
    expect((await store.listPushConfigs({ taskId: task.id, limit: 9 })).length).toBe(1);
    isUp = true;
    await eventually(() => {
      clock.time += HOUR;
      return store.head(task.id);
    }).toBeUndefined();
    const chunks = receiver.accepted.filter(({ body }) => body.artifactUpdate);
    expect(chunks.length).toBe(40);
  });

  it('removes the webhooks of ended tasks that were told everything, and leaves the tasks', async () => {
    const clock = settableClock();
    const store = storeOf(() => clock.now());
    const receiver = await startReceiver();
    const peer = await serve({ store, clock, limits: QUICK, retention: { deliveries: '30m' } });
    const configuration = { taskPushNotificationConfig: { url: receiver.url } };
    const { task } = await peer.call('SendMessage', { ...sendParams('told'), configuration });
    await receiver.untilBody((body) => body.statusUpdate?.status.state === 'TASK_STATE_COMPLETED');
    expect((await peer.call('ListTaskPushNotificationConfigs', { taskId: task.id })).configs).toHaveLength(1);
    clock.time += HOUR;
    await eventually(
      async () => (await peer.call('ListTaskPushNotificationConfigs', { taskId: task.id })).configs?.length ?? 0,
    ).toBe(0);
    expect((await peer.call('GetTask', { id: task.id })).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('ends conversations after a day on a mount of JAF, unless it is told otherwise [seed:S1.8]', async () => {
    const counts = agentOf(async (task) => {
      const { length } = await task.context.messages();
      const seen = 1 + Number((await task.context.get('seen')) ?? 0);
      await task.context.set('seen', seen);
      return `${length} before, seen ${seen}`;
    });
    for (const [retention, after] of [
      [{}, '0 before, seen 1'],
      [{ contexts: '2d' }, '4 before, seen 3'],
    ] as const) {
      const clock = settableClock();
      const { peer } = await serveJaf(counts, { clock, retention, store: storeOf(() => clock.now()) });
      const say = async () => (await peer.result('message/send', sending('x'))).message.parts[0].text;
      expect(await say()).toBe('0 before, seen 1');
      clock.time += DAY - 1;
      expect(await say()).toBe('2 before, seen 2');
      clock.time += DAY;
      expect(await say()).toBe(after);
    }
  });
});

describe('the setting `retention`', () => {
  const made = (options: Partial<A2AServerOptions>) => new A2AServer({ agents: [writer], ...options });

  it.each([
    [{ tasks: -1 }, /^retention\.tasks must be a time such as 90m, 12h or 30d.*; not -1$/],
    [{ events: '3 weeks' }, /^retention\.events must be .*; not "3 weeks"$/],
    [{ keys: Number.NaN }, /^retention\.keys must be .*; not NaN$/],
    [{ journals: null }, /^retention\.journals must be/],
    [{ contexts: '' }, /^retention\.contexts must be .*; not ""$/],
    [{ deliveries: {} }, /^retention\.deliveries must be/],
    [{ task: '1d' }, /^There is no option retention\.task; did you mean retention\.tasks\?$/],
    [
      { logs: '1d' },
      /^There is no option retention\.logs; there are tasks, contexts, events, keys, deliveries, journals$/,
    ],
  ])('refuses %j', (retention, problem) => {
    expect(() => made({ retention: retention as A2AServerOptions['retention'] })).toThrow(problem);
  });

  it('refuses to drop parts of tasks in a store that cannot', () => {
    const store = withStore(memory(), { trim: undefined });
    expect(() => made({ store, retention: { tasks: '1d', events: '1h' } })).toThrow(
      'retention.events needs a store that has trim(); this one keeps it as long as the task',
    );
    expect(() => made({ store, retention: { tasks: '1d' } })).not.toThrow();
  });

  it('sets how long idempotency keys are kept, 0 for as long as their task; cards say so', async () => {
    for (const [keys, seconds] of [
      ['90s', 90],
      [0, undefined],
    ] as const) {
      const clock = settableClock();
      const peer = await serve({ clock, store: sqlite(tempFile(), { now: () => clock.now() }), retention: { keys } });
      const card: Wire = await (await peer.raw('/.well-known/agent-card.json')).json();
      const [resume] = card.capabilities.extensions.filter(({ uri }: { uri: string }) => uri.includes('resume'));
      expect(resume.params.idempotencyKeyLifetime).toBe(seconds);
      const key = { 'Idempotency-Key': 'one' };
      const params = sendParams('x', { messageId: 'm' });
      const { task } = await peer.call('SendMessage', params, key);
      clock.time += 1_000 * DAY;
      const again = await peer.call('SendMessage', params, key);
      expect(again.task.id === task.id).toBe(keys === 0);
    }
  });
});
