import { inputRequired } from 'parley-a2a';
import { RESUME_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import {
  brings,
  idsOf,
  kindOf,
  payloadsOf,
  stateOf,
  statesOf,
  textOfStream,
  textOfTask,
} from '../../support/frames.ts';
import { type RpcFrame, type RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';

const EXTENSION = 'urn:parley:ext:resume:v1';

/** Two ways to say where a reader was. */
const WAYS = {
  'by the header': (id: string, position: number) => [{ id }, { 'last-event-id': String(position) }] as const,
  'by metadata': (id: string, position: number) => [{ id, metadata: { [EXTENSION]: position } }, {}] as const,
};

/** Writes in three goes with a question in the middle, and a message of the caller between the last two. */
function agentInParts() {
  const go = gate();
  const agent = agentOf(async function* (task) {
    yield 'one ';
    await task.status('a word');
    yield 'two ';
    const answer = await task.ask('which?');
    yield `${answer} `;
    await go.promise;
    await task.artifact({ artifactId: 'second' }).write('half');
    yield 'end';
  });
  return { agent, go: go.resolve };
}

/** Runs it to its end with a stream from the first event on; gives all updates. */
async function finishedTask(peer: RpcPeer, go: () => void): Promise<{ id: string; updates: RpcFrame[] }> {
  const { id } = await peer.send('go');
  const stream = await peer.open('SubscribeToTask', { id }, { 'last-event-id': '0' });
  const reading = stream.rest();
  await peer.send('this', { taskId: id }, { returnImmediately: true });
  go();
  return { id, updates: await reading };
}

it('is declared on every card', async () => {
  expect(RESUME_EXTENSION).toBe(EXTENSION);
  const { peer } = startServer([agentOf(() => 'a'), agentOf(() => 'b', { name: 'second' })]);
  for (const path of ['/.well-known/agent-card.json', '/a2a/agents/second/.well-known/agent-card.json']) {
    const card: Wire = await (await peer.raw(path)).json();
    expect(card.capabilities.extensions.map((extension: Wire) => extension.uri)).toContain(EXTENSION);
  }
});

describe('the id of a frame', () => {
  it('grows from frame to frame and may leave some out [rule:resume.frame-id]', async () => {
    const { agent, go } = agentInParts();
    const { peer } = startServer(agent);
    const { updates } = await finishedTask(peer, go);
    const ids = updates.map((frame) => frame.id ?? 0);
    expect(ids.every((id, index) => Number.isSafeInteger(id) && id > (ids[index - 1] ?? 0))).toBe(true);
    // 1 is the creation, 2 the message that began it, 8 the answer: they have no frames of their own.
    expect(ids.slice(0, 6)).toEqual([3, 4, 5, 6, 7, 9]);
  });

  it('is the same in every stream [rule:resume.frame-id]', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'a';
        yield 'b';
      }),
    );
    const sent = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(idsOf(sent)).toEqual([2, 3, 4, 5, 6]);
    const { id } = sent[0]?.result.task ?? {};
    const replay = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
    expect(idsOf(replay)).toEqual([3, 4, 5, 6]);
    expect(payloadsOf(replay)).toEqual(payloadsOf(sent.slice(1)));
  });

  it('of a snapshot is the last event that it includes [rule:resume.snapshot-id]', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'one ';
        yield 'two ';
        await go.promise;
        yield 'three';
      }),
    );
    const sent = await peer.open('SendStreamingMessage', sendParams('go'));
    const before = await sent.until(brings('two '));
    const { id } = before[0]?.result.task ?? {};
    const subscriber = await peer.open('SubscribeToTask', { id });
    const snapshot = await subscriber.next();
    expect(snapshot?.id).toBe(before.at(-1)?.id);
    expect(textOfTask(snapshot?.result.task)).toBe('one two ');
    go.resolve();
    const after = await subscriber.rest();
    expect(after[0]?.id).toBe((snapshot?.id ?? 0) + 1);
    expect(idsOf(await sent.rest())).toEqual(idsOf(after));
  });

  it('of the first frame of a follow-up is that of its message [rule:resume.snapshot-id]', async () => {
    const { peer } = startServer(agentOf((task) => (task.text === 'go' ? inputRequired('more?') : 'done')));
    const { id } = await peer.send('go');
    const frames = await peer.stream('SendStreamingMessage', sendParams('yes', { taskId: id }));
    const [first, second] = frames;
    expect(first?.result.task.history.at(-1).parts).toEqual([{ text: 'yes' }]);
    expect(second?.id).toBe((first?.id ?? 0) + 1);
    const replay = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': String(first?.id) });
    expect(payloadsOf(replay)).toEqual(payloadsOf(frames.slice(1)));
  });
});

