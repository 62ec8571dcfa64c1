import { request as nodeRequest } from 'node:http';
import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { custom } from 'parley-a2a/auth';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock, settle } from '../support/manual-clock.ts';
import type { Wire } from '../support/rpc.ts';
import { agentOf, hang } from '../support/script.ts';

const LOG = { error: () => undefined, warn: () => undefined };

const named = custom(
  ({ headers }) => (typeof headers['x-name'] === 'string' ? { subject: headers['x-name'] } : undefined),
  { scheme: { type: 'apiKey', in: 'header', name: 'x-name' } },
);

type Own = NonNullable<NonNullable<A2AServerOptions['mounts']>[number]['limits']>;

interface Form {
  readonly name: string;
  /** The address of the server, and the one below the mount. */
  readonly paths: readonly [server: string, mount: string];
  readonly mountDialect: string;
  readonly body: (text: string, place?: { taskId: string; contextId: string }) => unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The task in a response. */
  readonly task: (answer: Wire) => Wire;
}

const FORMS: readonly Form[] = [
  {
    name: '1.0 JSON-RPC',
    paths: ['/a2a', '/mounted'],
    mountDialect: '1.0',
    body: (text, place) => {
      const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...place };
      return { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    },
    headers: { 'a2a-version': '1.0' },
    task: (answer) => answer.result?.task,
  },
  {
    name: '1.0 HTTP+JSON',
    paths: ['/a2a/message:send', '/mounted/message:send'],
    mountDialect: '1.0',
    body: (text, place) => ({
      message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...place },
    }),
    headers: { 'a2a-version': '1.0' },
    task: (answer) => answer.task,
  },
  {
    name: '0.3 JSON-RPC',
    paths: ['/a2a', '/mounted'],
    mountDialect: '0.3',
    body: (text, place) => {
      const parts = [{ kind: 'text', text }];
      const message = { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts, ...place };
      return { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } };
    },
    headers: {},
    task: (answer) => answer.result,
  },
];

/** An agent that asks, is silent, or works without an end and says so now and then, as its message says. */
const agent = agentOf(async function* (task) {
  if (task.text.startsWith('ask')) yield `answered: ${await task.ask('Which?')}`;
  if (task.text.startsWith('hang')) {
    yield 'at work';
    await hang(task);
  }
  yield 'done';
});

interface Limits {
  readonly server?: NonNullable<A2AServerOptions['limits']>;
  readonly mount?: Own;
  readonly caller?: Own;
}

/** A server with a mount, whose caller `own` has limits of its own. */
function start(form: Form, { server: limits, mount, caller }: Limits) {
  const clock = new ManualClock();
  const server = new A2AServer({
    agents: [agent],
    clock,
    log: LOG,
    auth: named,
    mounts: [{ path: '/mounted', dialect: form.mountDialect, limits: mount }],
    drainTimeout: 0,
    limits: { ...limits, perCaller: ({ subject }) => (subject === 'own' ? caller : undefined) },
  });
  onTestFinished(() => server.close());
  const ask = (where: 'server' | 'mount', who: string, text: string, place?: Parameters<Form['body']>[1]) => {
    const body = JSON.stringify(form.body(text, place));
    const headers = { 'content-type': 'application/json', 'x-name': who, ...form.headers };
    const path = form.paths[where === 'server' ? 0 : 1];
    return server.fetch(new Request(`http://localhost${path}`, { method: 'POST', body, headers }));
  };
  /** The task of a send that ends when the time of its turn is over. */
  const taskAfter = async (milliseconds: number, ...sent: Parameters<typeof ask>) => {
    const asking = ask(...sent);
    await settle();
    await clock.advance(milliseconds);
    return form.task(await (await asking).json());
  };
  return { server, clock, ask, taskAfter };
}

const reasonOf = (task: Wire) => task.status.message?.metadata?.reason ?? task.status.state;

