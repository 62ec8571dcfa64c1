import { A2AClient, A2AError, A2AServer, type A2AServerOptions, defineAgent, isTask, reply, textOf } from 'parley-a2a';
import type { ResponseStream, ServerBinding } from 'parley-a2a/ports';
import { describe, expect, it } from 'vitest';
import { CALLED_BINDINGS } from '../../src/bindings/called.ts';
import { SERVED_BINDINGS } from '../../src/bindings/served.ts';
import { coreOf } from '../../src/server/core/hosted.ts';
import type { Wire } from '../support/rpc.ts';
import { callLines, LINES, lines } from './lines.ts';

const BASE = 'http://agents.test';

const OTHER = { ...lines, protocolBinding: 'urn:example:other' };

const writer = defineAgent({
  name: 'writer',
  description: 'Writes what it is told',
  version: '1.0.0',
  async *run(task) {
    if (task.text === 'hello?') return reply('Hello.');
    if (task.text === 'wait') {
      await task.status('Waiting');
      await new Promise((resolve) => task.signal.addEventListener('abort', resolve, { once: true }));
    }
    for (const word of ['One', ' two', ' three', ' four']) yield word;
    return undefined;
  },
});

function serverWith(options: Partial<A2AServerOptions> = {}): A2AServer {
  return new A2AServer({ agents: [writer], url: BASE, bindings: [lines], anonymous: 'shared', ...options });
}

function clientOf(server: A2AServer, inner: typeof fetch = fetchOf(server)): A2AClient {
  return new A2AClient(BASE, { fetch: inner, bindings: [callLines], prefer: { binding: LINES } });
}

function fetchOf(server: A2AServer): typeof fetch {
  return (input, init) => server.fetch(new Request(input, init));
}

