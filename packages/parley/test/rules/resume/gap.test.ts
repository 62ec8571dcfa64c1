import type { DialectName } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { FORMS, REST_FORMS } from '../../bad-input/support/all-forms.ts';
import { callingOf, type Form, requestOf, rpcBody } from '../../bad-input/support/forms.ts';
import { eventually } from '../../support/eventually.ts';
import { brings, idsOf, kindOf, payloadsOf } from '../../support/frames.ts';
import { startRest } from '../../support/rest.ts';
import { openStream, RpcPeer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { storeWith } from '../../support/stores/store-with.ts';

const EXTENSION = 'urn:parley:ext:resume:v1';
const LONG = 'x'.repeat(5000);

/** Writes, and goes on when the test lets it. */
function agentInTwo() {
  const go = gate();
  const agent = agentOf(async function* () {
    yield 'one ';
    yield 'two ';
    await go.promise;
    yield 'three';
  });
  return { agent, go: go.resolve };
}

/** A store that has dropped the events up to a seq, as one with bounded logs would. */
function trimmedStore() {
  let dropped = 0;
  const store = storeWith((inner) => ({
    read: async (taskId, after, limit) => inner.read(taskId, Math.max(after, dropped), limit),
  }));
  const trim = (seq: number) => {
    dropped = seq;
  };
  return { store, trim };
}

/** The first frame's data, whatever carries it; then the reader goes away. */
async function firstData(response: Response): Promise<Wire> {
  if (!response.body) throw new Error('A stream has no body');
  const stream = openStream(response, response.body, (parsed) => parsed);
  const frame = await stream.next();
  await stream.close();
  const data = frame?.result.result ?? frame?.result;
  return data.task ?? data;
}

const WAYS: Readonly<Record<string, (form: Form, id: string, position: unknown) => Request>> = {
  'the header': (form, id, position) =>
    requestOf(form, 'subscribeToTask', { id }, { 'last-event-id': String(position) }),
  'the metadata': (form, id, position) =>
    requestOf(form, 'subscribeToTask', { id, metadata: { [EXTENSION]: position } }),
};

describe.each(FORMS)('a position over $name', (form) => {
  const POSITIONS: readonly (readonly [unknown, Wire])[] = [
    ['1', { gap: 'too-old', asked: '1' }],
    ['4711', { gap: 'ahead', asked: '4711' }],
    ['4x', { gap: 'malformed', asked: '4x' }],
  ];
  const cases = Object.keys(WAYS).flatMap((way) => POSITIONS.map(([position, note]) => [way, position, note] as const));

  it.each(cases)('in %s that cannot be honoured is told: %j [rule:resume.gap]', async (way, position, note) => {
    const { agent, go } = agentInTwo();
    const { store, trim } = trimmedStore();
    const { rest, server } = startRest(agent, { store, limits: { recentBytes: 1 } });
    const sent = await rest.open('POST', '/message:stream', { message: messageOf('go') });
    const [first] = await sent.until(brings('two '));
    const { id } = first?.result.task ?? {};
    trim(3);
    const shown = await firstData(await server.fetch(WAYS[way]?.(form, id, position) ?? new Request('http://x')));
    expect(shown.metadata).toEqual({ [EXTENSION]: note });
    expect(JSON.stringify(shown.artifacts)).toContain('one two');
    go();
    await sent.rest();
  });

  it('is told in a bounded length [rule:resume.gap]', async () => {
    const { agent, go } = agentInTwo();
    const { rest, server } = startRest(agent);
    const { id } = await rest.send('go', {}, { returnImmediately: true });
    for (const position of [LONG, `${'a'.repeat(62)}😀😀`, [LONG], '9'.repeat(5000)]) {
      const { metadata } = await firstData(await server.fetch(WAYS['the metadata']?.(form, id, position) as Request));
      expect(metadata[EXTENSION].asked.length).toBeLessThanOrEqual(64);
      expect(metadata[EXTENSION].asked.isWellFormed()).toBe(true);
    }
    go();
  });
});

describe.each(REST_FORMS)('GET with ?after= over $name', (form) => {
  const { route } = callingOf(form, 'subscribeToTask');
  const get = (id: string, query: string, headers: Record<string, string> = {}) =>
    new Request(`http://localhost${form.base}${route.split(' ')[1]?.replace('{id}', id)}${query}`, {
      headers: { ...form.headers, ...headers },
    });

  async function ended() {
    const { agent, go } = agentInTwo();
    go();
    const { rest, server } = startRest(agent);
    const { id } = await rest.send('go');
    const whole = await rest.stream('GET', `/tasks/${id}:subscribe`, undefined, { 'last-event-id': '0' });
    const last = Number(idsOf(whole).at(-1));
    const idsAfter = async (query: string, headers?: Record<string, string>) => {
      const response = await server.fetch(get(id, query, headers));
      if (!response.body) return response.status;
      return idsOf(await openStream(response, response.body, (parsed) => parsed).rest());
    };
    return { id, ids: idsOf(whole), last, idsAfter, server };
  }

  it('gives exactly the events after it [rule:resume.last-event-id]', async () => {
    const { ids, last, idsAfter } = await ended();
    for (let after = 0; after < last; after += 1) {
      expect(await idsAfter(`?after=${after}`)).toEqual(ids.filter((id) => Number(id) > after));
    }
  });

  it('gives way to the header of an EventSource that comes back to the same address [rule:resume.last-event-id]', async () => {
    const { ids, last, idsAfter } = await ended();
    expect(await idsAfter('?after=0', { 'last-event-id': String(last - 1) })).toEqual(ids.slice(-1));
    expect(await idsAfter('?after=0', { 'last-event-id': String(last) })).toBe(204);
    expect(await idsAfter('?after=nonsense', { 'last-event-id': String(last) })).toBe(204);
  });

  it('at the end is 204, and nothing [rule:resume.terminal-end]', async () => {
    const { id, last, server } = await ended();
    const response = await server.fetch(get(id, `?after=${last}`));
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it.each([
    ['?after=x', { gap: 'malformed', asked: 'x' }],
    ['?after=99', { gap: 'ahead', asked: '99' }],
    ['?after=1&after=2', { gap: 'malformed', asked: '1, 2' }],
    ['?after=-1', { gap: 'malformed', asked: '-1' }],
  ])('that cannot be honoured is told: %s [rule:resume.gap]', async (query, note) => {
    const { id, server } = await ended();
    const shown = await firstData(await server.fetch(get(id, query)));
    expect(shown.metadata[EXTENSION]).toEqual(note);
  });

  it('without a value is none: the task has ended', async () => {
    const { id, server } = await ended();
    expect((await server.fetch(get(id, '?after='))).status).toBe(400);
  });

  it('is not looked at where something else is asked for', async () => {
    const { id, server } = await ended();
    const url = get(id, '?after=1').url.replace(':subscribe', '');
    const response = await server.fetch(new Request(url, { headers: form.headers }));
    expect(response.status).toBe(200);
    expect(response.headers.get('a2a-extensions') ?? response.headers.get('x-a2a-extensions')).toBeNull();
  });
});

it('POST does not look at ?after=: its parameters are in the body', async () => {
  const { agent, go } = agentInTwo();
  const { rest } = startRest(agent);
  const { id } = await rest.send('go', {}, { returnImmediately: true });
  const stream = await rest.open('POST', `/tasks/${id}:subscribe?after=1`);
  expect(kindOf(await stream.next())).toBe('task');
  go();
  await stream.rest();
});

it('the note is for its own stream: other readers, GetTask and what is stored have none [rule:resume.gap]', async () => {
  const { agent, go } = agentInTwo();
  const { rest, peer, server } = startRest(agent);
  const { id } = await rest.send('go', {}, { returnImmediately: true });
  const asked = await rest.open('GET', `/tasks/${id}:subscribe?after=999`);
  const plain = await rest.open('GET', `/tasks/${id}:subscribe`);
  const other = await peer.open('SubscribeToTask', { id }, { 'last-event-id': 'second' });
  const [noted, clean, noted2] = [await asked.next(), await plain.next(), await other.next()];
  expect(noted?.result.task.metadata).toEqual({ [EXTENSION]: { gap: 'ahead', asked: '999' } });
  expect(noted2?.result.task.metadata).toEqual({ [EXTENSION]: { gap: 'malformed', asked: 'second' } });
  expect(clean?.result.task).not.toHaveProperty('metadata');
  const rests = [asked.rest(), plain.rest(), other.rest()];
  go();
  const [first, ...others] = await Promise.all(rests);
  for (const frames of others) expect(payloadsOf(frames).slice(-2)).toEqual(payloadsOf(first ?? []).slice(-2));
  expect(JSON.stringify([first, ...others])).not.toContain(EXTENSION);
  expect(await rest.call('GET', `/tasks/${id}`)).not.toHaveProperty('metadata');
  expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
});

it('a log that loses its beginning under a slow reader ends the stream, which is then resumed with a gap', async () => {
  const { agent, go } = agentInTwo();
  const { store, trim } = trimmedStore();
  const { rest } = startRest(agent, { store, limits: { recentBytes: 1 } });
  const { id } = await rest.send('go', {}, { returnImmediately: true });
  const slow = await rest.open('GET', `/tasks/${id}:subscribe`);
  const position = String((await slow.next())?.id);
  go();
  await eventually(async () => (await rest.call('GET', `/tasks/${id}`)).status.state).toBe('TASK_STATE_COMPLETED');
  trim(Number(position) + 1);
  const [failure] = payloadsOf(await slow.rest());
  expect(failure.error.message).toMatch(/no longer kept; subscribe again/);
  const again = await rest.open('GET', `/tasks/${id}:subscribe`, undefined, { 'last-event-id': position });
  expect((await again.next())?.result.task.metadata[EXTENSION]).toEqual({ gap: 'too-old', asked: position });
});

describe('informal dialects', () => {
  const ASKED = { 'last-event-id': '999' };
  const NOTE = { [EXTENSION]: { gap: 'ahead', asked: '999' } };
  const CASES: readonly (readonly [DialectName, string])[] = [
    ['v1_draft', 'SubscribeToTask'],
    ['rxjs', 'tasks/resubscribe'],
    ['cogitator', 'tasks/resubscribe'],
    ['banterop', 'tasks/resubscribe'],
  ];

  it.each(CASES)('%s tells a gap in the frame that shows the task [rule:resume.gap]', async (dialect, method) => {
    const { agent, go } = agentInTwo();
    const { rest, server } = startRest(agent, { mounts: [{ path: '/own', dialect }] });
    const { id } = await rest.send('go', {}, { returnImmediately: true });
    const response = await new RpcPeer(server.fetch).at('/own').post(rpcBody(method, { id }), ASKED);
    expect((await firstData(response)).metadata).toEqual(NOTE);
    go();
  });

  it('rxjs tells it with the state where a client comes back by tasks/get [rule:resume.gap]', async () => {
    const { agent, go } = agentInTwo();
    const { rest, server } = startRest(agent);
    const { id } = await rest.send('go', {}, { returnImmediately: true });
    const response = await new RpcPeer(server.fetch).at('/api/a2a').post(rpcBody('tasks/get', { taskId: id }), ASKED);
    expect((await firstData(response)).metadata).toEqual(NOTE);
    go();
  });
});

function messageOf(text: string): Wire {
  return { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] };
}
