import type { A2AServerOptions } from 'parley-a2a';
import { RESUME_EXTENSION } from 'parley-a2a/extensions';
import type { AgentExtension } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { httpPost } from '../../support/http/http.ts';
import { detailsOf, type RestPeer, reasonOf, startRest } from '../../support/rest.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const start = (options: Partial<A2AServerOptions> = {}) =>
  startRest(
    agentOf((task) => task.text),
    options,
  );

/** The status of a GET with just these headers, and the reason of its error. */
async function plain(rest: RestPeer, route: string, headers: Record<string, string> = {}): Promise<[number, unknown]> {
  const response = await rest.raw(route, { headers });
  const { error }: Wire = await response.json();
  return [response.status, error && reasonOf(error)];
}

describe('the version of a request', () => {
  const NOT_SUPPORTED = [400, 'VERSION_NOT_SUPPORTED'];
  const FOUND = [200, undefined];

  it.each([
    ['missing', {}],
    ['empty', { 'a2a-version': '' }],
    ['blank', { 'a2a-version': '  ' }],
  ])('that is %s is 0.3, which has no unprefixed routes [rule:version.rest-prefix] [rule:version.missing-is-03]', async (_, headers) => {
    const { rest } = start({ inferVersion: false });
    const { id } = await rest.send('hello');
    for (const route of [`/tasks/${id}`, '/tasks', `/tasks/${id}:subscribe`, '/extendedAgentCard']) {
      expect(await plain(rest, route, headers), route).toEqual(NOT_SUPPORTED);
    }
    const body = JSON.stringify(sendParams('hello'));
    const sent = await rest.raw('/message:send', { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
    const { error }: Wire = await sent.json();
    expect([sent.status, reasonOf(error)]).toEqual(NOT_SUPPORTED);
    expect(detailsOf(error, 'ErrorInfo')[0].metadata.requested).toBe('0.3');
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(1);
  });

  it('that is missing is 1.0 on unprefixed routes where the server is lenient [rule:version.rest-prefix]', async () => {
    const { rest } = start();
    const body = JSON.stringify(sendParams('hello'));
    const sent = await rest.raw('/message:send', { method: 'POST', headers: JSON_TYPE, body });
    const answer: Wire = await sent.json();
    expect(violationsOfV1('SendMessageResponse', answer)).toEqual([]);
    expect(await plain(rest, `/tasks/${answer.task.id}`)).toEqual(FOUND);
  });

  it('that is missing is 0.3 below /v1, lenient or not [rule:version.rest-prefix]', async () => {
    const message = { messageId: 'm-1', role: 'user', kind: 'message', parts: [{ kind: 'text', text: 'hello' }] };
    for (const lenient of [true, false]) {
      const { rest } = start({ inferVersion: lenient });
      for (const headers of [{}, { 'a2a-version': '' }]) {
        const init = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify({ message }) };
        const answer: Wire = await (await rest.raw('/v1/message:send', init)).json();
        expect(answer.task).toMatchObject({ kind: 'task', status: { state: 'completed' } });
        expect((await rest.raw(`/v1/tasks/${answer.task.id}`)).status).toBe(200);
      }
    }
  });

  it('0.3 has no unprefixed routes [rule:version.rest-prefix]', async () => {
    const { rest } = start();
    const { id } = await rest.send('hello');
    for (const route of [`/tasks/${id}`, '/tasks', '/extendedAgentCard', '/acme/tasks']) {
      const response = await rest.raw(route, { headers: { 'a2a-version': '0.3' } });
      expect(response.status, route).toBe(404);
    }
  });

  it.each([
    '99.0',
    '2.0',
    '1.1',
    '0.9',
    '1',
    'v1.0',
    '1.x',
    'latest',
    '1.0-beta',
    '1.0.0.0',
    '1,0',
  ])('is not supported if it is %s [rule:version.unsupported] [rule:version.error-shape]', async (version) => {
    const { rest } = start();
    const headers = { 'a2a-version': version };
    for (const [verb, route, body] of [
      ['POST', '/message:send', sendParams('hello')],
      ['POST', '/message:stream', sendParams('hello')],
      ['GET', '/tasks', undefined],
      ['GET', '/tasks/t-1', undefined],
      ['GET', '/nowhere', undefined],
      ['GET', '/v1/tasks/t-1', undefined],
    ] as const) {
      const { status, error } = await rest.error(verb, route, body, headers);
      expect([status, error.code, error.status, reasonOf(error)], route).toEqual([
        400,
        400,
        'FAILED_PRECONDITION',
        'VERSION_NOT_SUPPORTED',
      ]);
      expect(detailsOf(error, 'ErrorInfo')[0].metadata.supported).toContain('1.0');
      expect(error.message).toContain('1.0');
    }
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(0);
  });

  it.each(['1.0', '1.0.0', '1.0.1', '1.0.99', ' 1.0 '])('%s is 1.0 [rule:version.patch-ignored]', async (version) => {
    const { rest } = start({ inferVersion: false });
    const task = await rest.send('hello', {}, undefined, { 'a2a-version': version });
    expect(violationsOfV1('Task', task)).toEqual([]);
  });

  it('may come in the query; the header wins [rule:version.query-parameter]', async () => {
    const { rest } = start({ inferVersion: false });
    const { id } = await rest.send('hello');
    const at = (query: string, headers?: Record<string, string>) => plain(rest, `/tasks/${id}${query}`, headers);
    expect(await at('?A2A-Version=1.0')).toEqual(FOUND);
    expect(await at('?historyLength=1&A2A-Version=1.0.1')).toEqual(FOUND);
    expect(await at('?A2A-Version=99.0')).toEqual(NOT_SUPPORTED);
    expect(await at('?A2A-Version=99.0', { 'a2a-version': '1.0' })).toEqual(FOUND);
    expect(await at('?A2A-Version=1.0', { 'a2a-version': '99.0' })).toEqual(NOT_SUPPORTED);
    expect(await at('?A2A-Version=1.0', { 'a2a-version': '' })).toEqual(FOUND);
    expect(await at('?A2A-Version=')).toEqual(NOT_SUPPORTED);
  });

  it('is read whatever the case of its name, in the header and in the query [rule:version.header-case]', async () => {
    const { rest, server } = start({ inferVersion: false });
    await server.listen({ port: 0 });
    const body = JSON.stringify(sendParams('hello'));
    for (const name of ['A2A-Version', 'a2a-version', 'A2A-VERSION', 'a2A-vErSiOn']) {
      const call = async (version: string) => {
        const headers = { 'Content-Type': 'application/json', [name]: version };
        return (await httpPost(`${server.url}/a2a/message:send`, headers, body)).status;
      };
      expect([await call('1.0'), await call('99.0')], name).toEqual([200, 400]);
      expect(await plain(rest, `/tasks?${name}=1.0`), name).toEqual(FOUND);
    }
  });

  it('1.0 has no routes below /v1, and v1 is no tenant [rule:version.rest-prefix]', async () => {
    const { rest } = start({ tenants: () => true });
    for (const [verb, route, body] of [
      ['POST', '/v1/message:send', sendParams('hello')],
      ['GET', '/v1/tasks', undefined],
      ['GET', '/v1/tasks/t-1', undefined],
      ['GET', '/v1/extendedAgentCard', undefined],
      ['GET', '/v1/card', undefined],
    ] as const) {
      expect((await rest.error(verb, route, body)).status, route).toBe(404);
      expect((await rest.at('/').error(verb, route.slice(1), body)).status, `root ${route}`).toBe(404);
    }
    const { rest: based } = start({ basePath: '/api/v1' });
    expect((await based.at('/api/v1').send('hello')).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

const TRACE = 'https://example.com/ext/trace/v1';
const SIGN = 'https://example.com/ext/sign/v1';

describe('extensions', () => {
  /** An agent that replies with the extensions that are active for it. */
  const startWith = (extensions: readonly AgentExtension[] = [{ uri: TRACE }, { uri: SIGN }]) =>
    startRest(agentOf((task) => task.extensions.join(' ') || 'none', { extensions }));

  async function activated(rest: RestPeer, named?: string): Promise<[string, string | null]> {
    const headers: Record<string, string> = named === undefined ? {} : { 'a2a-extensions': named };
    const response = await rest.request('POST', '/message:send', sendParams('go'), headers);
    const { task }: Wire = await response.json();
    return [task.artifacts[0].parts[0].text, response.headers.get('a2a-extensions')];
  }

  it('are active where the request names them, and only there [rule:extension.inactive] [rule:extension.echo]', async () => {
    const { rest } = startWith();
    expect(await activated(rest)).toEqual(['none', null]);
    expect(await activated(rest, TRACE)).toEqual([TRACE, TRACE]);
    expect(await activated(rest, '')).toEqual(['none', null]);
  });

  it('are a list with commas, where unknown ones and other versions count for nothing [rule:extension.list-syntax] [rule:extension.unknown-ignored] [rule:extension.exact-version]', async () => {
    const { rest } = startWith();
    const both = [`${TRACE} ${SIGN}`, `${TRACE}, ${SIGN}`];
    for (const list of [`${TRACE},${SIGN}`, ` ${SIGN} ,\t${TRACE} `, `,${TRACE},,${SIGN}, urn:nobody:knows`]) {
      expect(await activated(rest, list), list).toEqual(both);
    }
    for (const other of ['https://example.com/ext/trace/v2', `${TRACE}/`, TRACE.toUpperCase()]) {
      expect(await activated(rest, other), other).toEqual(['none', null]);
    }
  });

  it('are joined from repeated headers [rule:extension.list-syntax]', async () => {
    const { server } = startWith();
    await server.listen({ port: 0 });
    const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0', 'A2A-Extensions': [TRACE, SIGN] };
    const reply = await httpPost(`${server.url}/a2a/message:send`, headers, JSON.stringify(sendParams('go')));
    expect(reply.headers['a2a-extensions']).toBe(`${TRACE}, ${SIGN}`);
  });

  it('are listed with every kind of answer [rule:extension.echo]', async () => {
    const { rest } = startWith();
    const { id } = await rest.send('go');
    const asked = { 'a2a-extensions': `urn:nobody:knows, ${SIGN}, ${RESUME_EXTENSION}` };
    for (const [verb, route, body] of [
      ['POST', '/message:send', sendParams('go')],
      ['POST', '/message:stream', sendParams('go')],
      ['GET', `/tasks/${id}`, undefined],
      ['GET', '/tasks', undefined],
      ['GET', '/tasks/unknown', undefined],
      ['POST', `/tasks/${id}:cancel`, undefined],
    ] as const) {
      const response = await rest.request(verb, route, body, asked);
      await response.text();
      const echoed = response.headers.get('a2a-extensions')?.split(', ').sort();
      expect(echoed, route).toEqual([SIGN, RESUME_EXTENSION].sort());
      const silent = await rest.request(verb, route, body);
      await silent.text();
      expect(silent.headers.has('a2a-extensions'), route).toBe(false);
    }
  });

  it('that are required must be named in a send, and only there [rule:extension.required]', async () => {
    const { rest } = startWith([{ uri: TRACE, required: true }]);
    for (const route of ['/message:send', '/message:stream']) {
      for (const named of ['', SIGN, 'https://example.com/ext/trace/v2']) {
        const { status, error } = await rest.error('POST', route, sendParams('go'), { 'a2a-extensions': named });
        expect([status, reasonOf(error)]).toEqual([400, 'EXTENSION_SUPPORT_REQUIRED']);
        expect(detailsOf(error, 'ErrorInfo')[0].metadata.required).toBe(TRACE);
      }
    }
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(0);
    expect(await activated(rest, TRACE)).toEqual([TRACE, TRACE]);
  });
});

it('no CORS header is sent unless CORS is set [rule:security.cors-off]', async () => {
  const { rest } = start();
  for (const [verb, route] of [
    ['OPTIONS', '/message:send'],
    ['GET', '/tasks'],
  ] as const) {
    const response = await rest.request(verb, route, undefined, { origin: 'https://elsewhere.example' });
    const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(names).toEqual([]);
  }
});