for (const [way, request] of Object.entries(WAYS)) {
  describe(`a stream resumed ${way}`, () => {
    it(`at every position of a finished task gives exactly the rest [rule:resume.terminal-replay] [rule:resume.last-event-id]`, async () => {
      const { agent, go } = agentInParts();
      const { peer, server } = startServer(agent);
      const { id, updates } = await finishedTask(peer, go);
      const last = updates.at(-1)?.id ?? 0;
      expect(stateOf(updates.at(-1))).toBe('TASK_STATE_COMPLETED');
      expect(last).toBeGreaterThan(10);
      for (let position = 0; position < last; position += 1) {
        const rest = await peer.stream('SubscribeToTask', ...request(id, position));
        const expected = updates.filter((frame) => (frame.id ?? 0) > position);
        expect(idsOf(rest)).toEqual(idsOf(expected));
        expect(payloadsOf(rest)).toEqual(payloadsOf(expected));
      }
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });

    it(`at the end of a finished task is the protocol's error [rule:resume.terminal-end]`, async () => {
      const { agent, go } = agentInParts();
      const { peer, server } = startServer(agent);
      const { id, updates } = await finishedTask(peer, go);
      const [params, headers] = request(id, updates.at(-1)?.id ?? 0);
      const response = await peer.request('SubscribeToTask', params, headers);
      expect(response.headers.get('content-type')).toBe('application/json');
      const { error }: Wire = await response.json();
      expect(error.code).toBe(-32004);
      expect(error.data[0]).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });

    it(`at every position of a live task gives exactly the rest [rule:resume.last-event-id]`, async () => {
      const { agent, go } = agentInParts();
      const { peer } = startServer(agent);
      const { id } = await peer.send('go');
      const whole = await peer.open('SubscribeToTask', ...request(id, 0));
      await peer.send('this', { taskId: id }, { returnImmediately: true });
      const before = await whole.until(brings('this '));
      const now = before.at(-1)?.id ?? 0;
      expect(now).toBeGreaterThan(8);
      const streams = await Promise.all(
        Array.from({ length: now + 1 }, (_, position) => peer.open('SubscribeToTask', ...request(id, position))),
      );
      const readings = streams.map((stream) => stream.rest());
      go();
      const updates = [...before, ...(await whole.rest())];
      for (const [position, reading] of readings.entries()) {
        const rest = await reading;
        const expected = updates.filter((frame) => (frame.id ?? 0) > position);
        expect(idsOf(rest)).toEqual(idsOf(expected));
        expect(payloadsOf(rest)).toEqual(payloadsOf(expected));
      }
    });

    it(`at every position of a task that waits for an answer gives exactly the rest [rule:resume.last-event-id]`, async () => {
      const { peer } = startServer(
        agentOf(async function* (task) {
          yield `<${task.text}>`;
          if (task.text === 'go') return inputRequired('more?');
          return undefined;
        }),
      );
      const { id } = await peer.send('go');
      const streams = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((position) => peer.open('SubscribeToTask', ...request(id, position))),
      );
      const readings = streams.map((stream) => stream.rest());
      await peer.send('yes', { taskId: id });
      const whole = await peer.stream('SubscribeToTask', ...request(id, 0));
      expect(statesOf(whole)).toEqual([
        'TASK_STATE_WORKING',
        'TASK_STATE_INPUT_REQUIRED',
        'TASK_STATE_WORKING',
        'TASK_STATE_COMPLETED',
      ]);
      expect(textOfStream(whole)).toBe('<go><yes>');
      for (const [position, reading] of readings.entries()) {
        const expected = whole.filter((frame) => (frame.id ?? 0) > position);
        expect(payloadsOf(await reading)).toEqual(payloadsOf(expected));
      }
    });
  });
}

