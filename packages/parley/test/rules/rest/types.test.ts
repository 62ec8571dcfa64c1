import { describe, expect, it } from 'vitest';
import { type RestPeer, reasonOf, startRest } from '../../support/rest.ts';
import { sendParams } from '../../support/rpc.ts';
import { agentOf, hang } from '../../support/script.ts';

const PLAIN = 'application/json';
const A2A = 'application/a2a+json';
const V1 = { 'a2a-version': '1.0' };

/** Echoes, or works without an end. */
const start = () => startRest(agentOf((task) => (task.text === 'work' ? hang(task) : task.text)));

const working = async (rest: RestPeer): Promise<string> =>
  (await rest.send('work', {}, { returnImmediately: true })).id;

describe('the content type of a request', () => {
  it.each([
    PLAIN,
    A2A,
    `${PLAIN}; charset=utf-8`,
    `${PLAIN};charset="UTF-8"`,
    `${A2A}; charset=utf-8`,
    'Application/JSON',
    'APPLICATION/A2A+JSON',
    ` ${PLAIN} ; x=y`,
  ])('may be %s [rule:rest.type-in]', async (type) => {
    const { rest } = start();
    const task = await rest.send('hello', {}, undefined, { 'content-type': type });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    const frames = await rest.stream('POST', '/message:stream', sendParams('hello'), { 'content-type': type });
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('may be missing [rule:rest.type-in]', async () => {
    const { rest } = start();
    const body = new TextEncoder().encode(JSON.stringify(sendParams('hello')));
    const response = await rest.raw('/message:send', { method: 'POST', headers: V1, body });
    expect(response.status).toBe(200);
  });

  it.each([
    'text/plain',
    'text/plain; charset=utf-8',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-seq',
    'application/problem+json',
    'application/a2a',
    'text/json',
    'json',
    'application/*',
  ])('may not be %s [rule:rest.type-other]', async (type) => {
    const { rest } = start();
    const id = await working(rest);
    for (const [route, body] of [
      ['/message:send', JSON.stringify(sendParams('hello'))],
      ['/message:stream', 'not JSON at all'],
      [`/tasks/${id}:cancel`, '{}'],
      ['/tasks/t-1/pushNotificationConfigs', '{}'],
    ] as const) {
      const { status, error } = await rest.error('POST', route, body, { 'content-type': type });
      expect([status, error.code, error.status, reasonOf(error)], route).toEqual([
        400,
        400,
        'INVALID_ARGUMENT',
        'CONTENT_TYPE_NOT_SUPPORTED',
      ]);
    }
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(1);
    expect((await rest.call('GET', `/tasks/${id}`)).status.state).not.toBe('TASK_STATE_CANCELED');
  });
});

describe('the content type of the answer', () => {
  /** The types of a success, of errors, and of an error of a streaming operation. */
  async function typesFor(rest: RestPeer, headers: Record<string, string>): Promise<Set<string | null>> {
    const id = await working(rest);
    const responses = [
      await rest.request('POST', '/message:send', sendParams('hello'), headers),
      await rest.request('POST', '/message:send', '{}', headers),
      await rest.request('POST', `/tasks/${id}:cancel`, {}, headers),
      await rest.request('POST', `/tasks/${id}:subscribe`, {}, headers),
      await rest.request('POST', '/nowhere', {}, headers),
    ];
    return new Set(responses.map((response) => response.headers.get('content-type')));
  }

  it.each<Record<string, string>>([
    { accept: A2A },
    { accept: `${A2A}, ${PLAIN}` },
    { accept: `${PLAIN}, ${A2A};q=0.9, */*;q=0.1` },
    { accept: `text/event-stream, ${A2A}` },
    { accept: `${A2A.toUpperCase()}; charset=utf-8` },
    { 'content-type': A2A },
    { 'content-type': `${A2A}; charset=utf-8`, accept: '*/*' },
    { 'content-type': A2A, accept: PLAIN },
  ])('is a2a+json for a client that names it: %j [rule:rest.type-out]', async (headers) => {
    expect([...(await typesFor(start().rest, headers))]).toEqual([A2A]);
  });

  it.each<Record<string, string>>([
    {},
    { accept: '*/*' },
    { accept: 'application/*' },
    { accept: PLAIN },
    { accept: `${PLAIN}, text/event-stream` },
    { accept: 'text/html, */*;q=0.8' },
    { accept: 'application/a2a+json-seq' },
    { accept: '' },
  ])('is plain JSON for any other: %j [rule:rest.type-out-plain]', async (headers) => {
    expect([...(await typesFor(start().rest, headers))]).toEqual([PLAIN]);
  });

  it('of a GET follows Accept alone [rule:rest.type-out] [rule:rest.type-out-plain]', async () => {
    const { rest } = start();
    const { id } = await rest.send('hello');
    for (const route of [`/tasks/${id}`, '/tasks', '/tasks/unknown', '/tasks?pageSize=0']) {
      const named = await rest.request('GET', route, undefined, { accept: `${A2A}, */*` });
      expect(named.headers.get('content-type'), route).toBe(A2A);
      const plain = await rest.request('GET', route, undefined, { accept: '*/*' });
      expect(plain.headers.get('content-type'), route).toBe(PLAIN);
      expect(await plain.text()).toBe(await named.text());
    }
  });

  it('of a stream is always that of an event stream [rule:stream.sse-type]', async () => {
    const { rest } = start();
    for (const accept of [A2A, PLAIN, '*/*', 'text/event-stream']) {
      const response = await rest.request('POST', '/message:stream', sendParams('hello'), { accept });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      await response.text();
    }
  });
});
