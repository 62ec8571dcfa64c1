import { getEventListeners } from 'node:events';
import { A2AClient, type ClientInterceptor, type ClientOptions, type StreamEvent, text, textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { withIdleLimit } from '../../../src/client/call/idle-guard.ts';
import { systemTiming } from '../../../src/client/call/timing.ts';
import { Tap } from '../../../src/client/stream/tap.ts';
import { settle } from '../../support/manual-clock.ts';
import type { Wire } from '../../support/rpc.ts';
import { cardOf, fetchOf, jsonOf } from '../support/recorded.ts';
import { played, writes } from '../support/scripted.ts';

const ADDRESS = 'https://agent.example';
const TIMESTAMP = '2026-03-01T12:00:00.000Z';
const IDS = { taskId: 't', contextId: 'c' };

const status = (state: string) => ({ state: `TASK_STATE_${state}`, timestamp: TIMESTAMP });
const taskOf = (state: string, more: object = {}) => ({ id: 't', contextId: 'c', status: status(state), ...more });
const turned = (state: string) => ({ statusUpdate: { ...IDS, status: status(state) } });
const QUICK: ClientOptions = { reconnect: { firstDelay: 1, longestDelay: 1 } };

/** What a method is answered with: a result, or the events of a stream, which ends, breaks or stays open. */
type Script = (
  method: string,
  params: Wire,
) => { readonly result: unknown } | { readonly events: readonly unknown[]; readonly end?: 'breaks' | 'stays' };

async function client(
  script: Script,
  options: ClientOptions = {},
  card: object = { capabilities: { streaming: true } },
) {
  const { fetch, sent } = fetchOf(async (request) => {
    if (new URL(request.url).pathname.startsWith('/.well-known/')) return jsonOf(cardOf(card));
    const { id, method, params } = (await request.json()) as Wire;
    const answer = script(method, params);
    if ('result' in answer) return jsonOf({ jsonrpc: '2.0', id, result: answer.result });
    const frames = answer.events.map(
      (result, index) => `id: ${index + 10}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`,
    );
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(frames.join(''))),
      pull: (controller) => {
        if (answer.end === 'breaks') controller.error(new Error('broken'));
        if (answer.end === undefined) controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  const agent = await A2AClient.connect(ADDRESS, { fetch, ...options });
  const methods = () => sent.slice(1).map(({ body }) => JSON.parse(body).method as string);
  return { agent, methods };
}

describe('a reader that has left', () => {
  it('gets an end instead of an error for what it had asked for before', async () => {
    const { agent } = await client(() => ({ events: [{ task: taskOf('WORKING') }], end: 'stays' }));
    const events = agent.sendMessageStream('hi')[Symbol.asyncIterator]();
    await events.next();
    const pending = [events.next(), events.next()];
    await events.return?.();
    await expect(Promise.all(pending)).resolves.toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });
});

describe('signals', () => {
  it('are let go of however a stream ends', async () => {
    const { agent } = await client(() => ({ events: [{ task: taskOf('COMPLETED') }] }));
    const gone = new A2AClient(ADDRESS, { fetch: () => Promise.reject(new TypeError('no')), retry: false });
    const { signal } = new AbortController();
    await agent.sendMessageStream('hi', { signal }).task;
    for await (const _ of agent.sendMessageStream('hi', { signal })) break;
    await agent.sendMessageStream({} as never, { signal }).task.catch(() => {});
    await gone.sendMessageStream('hi', { signal }).task.catch(() => {});
    await gone.subscribe('t', { signal }).task.catch(() => {});
    await settle();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

it('takes an event with more parts than fit on a stack', async () => {
  const parts = Array.from({ length: 150_000 }, () => ({ text: 'x' }));
  const chunk = (append: boolean) => ({
    artifactUpdate: { ...IDS, artifact: { artifactId: 'a', parts }, append },
  });
  const { agent } = await client(() => ({
    events: [{ task: taskOf('WORKING') }, chunk(false), chunk(true), turned('COMPLETED')],
  }));
  expect(await agent.run('hi')).toHaveLength(2 * parts.length);
});

it('does not bring up what was said in an earlier turn after a reconnect [rule:resume.client-plain-server]', async () => {
  let sentId = '';
  const said = (role: string, messageId: string, text: string) => ({ role, messageId, parts: [{ text }] });
  const { agent } = await client((method, params) => {
    if (method === 'SendStreamingMessage') {
      sentId = params.message.messageId;
      return { events: [{ task: taskOf('WORKING') }], end: 'breaks' };
    }
    const history = [
      said('ROLE_AGENT', 'old', 'Which year?'),
      said('ROLE_USER', sentId, '2025'),
      said('ROLE_AGENT', 'new', 'Reading'),
    ];
    const task = taskOf('COMPLETED', { history });
    return method === 'GetTask' ? { result: task } : { events: [{ task }] };
  }, QUICK);
  const heard: string[] = [];
  for await (const event of agent.sendMessageStream('2025', { taskId: 't', historyLength: 0 })) {
    if (event.kind === 'status' && event.status.message) heard.push(textOf(event.status.message));
  }
  expect(heard).toEqual(['Reading']);
});

it('listens to a silent stream for ever where idleTimeout is 0', async () => {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.enqueue(new TextEncoder().encode('late'));
      controller.close();
    },
  });
  await expect(withIdleLimit(new Response(body), 0, systemTiming).text()).resolves.toBe('late');
});

describe('an agent that does not stream', () => {
  it.for([
    undefined,
    false,
  ] as const)('is asked until it is done, without a word of reconnects: reconnect %s', async (reconnect) => {
    let looks = 0;
    const reconnects: unknown[] = [];
    const { agent, methods } = await client(
      (method) => {
        if (method === 'SendMessage') return { result: { task: taskOf('WORKING') } };
        looks += 1;
        const artifacts = [{ artifactId: 'a', parts: [{ text: 'done' }] }];
        return { result: looks < 2 ? taskOf('WORKING') : taskOf('COMPLETED', { artifacts }) };
      },
      { reconnect, onReconnect: (info) => reconnects.push(info) },
      { capabilities: { streaming: false } },
    );
    await expect(agent.run('hi')).resolves.toBe('done');
    looks = 0;
    await expect(agent.sendMessageStream('hi').task).resolves.toMatchObject({ status: { state: 'completed' } });
    expect(reconnects).toEqual([]);
    expect(new Set(methods())).toEqual(new Set(['SendMessage', 'GetTask']));
  });
});

it('has the whole task behind a position too, though its events are only those that follow', async () => {
  const artifacts = [{ artifactId: 'a', parts: [{ text: 'one two' }] }];
  const chunk = { artifactUpdate: { ...IDS, artifact: { artifactId: 'a', parts: [{ text: 'two' }] }, append: true } };
  const resume = { capabilities: { streaming: true, extensions: [{ uri: 'urn:parley:ext:resume:v1' }] } };
  const { agent, methods } = await client(
    (method) =>
      method === 'GetTask' ? { result: taskOf('COMPLETED', { artifacts }) } : { events: [chunk, turned('COMPLETED')] },
    {},
    resume,
  );
  const stream = agent.subscribe('t', { lastEventId: 3 });
  const kinds: StreamEvent['kind'][] = [];
  for await (const { kind } of stream) kinds.push(kind);
  expect(kinds).toEqual(['artifact', 'status']);
  expect(methods()).toEqual(['SubscribeToTask']);
  expect(textOf(await stream.task)).toBe('one two');
});

describe('an interceptor', () => {
  it('may answer a stream with a list of events', async () => {
    const event = { kind: 'message', message: { messageId: 'm', role: 'agent', parts: [text('kept')] } } as const;
    const interceptors: ClientInterceptor[] = [async () => [{ id: undefined, event, final: false }]];
    const { agent, methods } = await client(() => ({ events: [] }), { interceptors });
    await expect(agent.run('hi')).resolves.toBe('kept');
    expect(methods()).toEqual([]);
  });

  it('is told where it answers a stream with nothing', async () => {
    const { agent } = await client(() => ({ events: [] }), { interceptors: [async () => undefined] });
    await expect(agent.run('hi')).rejects.toThrow('An interceptor must give a stream');
  });
});

describe('listing', () => {
  it('ends with a server that goes round in circles', async () => {
    let pages = 0;
    const { agent } = await client(() => {
      pages += 1;
      return { result: { tasks: [taskOf('COMPLETED')], nextPageToken: pages % 2 ? 'A' : 'B' } };
    });
    const ids: string[] = [];
    for await (const { id } of agent.listTasks()) ids.push(id);
    expect(ids).toHaveLength(3);
  });

  it('refuses a time that is none', async () => {
    const { agent } = await client(() => ({ result: { tasks: [] } }));
    const listing = Promise.resolve(agent.listTasks({ statusSince: 'tomorrow' }));
    await expect(listing).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

it('reads large events of a plain server less far ahead [rule:resume.client-plain-server]', async () => {
  let given = 0;
  const endless = (async function* () {
    for (;;) {
      given += 1;
      for await (const received of played([writes('x')])) yield { ...received, size: 2 ** 20 };
    }
  })();
  const tap = new Tap(endless);
  for (let turn = 0; turn < 50; turn += 1) await settle();
  expect(given).toBe(8);
  tap.take(3);
  for (let turn = 0; turn < 50; turn += 1) await settle();
  expect(given).toBe(11);
  await tap.close();
});

it('reads a stream of HTTP+JSON whose events are in envelopes, as the client of seed S0 does (S0.19)', async () => {
  const events = [
    { kind: 'task', id: 't', contextId: 'c', status: { state: 'submitted' } },
    { kind: 'status-update', ...IDS, status: { state: 'working' }, final: true },
  ];
  const { fetch } = fetchOf(({ url }) => {
    if (!url.endsWith('/v1/message:stream')) {
      const streaming = { capabilities: { streaming: true }, protocolVersion: '0.3.0' };
      return jsonOf({ name: 'S0', url: ADDRESS, preferredTransport: 'HTTP+JSON', ...streaming, skills: [] });
    }
    const frames = events.map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`);
    return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });
  });
  const agent = await A2AClient.connect(ADDRESS, { fetch });
  const message = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }], messageId: 'm' } as const;
  const kinds: StreamEvent['kind'][] = [];
  for await (const { kind } of agent.streamMessage({ message })) kinds.push(kind);
  expect(kinds).toEqual(['task', 'status']);
});
