import { A2AClient, type ClientOptions } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { type Answer, agentWith, cardOf, clientOf, fetchOf, jsonOf } from '../support/recorded.ts';
import { settableTiming } from '../support/settable-timing.ts';

const ADDRESS = 'https://agent.example';

async function connect(answer: Answer, options: ClientOptions = {}, target = ADDRESS) {
  const { fetch, sent } = fetchOf(answer);
  const agent = await A2AClient.connect(target, { fetch, retry: false, ...options });
  return { agent, sent };
}

const entry = (
  protocolBinding: string,
  protocolVersion: string,
  url = `${ADDRESS}/${protocolBinding}/${protocolVersion}`,
) => ({
  url,
  protocolBinding,
  protocolVersion,
});

const OLD_CARD = {
  protocolVersion: '0.3.0',
  name: 'Old',
  description: 'Of 0.3',
  version: '1.0.0',
  url: `${ADDRESS}/old`,
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

describe('the card', () => {
  it('is at the well-known address', async () => {
    const { agent, sent } = await connect(agentWith(cardOf()));
    expect(sent.map(({ url }) => url.pathname)).toEqual(['/.well-known/agent-card.json']);
    expect(agent.card).toMatchObject({ name: 'Echo' });
  });

  it('may be below the address of one agent', async () => {
    const { sent } = await connect(
      (request) =>
        request.url.includes('/agents/x/.well-known/') ? jsonOf(cardOf()) : new Response('', { status: 404 }),
      {},
      `${ADDRESS}/agents/x/`,
    );
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['/a2a', '/a2a'],
    ['/a2a/', '/a2a'],
    ['/docs', '/a2a'],
    ['/a2a/v1', '/a2a/v1'],
    ['/A2A/tenant', '/a2a'],
  ])('is that of the host for %s, where its agent is at %s', async (path, at) => {
    const card = { ...cardOf(), supportedInterfaces: [entry('JSONRPC', '1.0', `${ADDRESS}${at}`)] };
    const answer: Answer = (request) =>
      request.url.startsWith(`${ADDRESS}/.well-known/`) ? jsonOf(card) : new Response('', { status: 404 });
    const { agent } = await connect(answer, {}, `${ADDRESS}${path}`);
    expect(agent.interface?.url).toBe(`${ADDRESS}${at}`);
  });

  it.each([
    ['/a2a/nobody', '/a2a'],
    ['/a2a/nobody/', '/a2a/'],
    ['/nobody', '/'],
    ['/a2a/no/body', '/a2a'],
    ['/a2a/Stra%C3%9Fe', '/a2a'],
  ])('is not that of the host for %s, where its agent is at %s: that would be somebody else', async (path, at) => {
    const card = { ...cardOf(), supportedInterfaces: [entry('JSONRPC', '1.0', `${ADDRESS}${at}`)] };
    const answer: Answer = (request) =>
      request.url.startsWith(`${ADDRESS}/.well-known/`) ? jsonOf(card) : new Response('', { status: 404 });
    await expect(connect(answer, {}, `${ADDRESS}${path}`)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('agent-card.json (of another address)'),
    });
    const named = await connect(answer, { agentCardPath: `${ADDRESS}/.well-known/agent-card.json` }, ADDRESS + path);
    expect(named.agent.card?.name).toBe('Echo');
  });

  it('may be at the older address, as seed S3 has it (S3.6)', async () => {
    const answer: Answer = (request) =>
      request.url.endsWith('/.well-known/agent.json') ? jsonOf(OLD_CARD) : new Response('<html>', { status: 404 });
    const { agent } = await connect(answer);
    expect(agent.interface).toMatchObject({ url: `${ADDRESS}/old`, protocolVersion: '0.3' });
    const { fetch, sent } = fetchOf(answer);
    const other = new A2AClient(ADDRESS, { fetch, agentCardPath: '/.well-known/agent.json' });
    expect(sent).toEqual([]);
    expect(other.card).toBeUndefined();
    expect(await other.agentCard()).toMatchObject({ name: 'Old' });
    expect(sent).toHaveLength(1);
  });

  it('may be handed over, as it was published or in the model', async () => {
    const { fetch, sent } = fetchOf(agentWith(cardOf()));
    const first = await A2AClient.connect(cardOf(), { fetch });
    expect(await first.getTask('t')).toMatchObject({ id: 't' });
    const second = await A2AClient.connect(await first.agentCard(), { fetch });
    expect(await second.getTask('t')).toMatchObject({ id: 't' });
    expect(sent.map(({ url }) => url.pathname)).toEqual(['/rpc', '/rpc']);
  });

  it('is said to be missing, with all the places that were looked at', async () => {
    const problem = connect(() => new Response('nothing', { status: 404 }));
    await expect(problem).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('agent.json (status 404)'),
    });
    await expect(connect(() => new Response('<html>'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(A2AClient.connect('ftp://agent.example')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('has its faults told', async () => {
    const { agent } = await connect(agentWith({ ...cardOf(), name: 7, skills: 'none' }));
    expect(agent.cardProblems.join('\n')).toMatch(/name/);
    const useless = connect(agentWith({ ...cardOf(), supportedInterfaces: [], name: undefined }));
    await expect(useless).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringMatching(/names no interface/),
    });
    await expect(connect(() => jsonOf({ hello: 'world' }))).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });

  it('is read no further than its limit', async () => {
    const endless = () => {
      const chunk = new TextEncoder().encode(' '.repeat(65_536));
      return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }));
    };
    await expect(connect(endless)).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
      message: expect.stringContaining('larger than the 1048576 bytes'),
    });
  });

  it('is used within its time and asked for again after it [rule:card.client-cache]', async () => {
    const timing = settableTiming();
    const answer: Answer = (request) =>
      request.headers.get('if-none-match') === '"one"'
        ? new Response(null, { status: 304, headers: { 'cache-control': 'max-age=600' } })
        : agentWith(cardOf(), { etag: '"one"', 'cache-control': 'public, max-age=600' })(request);
    const { agent, sent } = await connect(answer, { timing });
    await agent.agentCard();
    await agent.getTask('t');
    expect(sent.filter(({ method }) => method === 'GET')).toHaveLength(1);
    timing.time += 601_000;
    const before = agent.card;
    expect(await agent.agentCard()).toBe(before);
    expect(sent.at(-1)?.headers.get('if-none-match')).toBe('"one"');
    await agent.getTask('t');
    expect(sent.filter(({ method }) => method === 'GET')).toHaveLength(2);
  });

  it('that has changed is taken in', async () => {
    const timing = settableTiming();
    let name = 'first';
    const { agent } = await connect(
      (request) => agentWith(cardOf({ name }), { 'cache-control': 'max-age=1' })(request),
      { timing },
    );
    name = 'second';
    timing.time += 120_000;
    await agent.getTask('t');
    expect(agent.card?.name).toBe('second');
  });

  it('for those who are known takes the place of the public one [rule:card.extended-client-replaces]', async () => {
    const { agent } = await connect(agentWith(cardOf({ capabilities: { extendedAgentCard: true } })));
    expect(await agent.extendedCard()).toMatchObject({ name: 'Extended' });
    expect(await agent.agentCard()).toMatchObject({ name: 'Extended' });
    expect(await agent.getTask('t')).toMatchObject({ id: 't' });
  });
});

