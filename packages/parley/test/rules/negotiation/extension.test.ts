import { reply } from 'parley-a2a';
import { RESUME_EXTENSION } from 'parley-a2a/extensions';
import type { AgentExtension } from 'parley-a2a/types';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { httpPost } from '../../support/http/http.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';

const TRACE = 'https://example.com/ext/trace/v1';
const SIGN = 'https://example.com/ext/sign/v1';
const RESUME = 'urn:parley:ext:resume:v1';

/** An agent that replies with the extensions that are active for it. */
function start(extensions: readonly AgentExtension[] = [{ uri: TRACE }, { uri: SIGN }]) {
  return startServer(agentOf((task) => task.extensions.join(' ') || 'none', { extensions }));
}

const headers = (value: string) => ({ 'a2a-extensions': value });

async function activated(peer: ReturnType<typeof start>['peer'], requested?: string): Promise<[string, string | null]> {
  const response = await peer.request('SendMessage', sendParams('go'), requested ? headers(requested) : {});
  const { result }: Wire = await response.json();
  return [result.task.artifacts[0].parts[0].text, response.headers.get('a2a-extensions')];
}

describe('activation', () => {
  it('does not happen unless the request asks for it [rule:extension.inactive]', async () => {
    const { peer } = start();
    expect(await activated(peer)).toEqual(['none', null]);
    expect(await activated(peer, TRACE)).toEqual([TRACE, TRACE]);
    expect(await activated(peer)).toEqual(['none', null]);
    const mention = sendParams('go', { extensions: [TRACE], metadata: { [TRACE]: { on: true } } });
    const { task } = await peer.call('SendMessage', mention);
    expect(task.artifacts[0].parts[0].text).toBe('none');
  });

  it('of resuming is asked for by Idempotency-Key and Last-Event-ID as well [rule:extension.inactive] [rule:extension.echo]', async () => {
    expect(RESUME_EXTENSION).toBe(RESUME);
    const { peer } = startServer(agentOf((task) => task.ask('Go on?')));
    const send = await peer.request('SendMessage', sendParams('go'), { 'idempotency-key': 'k-1' });
    expect(send.headers.get('a2a-extensions')).toBe(RESUME);
    const { id }: Wire = ((await send.json()) as Wire).result.task;
    const plain = await peer.open('SubscribeToTask', { id });
    expect(plain.response.headers.get('a2a-extensions')).toBeNull();
    await plain.close();
    const resumed = await peer.open('SubscribeToTask', { id }, { 'last-event-id': '1' });
    expect(resumed.response.headers.get('a2a-extensions')).toBe(RESUME);
    await resumed.close();
  });

  it('of resuming is asked for by a position in the metadata as well [rule:extension.echo]', async () => {
    const { peer } = startServer(agentOf((task) => task.ask('Go on?')));
    const { id } = await peer.send('go');
    const resumed = await peer.open('SubscribeToTask', { id, metadata: { [RESUME]: 2 } });
    expect((await resumed.next())?.result).toHaveProperty('statusUpdate');
    expect(resumed.response.headers.get('a2a-extensions')).toBe(RESUME);
    await resumed.close();
  });

  it('reads a comma-separated list, spaces trimmed [rule:extension.list-syntax]', async () => {
    const { peer } = start();
    for (const list of [`${TRACE},${SIGN}`, `  ${TRACE} ,\t${SIGN}  `, `,${TRACE},,${SIGN},`, `${SIGN}, ${TRACE}`]) {
      const [seen, echoed] = await activated(peer, list);
      expect(seen.split(' ').sort(), list).toEqual([SIGN, TRACE]);
      expect(echoed?.split(/\s*,\s*/).sort(), list).toEqual([SIGN, TRACE]);
    }
  });

  it('joins repeated headers, over a socket [rule:extension.list-syntax]', async () => {
    const { server } = start();
    await server.listen({ port: 0 });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('go') });
    const sent = { 'content-type': 'application/json', 'A2A-Version': '1.0', 'A2A-Extensions': [TRACE, SIGN] };
    const response = await httpPost(`${server.url}/a2a`, sent, body);
    expect(JSON.parse(response.body).result.task.artifacts[0].parts[0].text).toBe(`${TRACE} ${SIGN}`);
  });

  it('passes over unknown extensions [rule:extension.unknown-ignored]', async () => {
    const { peer } = start();
    expect(await activated(peer, 'urn:nobody:knows')).toEqual(['none', null]);
    expect(await activated(peer, `urn:nobody:knows, ${TRACE}, not a uri`)).toEqual([TRACE, TRACE]);
  });

  it('lists exactly the active ones in every kind of answer [rule:extension.echo]', async () => {
    const { peer } = start([{ uri: TRACE }, { uri: SIGN }]);
    const asked = headers(`urn:nobody:knows, ${SIGN}, ${RESUME}`);
    const { result }: Wire = await (await peer.request('SendMessage', sendParams('go'))).json();
    const calls: [string, Wire][] = [
      ['SendMessage', sendParams('go')],
      ['SendStreamingMessage', sendParams('go')],
      ['GetTask', { id: result.task.id }],
      ['ListTasks', {}],
      ['GetTask', { id: 'unknown' }],
    ];
    for (const [method, params] of calls) {
      const response = await peer.request(method, params, asked);
      await response.text();
      const echoed = response.headers
        .get('a2a-extensions')
        ?.split(/\s*,\s*/)
        .sort();
      expect(echoed, method).toEqual([SIGN, RESUME].sort());
      const silent = await peer.request(method, params);
      await silent.text();
      expect(silent.headers.has('a2a-extensions'), method).toBe(false);
    }
  });

  it('lists them with a bare message too [rule:extension.echo]', async () => {
    const { peer } = startServer(agentOf(() => reply('Hi'), { extensions: [{ uri: TRACE }] }));
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      const response = await peer.request(method, sendParams('go'), headers(TRACE));
      expect(await response.text()).toContain('"message":');
      expect(response.headers.get('a2a-extensions')).toBe(TRACE);
    }
  });

  it('knows every extension that the card declares [rule:extension.echo]', async () => {
    const { peer } = start();
    const card: Wire = await (await peer.raw('/.well-known/agent-card.json')).json();
    const declared: string[] = card.capabilities.extensions.map(({ uri }: Wire) => uri);
    expect(declared.length).toBeGreaterThan(4);
    const response = await peer.request('SendMessage', sendParams('go'), headers(declared.join(',')));
    expect(response.headers.get('a2a-extensions')).toBe(declared.join(', '));
  });

  it('never takes another version of the URI instead [rule:extension.exact-version]', async () => {
    const { peer } = start([{ uri: TRACE }]);
    const others = [
      'https://example.com/ext/trace/v2',
      'https://example.com/ext/trace',
      `${TRACE}/`,
      `${TRACE}.1`,
      TRACE.toUpperCase(),
      'http://example.com/ext/trace/v1',
    ];
    for (const other of others) expect(await activated(peer, other), other).toEqual(['none', null]);
  });
});

