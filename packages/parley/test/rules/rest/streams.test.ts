import { inputRequired, reply } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/engine/ports.ts';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { eventually } from '../../support/eventually.ts';
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
import { reasonOf, startRest } from '../../support/rest.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { storeWith } from '../../support/stores/store-with.ts';

const NASTY = 'line\nline\r\nline\rtab\t"quoted" \\ data: x\n\nid: 99\n\nevent: error\n\n\u2028 \u0000 grüße 🦜 end';

describe('a stream', () => {
  it('has bare StreamResponses for data, one line each [rule:rest.sse] [rule:stream.sse-one-line] [rule:stream.one-payload]', async () => {
    const { rest } = startRest(
      agentOf(async function* (task) {
        await task.status(NASTY);
        yield NASTY;
        yield 'more';
      }),
    );
    const response = await rest.request('POST', '/message:stream', sendParams(NASTY));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const body = new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer());
    expect(body.endsWith('\n\n')).toBe(true);
    const blocks = body.slice(0, -2).split('\n\n');
    expect(blocks).toHaveLength(5);
    for (const block of blocks) {
      const [, data] = /^id: [1-9]\d*\ndata: (\{[^\n]*\})$/.exec(block) ?? [];
      const event: Wire = JSON.parse(data ?? 'null');
      expect(violationsOfV1('StreamResponse', event)).toEqual([]);
      expect(event).not.toHaveProperty('jsonrpc');
      expect(event).not.toHaveProperty('result');
      expect(data).not.toMatch(/"(kind|final)":/);
    }
    expect(body).not.toContain('\r');
  });

  it('begins with the task and ends with its last state [rule:stream.first-frame-task] [rule:stream.ends-terminal] [rule:stream.chunks]', async () => {
    const { rest } = startRest(
      agentOf(async function* () {
        yield 'one ';
        yield 'two';
      }),
    );
    const frames = await rest.stream('POST', '/message:stream', sendParams('go'));
    expect(frames.map(kindOf)).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate']);
    expect(statesOf(frames)).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
    const chunks = frames
      .filter((frame) => kindOf(frame) === 'artifactUpdate')
      .map(({ result }) => result.artifactUpdate);
    expect(chunks.map(({ append = false, lastChunk = false }) => [append, lastChunk])).toEqual([
      [false, false],
      [true, true],
    ]);
    const { id } = frames[0]?.result.task ?? {};
    expect(textOfTask(await rest.call('GET', `/tasks/${id}`))).toBe('one two');
    for (const { result } of frames.slice(1)) {
      expect((result.statusUpdate ?? result.artifactUpdate).taskId).toBe(id);
    }
  });

  it('of a direct reply is one message [rule:stream.message-only] [rule:rest.sse]', async () => {
    const { rest } = startRest(agentOf(() => reply(NASTY)));
    const frames = await rest.stream('POST', '/message:stream', sendParams('go'));
    expect(frames).toHaveLength(1);
    expect(violationsOfV1('StreamResponse', frames[0]?.result)).toEqual([]);
    expect(frames[0]?.result.message.parts).toEqual([{ text: NASTY }]);
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(0);
  });

  it('closes with a question, and goes on with the answer [rule:stream.input-required-closes]', async () => {
    const { rest } = startRest(
      agentOf((task) => (task.text === 'go' ? inputRequired('Which?') : `${task.text} it is`)),
    );
    const asked = await rest.stream('POST', '/message:stream', sendParams('go'));
    expect(stateOf(asked.at(-1))).toBe('TASK_STATE_INPUT_REQUIRED');
    const { id: taskId } = asked[0]?.result.task ?? {};
    const answered = await rest.stream('POST', '/message:stream', sendParams('this', { taskId }));
    expect([kindOf(answered[0]), textOfStream(answered), stateOf(answered.at(-1))]).toEqual([
      'task',
      'this it is',
      'TASK_STATE_COMPLETED',
    ]);
  });

  it('that is idle carries comments, and is not cached or buffered [rule:stream.sse-keep-alive]', async () => {
    const go = gate();
    const { rest } = startRest(
      agentOf(async function* () {
        yield 'before ';
        await go.promise;
        yield 'after';
      }),
      { limits: { keepAlive: 20 } },
    );
    const stream = await rest.open('POST', '/message:stream', sendParams('go'));
    expect(stream.response.headers.get('cache-control')).toMatch(/no-cache/);
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    const reading = stream.rest();
    await eventually(() => stream.comments.length).toBeGreaterThanOrEqual(3);
    go.resolve();
    expect(textOfStream(await reading)).toBe('before after');
  });

  it('that reaches its limit ends without an error and can be resumed [rule:stream.limit]', async () => {
    const go = gate();
    const { rest, server } = startRest(
      agentOf(async function* () {
        yield 'before ';
        await go.promise;
        yield 'after';
      }),
      { limits: { streamTimeout: 60 } },
    );
    const frames = await rest.stream('POST', '/message:stream', sendParams('go'));
    expect(textOfStream(frames)).toBe('before ');
    expect(frames.map((frame) => frame.event)).not.toContain('error');
    expect(server.load.subscriptions).toBe(0);
    const { id } = frames[0]?.result.task ?? {};
    go.resolve();
    const position = { 'last-event-id': String(frames.at(-1)?.id) };
    const resumed = await rest.stream('GET', `/tasks/${id}:subscribe`, undefined, position);
    expect([textOfStream(resumed), stateOf(resumed.at(-1))]).toEqual(['after', 'TASK_STATE_COMPLETED']);
  });

  it('leaves the task alone when its reader goes away [rule:stream.close-one] [rule:send.disconnect]', async () => {
    const go = gate();
    const { rest, server } = startRest(
      agentOf(async function* () {
        yield 'before ';
        await go.promise;
        yield 'after';
      }),
    );
    const gone = await rest.open('POST', '/message:stream', sendParams('go'));
    const [first] = await gone.until(brings('before '));
    const { id } = first?.result.task ?? {};
    const stays = await rest.open('GET', `/tasks/${id}:subscribe`);
    await gone.close();
    await eventually(() => server.load.subscriptions).toBe(1);
    go.resolve();
    expect(stateOf((await stays.rest()).at(-1))).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(await rest.call('GET', `/tasks/${id}`))).toBe('before after');
  });
});

