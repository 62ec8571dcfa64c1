import { describe, expect, it } from 'vitest';
import { httpPost } from '../../support/http/http.ts';
import { fieldsOf, type RestPeer, reasonOf, startRest } from '../../support/rest.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, hang } from '../../support/script.ts';

const PLAIN = 'application/json';
const A2A = 'application/a2a+json';
const V1 = { 'a2a-version': '1.0' };

/** Echoes, or works without an end. */
const start = () => startRest(agentOf((task) => (task.text === 'work' ? hang(task) : task.text)));

const working = async (rest: RestPeer): Promise<string> =>
  (await rest.send('work', {}, { returnImmediately: true })).id;

describe('cancel and subscribe', () => {
  const EMPTY: readonly (readonly [string, string | Uint8Array<ArrayBuffer> | undefined, string | undefined])[] = [
    ['no body', undefined, undefined],
    ['no body and a JSON type', undefined, PLAIN],
    ['no body and another type', undefined, 'application/x-www-form-urlencoded'],
    ['an empty body', '', PLAIN],
    ['an empty body of text', '', 'text/plain;charset=UTF-8'],
    ['an empty body without a type', new Uint8Array(0), undefined],
    ['{}', '{}', PLAIN],
    ['{} as a2a+json', '{}', A2A],
    ['{} without a type', new TextEncoder().encode('{}'), undefined],
    ['null', 'null', PLAIN],
    ['null between spaces', ' null\n', `${PLAIN}; charset=utf-8`],
    ['spaces', '  \r\n\t ', PLAIN],
  ];

  it.each(EMPTY)('take %s [rule:rest.empty-body]', async (_, body, type) => {
    const { rest } = start();
    const headers = { ...V1, ...(type === undefined ? {} : { 'content-type': type }) };
    const init = { method: 'POST', headers, ...(body === undefined ? {} : { body }) };
    const id = await working(rest);
    const subscribed = await rest.raw(`/tasks/${id}:subscribe`, init);
    expect(subscribed.status).toBe(200);
    expect(subscribed.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const canceled = await rest.raw(`/tasks/${id}:cancel`, init);
    expect(canceled.status).toBe(200);
    expect(((await canceled.json()) as Wire).status.state).toBe('TASK_STATE_CANCELED');
    expect(await subscribed.text()).toContain('"TASK_STATE_CANCELED"');
  });

  it.each(['', '{}', 'null'])('take %j over a socket [rule:rest.empty-body]', async (body) => {
    const { rest, server } = start();
    await server.listen({ port: 0 });
    const headers = { ...V1, 'Content-Type': PLAIN };
    const id = await working(rest);
    const canceled = await httpPost(`${server.url}/a2a/tasks/${id}:cancel`, headers, body);
    expect([canceled.status, JSON.parse(canceled.body).status.state]).toEqual([200, 'TASK_STATE_CANCELED']);
    const refused = await httpPost(`${server.url}/a2a/tasks/${id}:subscribe`, headers, body);
    expect([refused.status, reasonOf(JSON.parse(refused.body).error)]).toEqual([400, 'UNSUPPORTED_OPERATION']);
  });

  it('read what is in the body [rule:rest.empty-body]', async () => {
    const { rest } = start();
    const id = await working(rest);
    const { status, error } = await rest.error('POST', `/tasks/${id}:cancel`, { metadata: 'because' });
    expect([status, fieldsOf(error)]).toEqual([400, ['metadata']]);
    expect((await rest.call('POST', `/tasks/${id}:cancel`, { metadata: { why: 'late' } })).id).toBe(id);
  });

  it.each(['[]', '"text"', '5', 'true'])('refuse %s [rule:rest.empty-body]', async (body) => {
    const { rest } = start();
    const id = await working(rest);
    for (const action of ['cancel', 'subscribe']) {
      const { status, error } = await rest.error('POST', `/tasks/${id}:${action}`, body);
      expect([status, error.status], action).toEqual([400, 'INVALID_ARGUMENT']);
    }
    expect((await rest.call('GET', `/tasks/${id}`)).status.state).not.toBe('TASK_STATE_CANCELED');
  });
});

describe('other bodies', () => {
  it.each([
    '',
    ' ',
    'null',
    '{}',
    '[]',
    '{',
    'hello',
    '"text"',
  ])('are needed: %j is refused [rule:rest.error-body]', async (body) => {
    const { rest } = start();
    for (const route of ['/message:send', '/message:stream']) {
      const { status, error } = await rest.error('POST', route, body);
      expect([status, error.code, error.status], route).toEqual([400, 400, 'INVALID_ARGUMENT']);
      expect(error.message).toMatch(/\S/);
      expect(error.details).toBeInstanceOf(Array);
    }
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(0);
  });

  it('are read as UTF-8, and refused where they are not [rule:rest.type-in]', async () => {
    const { rest } = start();
    const headers = { ...V1, 'content-type': PLAIN };
    const text = JSON.stringify(sendParams('grüße 🦜'));
    const sent = await rest.raw('/message:send', { method: 'POST', headers, body: new TextEncoder().encode(text) });
    expect(((await sent.json()) as Wire).task.artifacts[0].parts).toEqual([{ text: 'grüße 🦜' }]);
    const latin1 = Uint8Array.from(JSON.stringify(sendParams('grüße')), (letter) => letter.charCodeAt(0));
    const refused = await rest.raw('/message:send', { method: 'POST', headers, body: latin1 });
    expect([refused.status, ((await refused.json()) as Wire).error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  });

  it('beyond the limit are 413 with the error body [rule:security.limits] [rule:rest.error-body]', async () => {
    const { rest, server } = startRest(
      agentOf((task) => task.text),
      { limits: { bodyBytes: 2000 } },
    );
    await server.listen({ port: 0 });
    const large = sendParams('x'.repeat(3000));
    const overSocket = await httpPost(
      `${server.url}/a2a/message:send`,
      { ...V1, 'Content-Type': PLAIN },
      JSON.stringify(large),
    );
    const inProcess = await rest.request('POST', '/message:send', large);
    const answers = [
      [overSocket.status, overSocket.headers['content-type'], overSocket.body],
      [inProcess.status, inProcess.headers.get('content-type'), await inProcess.text()],
    ] as const;
    for (const [status, type, text] of answers) {
      expect([status, type]).toEqual([413, PLAIN]);
      expect(JSON.parse(text).error).toEqual({
        code: 413,
        status: expect.stringMatching(/^(INVALID_ARGUMENT|RESOURCE_EXHAUSTED|OUT_OF_RANGE)$/),
        message: expect.stringMatching(/2000/),
        details: expect.any(Array),
      });
    }
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(0);
    expect((await rest.send('x'.repeat(500))).status.state).toBe('TASK_STATE_COMPLETED');
  });
});