describe('a required extension', () => {
  const required = [{ uri: TRACE, required: true }, { uri: SIGN }];

  it.each([
    'SendMessage',
    'SendStreamingMessage',
  ])('refuses a send that does not name it: %s [rule:extension.required] [rule:extension.exact-version]', async (method) => {
    const { peer } = start(required);
    for (const named of ['', SIGN, 'https://example.com/ext/trace/v2', 'https://example.com/ext/trace']) {
      const error = await peer.error(method, sendParams('go'), headers(named));
      expect(error.code, named).toBe(-32008);
      expect(error.data).toEqual([
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'EXTENSION_SUPPORT_REQUIRED',
          domain: 'a2a-protocol.org',
          metadata: expect.objectContaining({ required: TRACE }),
        },
      ]);
    }
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });

  it('lets a send through that names it, and other operations without it [rule:extension.required]', async () => {
    const { peer } = start(required);
    expect(await activated(peer, `${SIGN},${TRACE}`)).toEqual([`${TRACE} ${SIGN}`, `${TRACE}, ${SIGN}`]);
    const { tasks } = await peer.call('ListTasks');
    expect((await peer.call('GetTask', { id: tasks[0].id })).id).toBe(tasks[0].id);
  });
});

it('leaves its data in metadata and adds nothing to core objects [rule:extension.no-core-members]', async () => {
  const looked = gate();
  const { peer } = startServer(
    agentOf(
      async (task) => {
        await task.status({ parts: [], metadata: { [TRACE]: { span: 1 } }, extensions: [TRACE] });
        await looked.promise;
        const artifact = task.artifact({ metadata: { [TRACE]: { span: 2 } }, extensions: [TRACE] });
        await artifact.end('done');
      },
      { extensions: [{ uri: TRACE }] },
    ),
  );
  const message = { extensions: [TRACE], metadata: { [TRACE]: { span: 0 } }, [TRACE]: 'not a member' };
  const stream = await peer.open('SendStreamingMessage', sendParams('go', message), headers(TRACE));
  looked.resolve();
  const frames = await stream.rest();
  for (const { result } of frames) expect(violationsOfV1('StreamResponse', result)).toEqual([]);
  const task = await peer.call('GetTask', { id: frames[0]?.result.task.id }, headers(TRACE));
  expect(violationsOfV1('Task', task)).toEqual([]);
  expect(task.history[0]).toMatchObject({ extensions: [TRACE], metadata: { [TRACE]: { span: 0 } } });
  expect(task.history[1]).toMatchObject({ extensions: [TRACE], metadata: { [TRACE]: { span: 1 } } });
  expect(task.artifacts[0]).toMatchObject({ extensions: [TRACE], metadata: { [TRACE]: { span: 2 } } });
});