it('gives for the number in the metadata what it gives for the header, live and later [rule:resume.metadata]', async () => {
  const { agent, go } = agentInParts();
  const { peer } = startServer(agent);
  const { id } = await peer.send('go');
  const open = (way: keyof typeof WAYS, position: number) => peer.stream('SubscribeToTask', ...WAYS[way](id, position));
  const live = [0, 2, 5, 7].map(
    (position) => [open('by the header', position), open('by metadata', position)] as const,
  );
  await peer.send('this', { taskId: id }, { returnImmediately: true });
  go();
  for (const [byHeader, byMetadata] of live) {
    expect(idsOf(await byMetadata)).toEqual(idsOf(await byHeader));
    expect(payloadsOf(await byMetadata)).toEqual(payloadsOf(await byHeader));
  }
  for (const position of [0, 2, 5, 7, 9]) {
    const [byHeader, byMetadata] = [await open('by the header', position), await open('by metadata', position)];
    expect(kindOf(byMetadata[0])).not.toBe('task');
    expect(byMetadata[0]?.id).toBeGreaterThan(position);
    expect(payloadsOf(byMetadata)).toEqual(payloadsOf(byHeader));
  }
});

describe('a position that the log does not have', () => {
  const headers = ['abc', '-1', '1.5', '1e1', '0x3', '+3', '3,4', '100', '99999999999999999999', 'NaN', 'null', '3 4'];
  const values: readonly unknown[] = [-1, 1.5, 100, 1e300, 'abc', '-1', '', true, {}, [], ['3']];
  const ahead: ReadonlySet<unknown> = new Set(['100', '99999999999999999999', 100, 1e300]);
  const noteOf = (value: unknown) => ({
    gap: ahead.has(value) ? 'ahead' : 'malformed',
    asked: typeof value === 'string' ? value : JSON.stringify(value),
  });
  const requests = [
    ...headers.map((value) => [`Last-Event-ID: ${value}`, {}, { 'last-event-id': value }, noteOf(value)] as const),
    ...values.map(
      (value) =>
        [`metadata ${JSON.stringify(value)}`, { metadata: { [EXTENSION]: value } }, {}, noteOf(value)] as const,
    ),
  ];
  for (const [name, params, header, note] of requests) {
    const noted = (task: Wire) => ({ ...task, metadata: { ...task.metadata, [EXTENSION]: note } });
    it(`gives the Task first: ${name} [rule:resume.gap]`, async () => {
      const { agent, go } = agentInParts();
      const { peer, server } = startServer(agent);
      const { id } = await peer.send('go');
      const live = await peer.open('SubscribeToTask', { id, ...params }, header);
      const first = await live.next();
      expect(kindOf(first)).toBe('task');
      expect(first?.result.task).toEqual(noted(await peer.call('GetTask', { id })));
      const reading = live.rest();
      await peer.send('this', { taskId: id }, { returnImmediately: true });
      go();
      const rest = await reading;
      expect(rest.map(kindOf)).not.toContain('task');
      expect(textOfStream(rest)).toBe('this halfend');
      expect(stateOf(rest.at(-1))).toBe('TASK_STATE_COMPLETED');
      const ended = await peer.stream('SubscribeToTask', { id, ...params }, header);
      expect(payloadsOf(ended)).toEqual([{ task: noted(await peer.call('GetTask', { id })) }]);
      expect(ended[0]?.id).toBe(rest.at(-1)?.id);
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }
});
