import { A2AClient as RootClient } from 'parley-a2a';
import {
  A2AClient,
  answering,
  asTool,
  bytes,
  cardFaults,
  clientCredentials,
  httpJson,
  isTask,
  skillOf,
  skillTools,
} from 'parley-a2a/client';
import { type DialectDefinition, jaf, rxjs } from 'parley-a2a/dialects';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const URL_OF_AGENT = 'http://localhost';

function started() {
  const { server } = startServer(
    agentOf(async function* (task) {
      yield 'Hello, ';
      yield task.text;
    }),
  );
  const bodies: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (typeof init?.body === 'string') bodies.push(init.body);
    return server.fetch(new Request(input, init));
  };
  return { fetch, bodies };
}

describe('the client of parley-a2a/client', () => {
  it.for(['1.0', '0.3'] as const)('speaks %s by itself', async (version) => {
    const { fetch } = started();
    const client = new A2AClient(URL_OF_AGENT, { fetch, prefer: { version } });
    expect(await client.run('world')).toBe('Hello, world');
  });

  it('calls an agent that offers HTTP+JSON of 1.0 alone: sends, streams, follows, lists and cancels', async () => {
    const { fetch, bodies } = started();
    const rest = { protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', url: `${URL_OF_AGENT}/a2a` };
    const card = { name: 'Rest', supportedInterfaces: [rest], capabilities: { streaming: true }, skills: [] };
    const client = new A2AClient(card, { fetch });
    expect(await client.run('world')).toBe('Hello, world');
    const sent = await client.sendMessage('you');
    if (!isTask(sent)) throw new Error('A message alone');
    expect((await client.getTask(sent.id)).status.state).toBe('completed');
    expect((await client.listTasks({ contextId: sent.contextId })).tasks).toHaveLength(1);
    await expect(client.cancelTask(sent.id)).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    await expect(client.getTask('nobody')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND', httpStatus: 404 });
    await expect(client.getTask('..')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await expect(client.subscribe('nobody').result).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(bodies.join()).not.toContain('jsonrpc');
  });

  it('calls an agent that offers HTTP+JSON of 0.3 alone: sends, streams, follows and cancels', async () => {
    const { fetch, bodies } = started();
    const card = {
      name: 'Rest',
      url: `${URL_OF_AGENT}/a2a`,
      preferredTransport: 'HTTP+JSON',
      protocolVersion: '0.3.0',
      capabilities: { streaming: true },
      skills: [],
    };
    const client = new A2AClient(card, { fetch });
    expect(client.interface).toMatchObject({ protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' });
    expect(await client.run('world')).toBe('Hello, world');
    const sent = await client.sendMessage(['you', bytes('Hello, world!', { filename: 'a.txt' })]);
    if (!isTask(sent)) throw new Error('A message alone');
    const read = await client.getTask(sent.id);
    expect(read.status.state).toBe('completed');
    expect(read.history[0]?.parts[1]).toMatchObject({ bytes: btoa('Hello, world!'), filename: 'a.txt' });
    await expect(client.cancelTask(sent.id)).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    await expect(client.getTask('nobody')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(client.listTasks()).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
    expect(bodies.join()).not.toContain('jsonrpc');
    expect(bodies.join()).toContain('"content":');
  });

  it.for([
    [undefined, btoa(btoa('Hello, world!'))],
    [{ write: 'once' }, btoa('Hello, world!')],
  ] as const)('writes files over HTTP+JSON of 0.3 as %o says', async ([fileEncoding, written]) => {
    const { fetch, bodies } = started();
    const prefer = { binding: 'HTTP+JSON', version: '0.3' } as const;
    const client = new A2AClient(URL_OF_AGENT, { fetch, prefer, fileEncoding });
    await client.sendMessage([bytes('Hello, world!')]);
    expect(bodies.join()).toContain(`"fileWithBytes":"${written}"`);
  });

  it.each([
    { contextID: 'c' },
    { state: 'done' },
    { state: 'unknown' },
  ])('lists no tasks by the filter %o', async (filter) => {
    const { fetch, bodies } = started();
    const client = new A2AClient(URL_OF_AGENT, { fetch });
    const refusal = { code: 'INVALID_PARAMS', message: `Invalid parameters: ${Object.keys(filter)[0]} is unknown` };
    await expect(Promise.resolve(client.listTasks(filter as object))).rejects.toMatchObject(refusal);
    await expect(
      client
        .listTasks(filter as object)
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toMatchObject(refusal);
    expect(bodies).toEqual([]);
  });

  it('speaks no informal dialect that it was not handed, and says how to hand one', () => {
    const problem = /no protocol "jaf".*1\.0, 0\.3; hand in others as dialects/;
    expect(() => new A2AClient(URL_OF_AGENT, { protocol: 'jaf' })).toThrow(problem);
  });

  it('speaks the dialects that it is handed, and their variants', async () => {
    for (const protocol of ['jaf', 'rxjs', 'rxjs-older']) {
      const { fetch, bodies } = started();
      const client = new A2AClient(URL_OF_AGENT, { fetch, dialects: [jaf, rxjs], protocol });
      expect(await client.run('world')).toBe('Hello, world');
      // A method of 1.0.
      expect(bodies.join()).not.toContain('SendStreamingMessage');
      expect(client.interface?.protocolVersion).not.toBe('1.0');
    }
  });

  it('recognises a card of a dialect that it is handed', () => {
    const card = {
      name: 'Tutor',
      description: 'Teaches',
      url: `${URL_OF_AGENT}/a2a`,
      version: '1.0.0',
      inputModes: ['text/plain'],
      capabilities: { contextAccumulation: true },
      skills: [],
    };
    const calledWith = (dialects: readonly DialectDefinition[]) => new A2AClient(card, { dialects }).interface;
    expect(calledWith([jaf])).toMatchObject({ protocolBinding: 'JSONRPC', protocolVersion: jaf.calling?.version });
    expect(new RootClient(card).interface).toEqual(calledWith([jaf]));
  });

  it('hands its dialects on to the clients of other agents', async () => {
    const { fetch } = started();
    const other = new A2AClient('https://elsewhere.example', { fetch, dialects: [jaf] }).at(URL_OF_AGENT);
    expect(await other.run('world')).toBe('Hello, world');
    expect(other).not.toBeInstanceOf(RootClient);
  });
});

describe('the values that the client of parley-a2a/client is handed', () => {
  it.for(['1.0', '0.3'] as const)('httpJson speaks %s over HTTP+JSON', async (version) => {
    const { fetch, bodies } = started();
    const prefer = { binding: 'HTTP+JSON', version };
    const client = new A2AClient(URL_OF_AGENT, { fetch, bindings: [httpJson], prefer });
    expect(await client.run('world')).toBe('Hello, world');
    expect(bodies.join()).not.toContain('jsonrpc');
  });

  it('says what it speaks where an agent offers nothing else than gRPC', () => {
    const entry = { protocolBinding: 'GRPC', protocolVersion: '1.0', url: URL_OF_AGENT };
    const card = { name: 'Binary', supportedInterfaces: [entry], skills: [] };
    const problem = /offers GRPC 1\.0; spoken here are JSONRPC, HTTP\+JSON in 1\.0, 0\.3, and what is handed in/;
    expect(() => new A2AClient(card)).toThrow(problem);
  });

  it('answering answers questions; without it handlers are refused rather than forgotten', async () => {
    const { server } = startServer(
      agentOf(async function* (task) {
        yield `You are ${await task.ask('Who are you?')}`;
      }),
    );
    const fetch: typeof globalThis.fetch = (input, init) => server.fetch(new Request(input, init));
    const onInput = () => 'Ada';
    const client = new A2AClient(URL_OF_AGENT, { fetch, answering });
    expect(await client.run('Hello', { onInput })).toBe('You are Ada');
    const without = new A2AClient(URL_OF_AGENT, { fetch });
    const refusal = { code: 'INVALID_PARAMS', message: expect.stringContaining('answering') };
    await expect(without.run('Hello', { onInput })).rejects.toMatchObject(refusal);
    await expect(new A2AClient(URL_OF_AGENT, { fetch, onInput }).run('Hello')).rejects.toMatchObject(refusal);
    await expect(without.sendMessage('Hello', { tools: {} })).rejects.toMatchObject(refusal);
  });

  it('clientCredentials gets tokens; without it such credentials are refused', async () => {
    const { fetch: send } = started();
    const seen: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.url.endsWith('/token')) return Response.json({ access_token: 'secret-token' });
      seen.push(request.headers.get('authorization'));
      return send(input, init);
    };
    const card = {
      name: 'Guarded',
      url: `${URL_OF_AGENT}/a2a`,
      skills: [],
      securitySchemes: {
        oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: `${URL_OF_AGENT}/token`, scopes: {} } } },
      },
      security: [{ oauth: [] }],
    };
    const credentials = { oauth: { clientId: 'me', clientSecret: 'secret' } };
    const client = new A2AClient(card, { fetch, credentials, oauth: clientCredentials() });
    await client.run('world').catch(() => undefined);
    expect(new Set(seen)).toEqual(new Set(['Bearer secret-token']));
    const without = new A2AClient(card, { fetch, credentials });
    const refusal = { code: 'UNAUTHENTICATED', message: expect.stringContaining('clientCredentials()') };
    await expect(without.run('world')).rejects.toMatchObject(refusal);
  });

  it('cardFaults finds what a card lacks', () => {
    const card = { name: 'Bare', url: `${URL_OF_AGENT}/a2a` };
    expect(new A2AClient(card).cardProblems).toEqual([]);
    expect(new A2AClient(card, { checkCard: cardFaults }).cardProblems).toContain('skills is missing');
    expect(new RootClient(card).cardProblems).toContain('skills is missing');
  });

  it('asTool, skillTools and skillOf stand beside the methods of the other client', async () => {
    const { fetch } = started();
    const client = new A2AClient(URL_OF_AGENT, { fetch });
    expect(await asTool(client).execute({ task: 'world' })).toEqual({ output: 'Hello, world', success: true });
    const tools = await skillTools(client);
    expect(Object.keys(tools)).toEqual(client.card?.skills.map(({ id }) => `${client.card?.name}_${id}`));
    expect(await skillOf(client, 'test').call('world')).toContain('Hello, ');
  });
});

describe('the client of parley-a2a', () => {
  it('is one of parley-a2a/client, with every dialect', async () => {
    const { fetch } = started();
    const client = new RootClient(URL_OF_AGENT, { fetch, protocol: 'jaf' });
    expect(client).toBeInstanceOf(A2AClient);
    expect(client.at(URL_OF_AGENT)).toBeInstanceOf(RootClient);
    expect(await RootClient.connect(URL_OF_AGENT, { fetch })).toBeInstanceOf(RootClient);
    expect(await client.run('world')).toBe('Hello, world');
  });

  it('prefers a dialect that it is handed to its own of the same name', () => {
    const mine: DialectDefinition = { ...jaf, calling: jaf.calling && { ...jaf.calling, version: '7.7' } };
    const card = { name: 'Tutor', url: `${URL_OF_AGENT}/a2a`, skills: [] };
    const client = new RootClient(card, { protocol: 'jaf', dialects: [mine] });
    expect(client.interface?.protocolVersion).toBe('7.7');
  });
});