async function post(server: A2AServer, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const init = { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await server.fetch(new Request(`${BASE}/a2a/lines`, init));
  return { response, received: JSON.parse((await response.text()).split('\n')[0] ?? '') };
}

describe('a binding of our own', () => {
  it('stands on the cards of the versions that it speaks, at its own address', async () => {
    const server = serverWith({ tenants: ['acme'] });
    const cardOf = async (version: string) => {
      const headers = { 'a2a-version': version };
      return (await server.fetch(new Request(`${BASE}/.well-known/agent-card.json`, { headers }))).json() as Wire;
    };
    const { supportedInterfaces } = await cardOf('1.0');
    const own = { url: `${BASE}/a2a/lines`, protocolBinding: LINES, protocolVersion: '1.0' };
    expect(supportedInterfaces).toContainEqual(own);
    expect(supportedInterfaces).toContainEqual({ ...own, tenant: 'acme' });
    expect(supportedInterfaces[0].protocolBinding).toBe('JSONRPC');
    expect(JSON.stringify(await cardOf('0.3'))).not.toContain(LINES);
  });

  it('carries every operation over the same service as the others', async () => {
    const server = serverWith();
    const client = clientOf(server);
    const task = await client.sendMessage('go');
    if (!isTask(task)) throw new Error('A task was expected');
    expect(textOf(task)).toBe('One two three four');
    expect(await client.getTask(task.id)).toEqual(task);
    const other = new A2AClient(BASE, { fetch: fetchOf(server), prefer: { binding: 'JSONRPC' } });
    expect(await other.getTask(task.id)).toEqual(task);
    expect((await client.listTasks()).tasks.map(({ id }) => id)).toEqual([task.id]);
    const working = await client.sendMessage('wait', { returnImmediately: true });
    if (!isTask(working)) throw new Error('A task was expected');
    expect((await client.cancelTask(working.id)).status.state).toBe('canceled');
  });

  it('streams events, and a reply without a task', async () => {
    const client = clientOf(serverWith());
    const stream = client.sendMessageStream('go');
    const kinds: string[] = [];
    for await (const { kind } of stream) kinds.push(kind);
    expect(kinds.slice(0, 3)).toEqual(['task', 'status', 'artifact']);
    expect(kinds.at(-1)).toBe('status');
    expect(textOf(await stream.result)).toBe('One two three four');
    const answer = await client.sendMessageStream('hello?').result;
    expect(textOf(answer)).toBe('Hello.');
  });

  it('goes on after a lost connection with the events that are missing, and with no other', async () => {
    const server = serverWith();
    const asked: (string | null)[] = [];
    let left = 4;
    const cut: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.url.endsWith('/lines')) asked.push(request.headers.get('last-event-id'));
      const response = await server.fetch(request);
      if (!request.url.endsWith('/lines') || left === 0) return response;
      const whole = (await response.text()).split('\n').slice(0, left).join('\n');
      left = 0;
      return new Response(brokenAfter(`${whole}\n`), response);
    };
    const stream = clientOf(server, cut).sendMessageStream('go');
    let text = '';
    for await (const event of stream) if (event.kind === 'artifact') text += textOf(event.artifact);
    expect(text).toBe('One two three four');
    expect(asked).toEqual([null, expect.stringMatching(/^\d+$/)]);
  });

  it('shares the bytes of its lines among readers', async () => {
    const server = serverWith();
    const task = await clientOf(server).sendMessage('wait', { returnImmediately: true });
    if (!isTask(task)) throw new Error('A task was expected');
    const body = { operation: 'subscribeToTask', params: { id: task.id } };
    const exchange = { method: 'POST', url: '/a2a/lines', headers: {}, body, peer: {} };
    const subscribe = async () => (await coreOf(server, 'test').handle(exchange)).body as ResponseStream;
    const [one, other] = [await subscribe(), await subscribe()];
    expect([one.read(), other.read()]).toEqual(Array(2).fill(expect.stringContaining('"position"')));
    await server.cancelTask(task.id);
    const shared = one.read();
    expect(shared).toBeInstanceOf(Uint8Array);
    expect(other.read()).toBe(shared);
    expect([one.read(), other.read()]).toEqual([undefined, undefined]);
    expect(server.load.subscriptions).toBe(0);
  });

  it('has errors and refusals in its own shape, with the headers that all have', async () => {
    const cors = { origin: 'https://page.example' };
    const server = serverWith({ cors: true, auth: { type: 'bearer', validate: (token) => token === 'yes' } });
    const { response, received } = await post(server, {}, cors);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(response.headers.get('access-control-allow-origin')).toBeTruthy();
    const message = 'Credentials are missing: send a token in the header Authorization (Bearer)';
    expect(received).toEqual({ error: { code: 'UNAUTHENTICATED', message } });

    const open = serverWith();
    expect((await post(open, 'no JSON')).received.error.code).toBe('PARSE_ERROR');
    for (const body of [
      { operation: 'dance' },
      { operation: 'toString' },
      { operation: ['getTask'] },
      {},
      'null',
      '5',
    ]) {
      expect((await post(open, body)).received.error.code).toBe('METHOD_NOT_FOUND');
    }
    const got = await open.fetch(new Request(`${BASE}/a2a/lines`));
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    const failure = await clientOf(open)
      .getTask('none')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(A2AError);
    expect(failure).toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('is seen by interceptors under its own name', async () => {
    const seen: unknown[] = [];
    const server = serverWith({
      interceptors: [
        {
          operation: (call, next) => {
            seen.push([call.operation, call.binding, call.dialect]);
            return next();
          },
        },
      ],
    });
    await clientOf(server).sendMessageStream('go').result;
    expect(seen).toEqual([['sendStreamingMessage', LINES, 'v1_0']]);
  });

  it('is reached at the address of every agent', async () => {
    const server = serverWith({ agents: { one: writer, two: writer } });
    const found = await fetchOf(server)(`${BASE}/a2a/agents/two/lines`, {
      method: 'POST',
      body: JSON.stringify({ operation: 'getTask', params: { id: 'none' } }),
    });
    expect(await found.json()).toMatchObject({ error: { code: 'TASK_NOT_FOUND' } });
    const missing = await fetchOf(server)(`${BASE}/a2a/agents/three/lines`, { method: 'POST', body: '{}' });
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});

describe('the table of bindings', () => {
  it('has the same names for servers and for clients', () => {
    const names = (bindings: readonly { readonly protocolBinding: string }[]) =>
      bindings.map(({ protocolBinding }) => protocolBinding);
    expect(names(SERVED_BINDINGS)).toEqual(['JSONRPC', 'HTTP+JSON']);
    expect(names(CALLED_BINDINGS)).toEqual(names(SERVED_BINDINGS));
  });

  it.each([
    [{ ...lines, protocolBinding: 'JSONRPC' }, 'Two bindings have the name "JSONRPC"'],
    [{ ...lines, protocolBinding: '' }, 'needs a protocolBinding'],
    [{ ...OTHER, path: '' }, '"" cannot be the path'],
    [{ ...OTHER, path: 'other' }, '"other" cannot be the path'],
    [{ ...OTHER, path: '/tasks' }, '"/tasks" cannot be the path of the binding urn:example:other: HTTP+JSON uses it'],
    [{ ...OTHER, path: '/other/' }, '"/other/" cannot be the path'],
    [OTHER, 'Two bindings have the path "/lines"'],
  ])('refuses what would hide another one (%#)', (binding, problem) => {
    expect(() => serverWith({ bindings: [lines, binding] })).toThrow(problem);
  });

  it.each<[unknown, string]>([
    [null, 'bindings[0] must be an object with protocolBinding, path and serve'],
    ['lines', 'bindings[0] must be an object'],
    [{ ...lines, protocolBinding: undefined }, 'bindings[0]: a binding needs a protocolBinding'],
    [{ ...OTHER, path: undefined }, 'The binding urn:example:other needs a path'],
    [{ ...OTHER, serve: undefined }, 'The binding urn:example:other needs a function serve'],
    [{ ...OTHER, serve: () => ({}) }, 'must return the functions handle and refuse'],
    [{ ...OTHER, serve: () => undefined }, 'must return the functions handle and refuse'],
    [{ ...OTHER, methods: 'POST' }, 'methods of the binding urn:example:other must be a list of names'],
    [{ ...OTHER, versions: ['1.0', '9'] }, 'names a version "9" that no card has; there are 1.0, 0.3'],
  ])('refuses what is no binding (%#)', (binding, problem) => {
    expect(() => serverWith({ bindings: [binding as ServerBinding] })).toThrow(problem);
  });

  it('lets a client say what it can call', async () => {
    const server = serverWith();
    const preferring = new A2AClient(BASE, { fetch: fetchOf(server), prefer: { binding: LINES } });
    await expect(preferring.sendMessage('go')).rejects.toThrow(`has no interface for ${LINES}`);
  });
});

/** A body whose connection breaks after this text. */
function brokenAfter(text: string): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated'));
      else controller.enqueue(new TextEncoder().encode(text));
      isSent = true;
    },
  });
}
