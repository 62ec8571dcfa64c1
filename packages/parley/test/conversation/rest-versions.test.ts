import { describe, expect, it } from 'vitest';
import { openStream, type RpcFrame, startServer, type Wire } from '../support/rpc.ts';
import { conversationalAgent } from './agent.ts';

/** What both versions of HTTP+JSON have in common beside the conversation: verbs, empty bodies, slashes. */
const VERSIONS = [
  ['1.0', '/a2a', { 'a2a-version': '1.0' }],
  ['0.3', '/a2a/v1', {}],
] as const;

type Headers = Readonly<Record<string, string>>;

function start(base: string, version: Headers) {
  const { server, peer } = startServer(conversationalAgent());
  const request = (verb: string, route: string, headers: Headers = {}, body?: string): Promise<Response> => {
    const init = { method: verb, headers: { ...version, ...headers } };
    return server.fetch(new Request(`http://localhost${base}${route}`, body === undefined ? init : { ...init, body }));
  };
  const framesOf = async (response: Response): Promise<RpcFrame[]> => {
    if (!response.body || response.status !== 200) throw new Error(`No stream: ${response.status}`);
    return openStream(response, response.body, (parsed) => parsed).rest();
  };
  /** A task that is over, made through another binding. */
  const finished = async (): Promise<string> => (await peer.send('report')).id;
  const working = async (): Promise<string> => (await peer.send('work', {}, { returnImmediately: true })).id;
  return { server, request, framesOf, finished, working };
}

describe.each(VERSIONS)('HTTP+JSON of %s', (_, base, version) => {
  it('resumes by GET and by POST at every position [rule:subscribe.verbs] [rule:resume.last-event-id] [rule:resume.terminal-replay] [rule:resume.frame-id]', async () => {
    const { request, framesOf, finished } = start(base, version);
    const route = `/tasks/${await finished()}:subscribe`;
    const whole = await framesOf(await request('GET', route, { 'last-event-id': '0' }));
    const last = whole.at(-1)?.id ?? 0;
    expect(last).toBeGreaterThan(5);
    for (let position = 0; position < last; position += 1) {
      const headers = { 'last-event-id': String(position) };
      const expected = whole.filter((frame) => (frame.id ?? 0) > position);
      expect(await framesOf(await request('GET', route, headers))).toEqual(expected);
      expect(await framesOf(await request('POST', route, headers))).toEqual(expected);
    }
  });

  it('has nothing to resume at the end: 204 by GET, an error by POST [rule:resume.terminal-end]', async () => {
    const { server, request, framesOf, finished } = start(base, version);
    const route = `/tasks/${await finished()}:subscribe`;
    const whole = await framesOf(await request('GET', route, { 'last-event-id': '0' }));
    const headers = { 'last-event-id': String(whole.at(-1)?.id) };
    const got = await request('GET', route, headers);
    expect([got.status, await got.text()]).toEqual([204, '']);
    const posted = await request('POST', route, headers);
    expect([posted.status, posted.headers.get('content-type')]).toEqual([400, 'application/json']);
    expect((await request('GET', route)).status).toBe(400);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it.each([
    undefined,
    '',
    '{}',
    'null',
    ' \n',
  ])('cancels and subscribes with the body %j [rule:rest.empty-body]', async (body) => {
    const { request, working } = start(base, version);
    const id = await working();
    const headers = { 'content-type': 'application/json' };
    const subscribed = await request('POST', `/tasks/${id}:subscribe`, headers, body);
    expect(subscribed.status).toBe(200);
    const canceled = await request('POST', `/tasks/${id}:cancel`, headers, body);
    expect([canceled.status, ((await canceled.json()) as Wire).id]).toEqual([200, id]);
    expect(await subscribed.text()).toMatch(/"TASK_STATE_CANCELL?ED"/);
  });

  it('answers with and without a slash at the end [rule:rest.slash]', async () => {
    const { request, finished } = start(base, version);
    const id = await finished();
    for (const route of [`/tasks/${id}`, `/tasks/${id}/`]) expect((await request('GET', route)).status).toBe(200);
  });
});