describe('subscribing', () => {
  it('works by POST and by GET, with the same frames [rule:subscribe.verbs] [rule:subscribe.first-task] [rule:stream.broadcast]', async () => {
    const go = gate();
    const { rest } = startRest(
      agentOf(async function* (task) {
        yield 'before ';
        await task.ask('Go on?');
        await go.promise;
        yield 'after';
      }),
    );
    const { id } = await rest.send('go');
    const streams = await Promise.all([
      rest.open('POST', `/tasks/${id}:subscribe`),
      rest.open('POST', `/tasks/${id}:subscribe`, {}),
      rest.open('GET', `/tasks/${id}:subscribe`),
      rest.open('GET', `/tasks/${id}:subscribe?A2A-Version=1.0`, undefined, { 'a2a-version': '' }),
    ]);
    const readings = streams.map((stream) => stream.rest());
    await rest.send('yes', { taskId: id }, { returnImmediately: true });
    go.resolve();
    const [first = [], ...others] = await Promise.all(readings);
    expect(textOfTask(first[0]?.result.task)).toBe('before ');
    expect(statesOf(first)).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
    for (const frames of others) {
      expect(payloadsOf(frames)).toEqual(payloadsOf(first));
      expect(idsOf(frames)).toEqual(idsOf(first));
    }
  });

  it.each([
    'POST',
    'GET',
  ])('by %s to what is over or unknown is an error [rule:subscribe.terminal] [rule:subscribe.unknown] [rule:stream.error-before-accept]', async (verb) => {
    const { rest, server } = startRest(agentOf((task) => task.text));
    const { id } = await rest.send('hello');
    for (const [task, status, reason] of [
      [id, 400, 'UNSUPPORTED_OPERATION'],
      ['unknown', 404, 'TASK_NOT_FOUND'],
    ] as const) {
      const path = `/tasks/${task}:subscribe`;
      for (const accept of ['*/*', 'text/event-stream, application/json', 'application/a2a+json, text/event-stream']) {
        const refused = await rest.error(verb, path, undefined, { accept });
        expect([refused.status, reasonOf(refused.error)]).toEqual([status, reason]);
        expect(refused.headers.get('content-type')).toMatch(/json$/);
      }
      const stream = await rest.open(verb, path, undefined, { accept: 'text/event-stream' });
      expect(stream.response.status).toBe(200);
      const [only, ...more] = await stream.rest();
      expect([only?.event, only?.result.error.code, reasonOf(only?.result.error), more]).toEqual([
        'error',
        status,
        reason,
        [],
      ]);
    }
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });
});