describe('the interface', () => {
  const MANY = cardOf({
    supportedInterfaces: [
      entry('GRPC', '1.0', 'agent.example:443'),
      entry('JSONRPC', '2.7'),
      entry('HTTP+JSON', '1.0.1'),
      entry('JSONRPC', '1.0'),
      entry('JSONRPC', '0.3'),
    ],
  });

  it('is the first that is spoken here [rule:card.client-first-supported]', async () => {
    const { agent, sent } = await connect(agentWith(MANY));
    expect(agent.interface).toMatchObject({ protocolBinding: 'HTTP+JSON', protocolVersion: '1.0.1' });
    await agent.getTask('t').catch(() => {});
    expect(sent.at(-1)?.url.href).toBe(`${ADDRESS}/HTTP+JSON/1.0.1/tasks/t`);
  });

  it.for([
    [{ binding: 'JSONRPC' }, 'JSONRPC', '1.0'],
    [{ version: '0.3' }, 'JSONRPC', '0.3'],
    [{ binding: 'HTTP+JSON', version: '1.0' }, 'HTTP+JSON', '1.0.1'],
  ] as const)('is the one that is preferred: %j', async ([prefer, protocolBinding, protocolVersion]) => {
    const { agent } = await connect(agentWith(MANY), { prefer });
    expect(agent.interface).toMatchObject({ protocolBinding, protocolVersion });
  });

  it('is refused where there is none as preferred [rule:version.client-no-fallback]', async () => {
    const problem = connect(() => jsonOf(OLD_CARD), { prefer: { version: '1.0' } });
    await expect(problem).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: 'The agent Old has no interface for 1.0: it offers JSONRPC 0.3',
    });
  });

  it('of 0.3 is the preferred transport, else another one [rule:v03.client-select]', async () => {
    const additionalInterfaces = [{ url: `${ADDRESS}/rest`, transport: 'HTTP+JSON' }];
    const { agent } = await connect(() => jsonOf({ ...OLD_CARD, additionalInterfaces }));
    expect(agent.interface).toMatchObject({ protocolBinding: 'JSONRPC', url: `${ADDRESS}/old` });
    const { agent: other } = await connect(() =>
      jsonOf({ ...OLD_CARD, preferredTransport: 'GRPC', additionalInterfaces }),
    );
    expect(other.interface).toMatchObject({ protocolBinding: 'HTTP+JSON', url: `${ADDRESS}/rest` });
  });

  it('gives its version to every request [rule:version.client-sends] [rule:version.client-per-interface]', async () => {
    const { server } = startServer(agentOf(() => 'done'));
    for (const version of ['1.0', '0.3'] as const) {
      const { agent, sent } = await clientOf(server, { prefer: { version } });
      await agent.run('go');
      await agent.getTask('unknown').catch(() => {});
      expect(sent.map(({ headers }) => headers.get('a2a-version'))).toEqual([version, version, version]);
    }
  });

  it('that cannot be reached gives way to the next one [rule:card.client-fallback]', async () => {
    const card = cardOf({
      supportedInterfaces: [entry('JSONRPC', '1.0', 'https://down.example/rpc'), entry('JSONRPC', '1.0')],
    });
    const { agent, sent } = await connect((request) => {
      if (request.url.includes('down'))
        throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
      return agentWith(card)(request);
    });
    expect(await agent.getTask('t')).toMatchObject({ id: 't' });
    expect(await agent.getTask('t')).toMatchObject({ id: 't' });
    expect(sent.filter(({ url }) => url.host.startsWith('down'))).toHaveLength(1);
  });

  it('stays the same while its server is away: another one at the same place is no better', async () => {
    const card = cardOf({ supportedInterfaces: [entry('JSONRPC', '1.0'), entry('JSONRPC', '0.3')] });
    let isAway = true;
    const { agent, sent } = await connect((request) => {
      if (isAway && request.method === 'POST') {
        throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
      }
      return agentWith(card)(request);
    });
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(sent).toHaveLength(2);
    isAway = false;
    expect(await agent.getTask('t')).toMatchObject({ id: 't' });
    expect(agent.interface).toMatchObject({ protocolVersion: '1.0' });
  });

  it('has its tenant told, and only that [rule:tenant.client-echo]', async () => {
    const answer = (tenant?: string) =>
      agentWith(cardOf({ supportedInterfaces: [{ ...entry('JSONRPC', '1.0'), tenant }] }));
    const { agent, sent } = await connect(answer('acme'));
    await agent.getTask('t');
    await agent.cancelTask('t');
    await agent.sendMessage('hi');
    expect(sent.slice(1).map(({ body }) => JSON.parse(body).params.tenant)).toEqual(['acme', 'acme', 'acme']);
    const { agent: other, sent: others } = await connect(answer());
    await other.getTask('t');
    expect(JSON.parse(others.at(-1)?.body ?? '').params).not.toHaveProperty('tenant');
  });

  it('gets the extensions with every request [rule:extension.client-every-request]', async () => {
    const extensions = [{ uri: 'urn:a', required: true }, { uri: 'urn:b' }];
    const { agent, sent } = await connect(agentWith(cardOf({ capabilities: { extensions } })), {
      extensions: ['urn:c'],
    });
    await agent.getTask('t', { extensions: ['urn:d'] });
    await agent.sendMessage('hi');
    expect(sent.slice(1).map(({ headers }) => headers.get('a2a-extensions'))).toEqual([
      'urn:a, urn:c, urn:d',
      'urn:a, urn:c',
    ]);
  });
});

describe('without a card', () => {
  it('speaks at rpcPath, in the version that is understood (S3.6)', async () => {
    const methods: string[] = [];
    const { agent, sent } = await connect(
      async (request) => {
        if (request.method === 'GET') return new Response('', { status: 404 });
        const { id, method }: Wire = await request.json();
        methods.push(method);
        if (!method.includes('/'))
          return jsonOf({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
        return jsonOf({
          jsonrpc: '2.0',
          id,
          result: { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } },
        });
      },
      { rpcPath: '/a2a' },
    );
    expect(await agent.getTask('t')).toMatchObject({ status: { state: 'completed' } });
    expect(await agent.sendMessage('hi')).toMatchObject({ id: 't' });
    expect(methods).toEqual(['GetTask', 'tasks/get', 'message/send']);
    expect(sent.at(-1)?.url.href).toBe(`${ADDRESS}/a2a`);
  });

  it('takes rpcPath before the address on the card', async () => {
    const { agent, sent } = await connect(agentWith(cardOf()), { rpcPath: 'other/rpc' });
    await agent.getTask('t');
    expect(sent.at(-1)?.url.href).toBe(`${ADDRESS}/other/rpc`);
  });
});
