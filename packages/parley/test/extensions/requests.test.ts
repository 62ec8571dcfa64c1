import { A2AClient, A2AError, A2AServer, defineAgent, isTask, textOf } from 'parley-a2a';
import type { ExtensionDefinition } from 'parley-a2a/types';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { sendParams, startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const AUDIT = 'https://example.com/ext/audit/v1';
const asking = { 'a2a-extensions': AUDIT };

function auditing(refused: readonly string[] = []) {
  const seen: unknown[] = [];
  const extension: ExtensionDefinition = {
    uri: AUDIT,
    onRequest({ data, message, taskId }, call) {
      if (refused.includes(call.operation)) throw new A2AError('PERMISSION_DENIED', 'Not while you are watched');
      seen.push([call.operation, data, message && textOf(message), taskId]);
    },
  };
  return { seen, extension };
}

describe('onRequest', () => {
  it('is asked about every operation that names the extension, with what it is about', async () => {
    const { seen, extension } = auditing();
    const { peer } = startServer(agentOf((task) => task.ask('And?'), { extensions: [extension] }));
    const { id } = await peer.send('go', { metadata: { [AUDIT]: { why: 'fun' } } }, undefined, asking);
    const requestData = { ...sendParams('more'), metadata: { [AUDIT]: 'of the request' } };
    await peer.call('SendMessage', requestData, asking);
    await peer.call('GetTask', { id }, asking);
    await peer.call('ListTasks', {}, asking);
    const stream = await peer.open('SubscribeToTask', { id }, asking);
    await stream.close();
    await peer.call('CancelTask', { id, metadata: { [AUDIT]: 'enough' } }, asking);
    await peer.call('GetTask', { id });
    expect(seen).toEqual([
      ['sendMessage', { why: 'fun' }, 'go', undefined],
      ['sendMessage', 'of the request', 'more', undefined],
      ['getTask', undefined, undefined, id],
      ['listTasks', undefined, undefined, undefined],
      ['subscribeToTask', undefined, undefined, id],
      ['cancelTask', 'enough', undefined, id],
    ]);
  });

  it('refuses any of them', async () => {
    const operations = ['getTask', 'listTasks', 'subscribeToTask', 'cancelTask'];
    const { extension } = auditing(operations);
    const { peer } = startServer(agentOf((task) => task.ask('And?'), { extensions: [extension] }));
    const { id } = await peer.send('go', {}, undefined, asking);
    for (const method of ['GetTask', 'ListTasks', 'SubscribeToTask', 'CancelTask']) {
      const response = await peer.request(method, { id }, asking);
      expect([response.status, await response.text()], method).toEqual([403, expect.stringContaining('watched')]);
    }
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  it('is not asked for what is refused anyway', async () => {
    const { seen, extension } = auditing();
    const agent = agentOf((task) => task.text, { extensions: [extension], inputModes: ['text/plain'] });
    const { peer } = startServer(agent);
    const wrongType = sendParams('go', { parts: [{ data: {}, mediaType: 'application/xml' }] });
    expect((await peer.error('SendMessage', wrongType, asking)).code).toBe(-32005);
    expect((await peer.error('SendMessage', { ...sendParams('go'), tenant: 'nobody' }, asking)).code).toBe(-32001);
    expect((await peer.error('GetTask', { id: 'x', tenant: 'nobody' }, asking)).code).toBe(-32001);
    expect(seen).toEqual([]);
  });

  it.each([
    'ListTasks',
    'GetExtendedAgentCard',
  ])('does not help to find out which tenants there are: %s [rule:tenant.unknown]', async (method) => {
    const { extension } = auditing();
    const agent = agentOf((task) => task.text, { extensions: [extension], extendedCard: { description: 'More' } });
    const { peer } = startServer(agent, { tenants: ['acme'], anonymous: 'private' });
    const known = await peer.respond(method, { tenant: 'acme' }, asking);
    const unknown = await peer.respond(method, { tenant: 'nobody' }, asking);
    expect(known.error).toMatchObject({ code: expect.any(Number), message: expect.stringMatching(/./) });
    expect(unknown.error).toEqual(known.error);
  });

  it('is asked once for sends under one idempotency key', async () => {
    const { seen, extension } = auditing();
    const { peer } = startServer(agentOf((task) => task.text, { extensions: [extension] }));
    const params = sendParams('go');
    const keyed = { ...asking, 'idempotency-key': 'k-1' };
    const first = await peer.call('SendMessage', params, keyed);
    const second = await peer.call('SendMessage', params, keyed);
    expect(second.task.id).toBe(first.task.id);
    expect(seen).toHaveLength(1);
  });

  it('may take its time, and later ones see what earlier ones left', async () => {
    const first: ExtensionDefinition = {
      uri: 'urn:test:first',
      onRequest: async () => {
        await Promise.resolve();
        return ['first'];
      },
    };
    const second: ExtensionDefinition = {
      uri: 'urn:test:second',
      onRequest: ({ message }) => message?.metadata?.['urn:test:first'],
    };
    const agent = agentOf((task) => JSON.stringify(task.message.metadata), { extensions: [first, second] });
    const { peer } = startServer(agent);
    const both = { 'a2a-extensions': 'urn:test:second, urn:test:first' };
    const task = await peer.send('go', {}, undefined, both);
    const metadata = { 'urn:test:first': ['first'], 'urn:test:second': ['first'] };
    expect(JSON.parse(task.artifacts[0].parts[0].text)).toEqual(metadata);
  });
});

describe('a client and a sub-agent', () => {
  it('name the extensions that they are told to, and those that a card requires [rule:extension.client-every-request]', async () => {
    const { seen, extension } = auditing();
    const inner = defineAgent({
      name: 'inner',
      description: 'Is watched',
      version: '1.0.0',
      extensions: [{ ...extension, required: true, onEvent: () => 'seen' }],
      run: (task) => task.extensions.filter((uri) => uri === AUDIT).join(),
    });
    const outer = defineAgent({
      name: 'outer',
      description: 'Calls the one that is watched',
      version: '1.0.0',
      run: async (task) => {
        const child = await task.call(inner, 'from the outer one');
        return isTask(child) ? `${textOf(child)} ${JSON.stringify(child.metadata?.[AUDIT])}` : 'no task';
      },
    });
    const server = new A2AServer({ agents: [outer, inner] });
    onTestFinished(() => server.close());
    const { url = '' } = await server.listen({ port: 0 });
    const client = await A2AClient.connect(url);
    expect(await client.run('go')).toBe(`${AUDIT} "seen"`);
    const direct = await A2AClient.connect(`${url}/a2a/agents/inner`);
    const sent = await direct.sendMessage('go');
    expect(isTask(sent) && sent.metadata).toMatchObject({ [AUDIT]: 'seen' });
    const { id } = sent as { readonly id: string };
    expect((await direct.getTask(id)).metadata).toMatchObject({ [AUDIT]: 'seen' });
    expect(seen.map((entry) => (entry as string[])[0])).toEqual(['sendStreamingMessage', 'sendMessage', 'getTask']);
  });
});

describe('defineAgent', () => {
  const define = (...extensions: unknown[]) => agentOf(() => 'x', { extensions: extensions as ExtensionDefinition[] });

  it('refuses extensions that cannot be, and says why', () => {
    expect(() => define({ uri: '' })).toThrow('must be ASCII without spaces and commas');
    expect(() => define({ uri: 'urn:a,urn:b' })).toThrow('commas');
    expect(() => define({ uri: 'urn:a b' })).toThrow('spaces');
    expect(() => define({})).toThrow('URI of an extension');
    expect(() => define({ uri: AUDIT }, { uri: AUDIT })).toThrow('twice');
    expect(() => define({ uri: AUDIT, onEvent: 'log' })).toThrow('extensions[0].onEvent must be a function, not "log"');
    expect(() => define({ uri: 'urn:parley:ext:resume:v1', onRequest: () => 1 })).toThrow("server's own");
  });

  it('takes the definition of another agent, with what that says of its skills once', () => {
    const input = z.object({ n: z.number() });
    const skills = [{ id: 'count', name: 'Count', description: 'Counts', tags: ['n'], input }];
    const first = agentOf(() => 'x', { skills, extensions: [{ uri: AUDIT }] });
    const { extensions } = defineAgent({ ...first, name: 'other', run: () => 'y' });
    expect(extensions.map(({ uri }) => uri)).toEqual([AUDIT, 'urn:parley:ext:skills:v1']);
  });

  it('may demand an extension of the server’s own, which stays one', async () => {
    const uri = 'urn:parley:ext:resume:v1';
    const { peer } = startServer(agentOf(() => 'x', { extensions: [{ uri, required: true }] }));
    const card = (await (await peer.raw('/.well-known/agent-card.json')).json()) as {
      capabilities: { extensions: { uri: string }[] };
    };
    const entries = card.capabilities.extensions.filter((one) => one.uri === uri);
    expect(entries).toEqual([expect.objectContaining({ required: true, params: expect.anything() })]);
    expect((await peer.error('SendMessage', sendParams('go'))).code).toBe(-32008);
    const named = await peer.request('SendMessage', sendParams('go'), { 'a2a-extensions': uri });
    expect([named.status, named.headers.get('a2a-extensions')]).toEqual([200, uri]);
  });

  it('leaves hooks out of the card', async () => {
    const { extension } = auditing();
    const { peer } = startServer(agentOf(() => 'x', { extensions: [{ ...extension, description: 'Watches' }] }));
    const card = (await (await peer.raw('/.well-known/agent-card.json')).json()) as {
      capabilities: { extensions: unknown[] };
    };
    expect(card.capabilities.extensions.at(-1)).toEqual({ uri: AUDIT, description: 'Watches' });
  });
});