it('asks an EventSource, which opens ended streams again, not to hurry after an error [rule:stream.error-before-accept]', async () => {
  const { rest } = startRest(agentOf((task) => task.text));
  const accept = { accept: 'text/event-stream' };
  const ask = async (verb: string) => (await rest.request(verb, '/tasks/none:subscribe', undefined, accept)).text();
  expect(await ask('GET')).toMatch(/^retry: \d{7,}\nevent: error\ndata: \{.*\}\n\n$/);
  expect(await ask('POST')).toMatch(/^event: error\ndata: \{.*\}\n\n$/);
});

it('refusals by HTTP keep their status, whatever is accepted [rule:stream.error-before-accept]', async () => {
  const { rest } = startRest(agentOf((task) => task.text));
  const accept = { accept: 'text/event-stream' };
  const statusOf = async (...asked: Parameters<typeof rest.error>) => (await rest.error(...asked)).status;
  expect(await statusOf('POST', '/nowhere', {}, accept)).toBe(404);
  expect(await statusOf('PUT', '/message:stream', {}, accept)).toBe(405);
  expect(await statusOf('POST', '/message:stream', {}, { ...accept, 'content-type': 'text/plain' })).toBe(400);
  expect(await statusOf('POST', '/message:send', {}, accept)).toBe(400);
});

it('an error that is known before the first event is no stream [rule:stream.error-before-accept] [rule:stream.capability-off]', async () => {
  const { rest } = startRest(agentOf((task) => task.text));
  const { id } = await rest.send('hello');
  const refused = [
    await rest.error('POST', '/message:stream', {}),
    await rest.error('POST', '/message:stream', sendParams('more', { taskId: id })),
    await rest.error('POST', '/message:stream', sendParams('more', { taskId: 'unknown' })),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 404]);
  for (const { headers } of refused) expect(headers.get('content-type')).toBe('application/json');
  const off = startRest(agentOf((task) => hang(task), { streaming: false })).rest;
  const work = await off.send('work', {}, { returnImmediately: true });
  for (const [verb, route, body] of [
    ['POST', '/message:stream', sendParams('hello')],
    ['POST', `/tasks/${work.id}:subscribe`, undefined],
    ['GET', `/tasks/${work.id}:subscribe`, undefined],
  ] as const) {
    expect(reasonOf((await off.error(verb, route, body)).error), route).toBe('UNSUPPORTED_OPERATION');
  }
});

describe('a failure after the first event', () => {
  const FAILURES: Readonly<Record<string, (inner: Store, broken: () => boolean) => Partial<Store>>> = {
    'commits are refused': (inner, broken) => ({
      commit: async (entries) => (broken() ? [] : inner.commit(entries)),
    }),
    'the log cannot be read': (inner, broken) => ({
      read: async (...parameters) => {
        if (broken()) throw new Error('disk db.internal is gone');
        return inner.read(...parameters);
      },
    }),
  };

  it.each(
    Object.keys(FAILURES),
  )('is a last event named error with the error body: %s [rule:rest.sse-error]', async (failure) => {
    const go = gate();
    let broken = false;
    const store = storeWith((inner) => FAILURES[failure]?.(inner, () => broken) ?? {});
    const { rest } = startRest(
      agentOf(async function* () {
        yield 'before';
        await go.promise;
        for (let index = 0; index < 200; index += 1) yield 'x'.repeat(1000);
      }),
      // Readers must go to the store for what is not the newest.
      { store, limits: { recentBytes: 1 } },
    );
    const stream = await rest.open('POST', '/message:stream', sendParams('go'));
    await stream.until(brings('before'));
    broken = true;
    go.resolve();
    const frames = await stream.rest();
    const last = frames.at(-1);
    expect(last?.event).toBe('error');
    expect(Object.keys(last?.result)).toEqual(['error']);
    expect(last?.result.error).toEqual({
      code: expect.any(Number),
      status: expect.stringMatching(/^(INTERNAL|UNAVAILABLE)$/),
      message: expect.stringMatching(/\S/),
      details: expect.any(Array),
    });
    expect(last?.result.error.code).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(last?.result)).not.toContain('db.internal');
    expect(frames.slice(0, -1).map((frame) => frame.event)).not.toContain('error');
  });
});