describe.each(FORMS)('limits of a mount and of a caller in $name', (form) => {
  it('bodyBytes: each its own, below and above that of the server [rule:security.limits]', async () => {
    const { ask } = start(form, {
      server: { bodyBytes: 3000 },
      mount: { bodyBytes: 1000 },
      caller: { bodyBytes: 5000 },
    });
    const statusOf = async (where: 'server' | 'mount', who: string, length: number) => {
      const response = await ask(where, who, 'x'.repeat(length));
      const text = await response.text();
      if (response.status === 413) expect(text).toMatch(/larger than the (1000|3000|5000) bytes that are allowed/);
      return response.status;
    };
    expect([await statusOf('server', 'alice', 2000), await statusOf('server', 'alice', 4000)]).toEqual([200, 413]);
    expect([await statusOf('mount', 'alice', 500), await statusOf('mount', 'alice', 2000)]).toEqual([200, 413]);
    expect([await statusOf('server', 'own', 4000), await statusOf('server', 'own', 6000)]).toEqual([200, 413]);
    expect([await statusOf('mount', 'own', 4000), await statusOf('mount', 'own', 6000)]).toEqual([200, 413]);
  });

  it('runTimeout: each its own', async () => {
    const { taskAfter } = start(form, {
      server: { runTimeout: 30_000 },
      mount: { runTimeout: 20_000 },
      caller: { runTimeout: 10_000 },
    });
    expect(reasonOf(await taskAfter(10_000, 'server', 'own', 'hang'))).toBe('run-timeout');
    expect(reasonOf(await taskAfter(10_000, 'mount', 'own', 'hang'))).toBe('run-timeout');
    expect(reasonOf(await taskAfter(20_000, 'mount', 'alice', 'hang'))).toBe('run-timeout');
    const { clock, ask } = start(form, { server: { runTimeout: 30_000 }, mount: { runTimeout: 20_000 } });
    let isOver = false;
    const asking = ask('server', 'alice', 'hang').finally(() => {
      isOver = true;
    });
    await clock.advance(20_000);
    expect(isOver).toBe(false);
    await clock.advance(10_000);
    expect(reasonOf(form.task(await (await asking).json()))).toBe('run-timeout');
  });

  it('inactivityTimeout: each its own, and 0 for none', async () => {
    const { taskAfter } = start(form, {
      server: { inactivityTimeout: 5000, runTimeout: 60_000 },
      mount: { inactivityTimeout: 10_000 },
      caller: { inactivityTimeout: 0 },
    });
    expect(reasonOf(await taskAfter(5000, 'server', 'alice', 'hang'))).toBe('inactivity-timeout');
    expect(reasonOf(await taskAfter(10_000, 'mount', 'alice', 'hang'))).toBe('inactivity-timeout');
    expect(reasonOf(await taskAfter(60_000, 'mount', 'own', 'hang'))).toBe('run-timeout');
  });

  it('askTimeout: each its own', async () => {
    const limits = { server: { askTimeout: 50_000 }, mount: { askTimeout: 20_000 }, caller: { askTimeout: 10_000 } };
    for (const [where, who, time] of [
      ['server', 'alice', 50_000],
      ['mount', 'alice', 20_000],
      ['server', 'own', 10_000],
    ] as const) {
      const { ask, clock } = start(form, limits);
      const { id: taskId, contextId } = form.task(await (await ask(where, who, 'ask')).json());
      // Another task's question is answered a moment before its time is over.
      const other = form.task(await (await ask(where, who, 'ask')).json());
      await clock.advance(time - 1);
      const soon = await ask(where, who, 'soon enough', { taskId: other.id, contextId: other.contextId });
      expect(await soon.text()).toContain('answered: soon enough');
      await clock.advance(1);
      const late = await ask(where, who, 'too late', { taskId, contextId });
      expect(await late.text()).toContain('already failed');
    }
  });

  it('messagesPerTask: each its own', async () => {
    const { ask } = start(form, {
      server: { messagesPerTask: 10 },
      mount: { messagesPerTask: 1 },
      caller: { messagesPerTask: 10 },
    });
    const answered = async (where: 'server' | 'mount', who: string) => {
      const { id: taskId, contextId } = form.task(await (await ask(where, who, 'ask')).json());
      return (await ask(where, who, 'this one', { taskId, contextId })).text();
    };
    expect(await answered('server', 'alice')).toContain('answered: this one');
    expect(await answered('mount', 'alice')).toContain('the 1 messages that a task may have');
    expect(await answered('mount', 'own')).toContain('answered: this one');
  });
});

it('bodyBytes of a mount holds for what a socket brings, announced or not', async () => {
  const mounts = [{ path: '/small', dialect: '1.0', limits: { bodyBytes: 1000 } }];
  const server = new A2AServer({ agents: [agent], log: LOG, mounts, drainTimeout: 0 });
  onTestFinished(() => server.close());
  const { url } = await server.listen({ port: 0 });
  const statusOf = (path: string, length: number, isAnnounced: boolean) =>
    new Promise<number | undefined>((resolve, reject) => {
      const body = JSON.stringify((FORMS[0] as Form).body('x'.repeat(length)));
      const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
      const all = isAnnounced ? { ...headers, 'content-length': Buffer.byteLength(body) } : headers;
      const sent = nodeRequest(new URL(path, url), { method: 'POST', headers: all }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      if (!isAnnounced) sent.flushHeaders();
      sent.end(body);
    });
  for (const isAnnounced of [true, false]) {
    expect(await statusOf('/small', 500, isAnnounced)).toBe(200);
    expect(await statusOf('/small', 2000, isAnnounced)).toBe(413);
    expect(await statusOf('/a2a', 2000, isAnnounced)).toBe(200);
  }
});

it.each([
  ['keepAlive', 'of a connection'],
  ['bodyTimeout', 'of the whole server'],
  ['runs', 'of the whole server'],
])('a limit that is the server’s alone is refused where a mount or a caller sets it: %s', async (name) => {
  const limits = { [name]: 5 };
  const mounts = [{ path: '/m', dialect: '1.0', limits }];
  expect(() => new A2AServer({ agents: [agent], mounts })).toThrow(
    `The mount /m cannot have a limit ${name} of its own`,
  );
  const causes: string[] = [];
  const log = {
    ...LOG,
    error: (_: string, { error }: Wire = {}) => void causes.push(`${error.message} ${error.cause}`),
  };
  const server = new A2AServer({ agents: [agent], log, limits: { perCaller: () => limits } });
  onTestFinished(() => server.close());
  const body = JSON.stringify((FORMS[0] as Form).body('go'));
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const response = await server.fetch(new Request('http://localhost/a2a', { method: 'POST', body, headers }));
  expect(await response.json()).toMatchObject({ error: { code: -32603 } });
  expect(causes.join()).toContain(`cannot have a limit ${name} of its own`);
});
