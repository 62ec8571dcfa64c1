import { reply } from 'parley-a2a';
import { RESUME_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import { countingAgent } from '../../support/agents/turns.ts';
import { eventually } from '../../support/eventually.ts';
import { brings, idsOf, kindOf, payloadsOf, stateOf, textOfTask } from '../../support/frames.ts';
import { fieldsOf, type RestPeer, reasonOf, startRest } from '../../support/rest.ts';
import { type OpenStream, type RpcFrame, sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';

const EXTENSION = 'urn:parley:ext:resume:v1';
const KEY = { 'idempotency-key': '7d1f-key' };

type Resume = (rest: RestPeer, id: string, position: unknown) => Promise<OpenStream>;

/** Ways to say where a reader was. */
const WAYS: Readonly<Record<string, Resume>> = {
  'GET with Last-Event-ID': (rest, id, position) =>
    rest.open('GET', `/tasks/${id}:subscribe`, undefined, { 'last-event-id': String(position) }),
  'GET with ?after=': (rest, id, position) =>
    rest.open('GET', `/tasks/${id}:subscribe?after=${encodeURIComponent(String(position))}`),
  'POST with Last-Event-ID': (rest, id, position) =>
    rest.open('POST', `/tasks/${id}:subscribe`, undefined, { 'last-event-id': String(position) }),
  'POST with metadata': (rest, id, position) =>
    rest.open('POST', `/tasks/${id}:subscribe`, { metadata: { [EXTENSION]: position } }),
};
const EACH_WAY = Object.entries(WAYS);

/** Writes, asks, and writes again when the test lets it. */
function agentInParts() {
  const go = gate();
  const agent = agentOf(async function* (task) {
    yield 'one ';
    await task.status('a word');
    yield 'two ';
    const answer = await task.ask('which?');
    yield `${answer} `;
    await go.promise;
    yield 'end';
  });
  return { agent, go: go.resolve };
}

/** Runs it to its end with a stream from the first event on; gives all updates. */
async function finishedTask(rest: RestPeer, go: () => void): Promise<{ id: string; updates: RpcFrame[] }> {
  const { id } = await rest.send('go');
  const stream = await rest.open('GET', `/tasks/${id}:subscribe`, undefined, { 'last-event-id': '0' });
  const reading = stream.rest();
  await rest.send('this', { taskId: id }, { returnImmediately: true });
  go();
  return { id, updates: await reading };
}

describe('a stream resumed by', () => {
  it.each(
    EACH_WAY,
  )('%s gives exactly the rest of a finished task [rule:resume.last-event-id] [rule:resume.terminal-replay] [rule:resume.metadata]', async (_, resume) => {
    const { agent, go } = agentInParts();
    const { rest, server } = startRest(agent);
    const { id, updates } = await finishedTask(rest, go);
    const last = updates.at(-1)?.id ?? 0;
    expect(last).toBeGreaterThan(9);
    for (let position = 0; position < last; position += 1) {
      const frames = await (await resume(rest, id, position)).rest();
      const expected = updates.filter((frame) => (frame.id ?? 0) > position);
      expect(idsOf(frames)).toEqual(idsOf(expected));
      expect(payloadsOf(frames)).toEqual(payloadsOf(expected));
    }
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it.each(
    EACH_WAY,
  )('%s gives exactly the rest of a live task, without a snapshot [rule:resume.last-event-id]', async (_, resume) => {
    const { agent, go } = agentInParts();
    const { rest } = startRest(agent);
    const { id } = await rest.send('go');
    const whole = await rest.open('GET', `/tasks/${id}:subscribe`, undefined, { 'last-event-id': '0' });
    await rest.send('this', { taskId: id }, { returnImmediately: true });
    const before = await whole.until(brings('this '));
    const positions = Array.from({ length: (before.at(-1)?.id ?? 0) + 1 }, (_, position) => position);
    const streams = await Promise.all(positions.map((position) => resume(rest, id, position)));
    const readings = streams.map((stream) => stream.rest());
    go();
    const updates = [...before, ...(await whole.rest())];
    for (const [position, reading] of readings.entries()) {
      const expected = updates.filter((frame) => (frame.id ?? 0) > position);
      expect(payloadsOf(await reading)).toEqual(payloadsOf(expected));
    }
  });

  it.each(
    EACH_WAY,
  )('%s at a position that the log does not have gives the Task first [rule:resume.gap]', async (_, resume) => {
    const { agent, go } = agentInParts();
    const { rest } = startRest(agent);
    const { id, updates } = await finishedTask(rest, go);
    for (const position of ['abc', '-1', '1.5', '999', 'NaN']) {
      const frames = await (await resume(rest, id, position)).rest();
      const task = await rest.call('GET', `/tasks/${id}`);
      const note = { gap: position === '999' ? 'ahead' : 'malformed', asked: position };
      const metadata = { ...task.metadata, [EXTENSION]: note };
      expect(payloadsOf(frames), position).toEqual([{ task: { ...task, metadata } }]);
      expect(frames[0]?.id).toBe(updates.at(-1)?.id);
    }
  });
});

describe('a stream resumed at the end of a finished task', () => {
  async function atTheEnd() {
    const { agent, go } = agentInParts();
    const started = startRest(agent);
    const { id, updates } = await finishedTask(started.rest, go);
    return { ...started, id, position: { 'last-event-id': String(updates.at(-1)?.id) } };
  }

  it('by GET is 204 and nothing [rule:resume.terminal-end]', async () => {
    const { rest, id, position, server } = await atTheEnd();
    for (const route of [`/tasks/${id}:subscribe`, `/tasks/${id}%3Asubscribe/`]) {
      const response = await rest.request('GET', route, undefined, { ...position, accept: 'text/event-stream' });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(response.headers.get('content-type')).toBeNull();
      expect(response.headers.get('a2a-extensions')).toBe(EXTENSION);
    }
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('by GET over a socket is 204 without a length, for an EventSource that cannot set the version [rule:resume.terminal-end]', async () => {
    const { id, position, server } = await atTheEnd();
    await server.listen({ port: 0 });
    const url = `${server.url}/a2a/tasks/${id}:subscribe?A2A-Version=1.0`;
    const response = await fetch(url, { headers: { ...position, accept: 'text/event-stream' } });
    expect([response.status, await response.text()]).toEqual([204, '']);
    // RFC 9110: a 204 has no Content-Length.
    expect(response.headers.get('content-length')).toBeNull();
  });

  it("by POST is the protocol's error [rule:resume.terminal-end]", async () => {
    const { rest, id, position } = await atTheEnd();
    const metadata = { [EXTENSION]: Number(position['last-event-id']) };
    for (const refused of [
      await rest.error('POST', `/tasks/${id}:subscribe`, undefined, position),
      await rest.error('POST', `/tasks/${id}:subscribe`, { metadata }),
    ]) {
      expect([refused.status, reasonOf(refused.error)]).toEqual([400, 'UNSUPPORTED_OPERATION']);
    }
  });

  it("without a position is the protocol's error by GET too [rule:resume.terminal-end]", async () => {
    const { rest, id } = await atTheEnd();
    expect((await rest.error('GET', `/tasks/${id}:subscribe`)).status).toBe(400);
  });
});

it('frames carry ids, and that of a snapshot is the last that it includes [rule:resume.frame-id] [rule:resume.snapshot-id]', async () => {
  expect(RESUME_EXTENSION).toBe(EXTENSION);
  const go = gate();
  const { rest } = startRest(
    agentOf(async function* () {
      yield 'one ';
      await go.promise;
      yield 'two';
    }),
  );
  const sent = await rest.open('POST', '/message:stream', sendParams('go'));
  const before = await sent.until(brings('one '));
  expect(idsOf(before)).toEqual([2, 3, 4]);
  const { id } = before[0]?.result.task ?? {};
  const subscriber = await rest.open('GET', `/tasks/${id}:subscribe`);
  const snapshot = await subscriber.next();
  expect([kindOf(snapshot), snapshot?.id]).toEqual(['task', 4]);
  go.resolve();
  const after = await subscriber.rest();
  expect(after[0]?.id).toBe(5);
  expect(idsOf(await sent.rest())).toEqual(idsOf(after));
  expect(stateOf(after.at(-1))).toBe('TASK_STATE_COMPLETED');
});

describe('a send with a known key', () => {
  it('gives the task of the first one and starts no run [rule:idempotency.joins]', async () => {
    const { agent, runs, go } = countingAgent();
    const { rest } = startRest(agent);
    const params = sendParams('go');
    const first = await rest.open('POST', '/message:stream', params, KEY);
    const before = await first.until(brings('one '));
    const joined = await rest.open('POST', '/message:stream', params, KEY);
    const snapshot = await joined.next();
    expect([kindOf(snapshot), snapshot?.id]).toEqual(['task', before.at(-1)?.id]);
    go();
    expect(payloadsOf(await joined.rest())).toEqual(payloadsOf(await first.rest()));
    const stored = await rest.call('POST', '/message:send', params, KEY);
    expect(textOfTask(stored.task)).toBe('one two');
    expect(payloadsOf(await rest.stream('POST', '/message:stream', params, KEY))).toEqual([stored]);
    expect(runs).toEqual(['go']);
  });

  it('joins the task of a send through JSON-RPC [rule:idempotency.joins]', async () => {
    const { agent, runs, go } = countingAgent();
    go();
    const { rest, peer } = startRest(agent);
    const params = sendParams('go', {}, { acceptedOutputModes: ['text/plain'], historyLength: 3 });
    const first = await peer.call('SendMessage', params, KEY);
    expect(await rest.call('POST', '/message:send', params, KEY)).toEqual(first);
    expect(runs).toEqual(['go']);
  });

  it('gives the same bare reply [rule:idempotency.joins]', async () => {
    let runs = 0;
    const { rest } = startRest(
      agentOf(() => {
        runs += 1;
        return reply('Hi');
      }),
    );
    const params = sendParams('hello');
    const first: Wire = await rest.call('POST', '/message:send', params, KEY);
    expect(await rest.call('POST', '/message:send', params, KEY)).toEqual(first);
    await eventually(() => runs).toBe(1);
  });

  it('and another body is refused [rule:idempotency.other-body-status]', async () => {
    const { rest } = startRest(agentOf((task) => task.text));
    await rest.send('hello', {}, undefined, KEY);
    for (const route of ['/message:send', '/message:stream']) {
      const { status, error } = await rest.error('POST', route, sendParams('something else'), KEY);
      expect([status, error.status, fieldsOf(error)]).toEqual([422, 'INVALID_ARGUMENT', ['Idempotency-Key']]);
      expect(error.code).toBe(422);
    }
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(1);
  });
});
