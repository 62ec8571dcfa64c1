import { A2AServer, defineAgent, memory } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FORMS, MOUNTS, requestOf, sendOf } from '../bounds/forms.ts';
import { eventually } from '../support/eventually.ts';
import type { Wire } from '../support/rpc.ts';
import { type Trouble, troubledStore } from '../support/stores/troubled-store.ts';

const agent = defineAgent({ name: 'echo', description: 'Echoes', version: '1.0.0', run: (task) => task.text });

const ERROR_INFO = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  domain: 'a2a-protocol.org',
  reason: 'UNAVAILABLE',
};
const RETRY_INFO = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' };

const SEND = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
  body: JSON.stringify({ message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hi' }] } }),
};

/** A server whose store is away. */
async function away(
  trouble: Trouble,
  lease: { leaseLifetime: number; heartbeatInterval?: number } = { leaseLifetime: 600_000 },
) {
  const line = troubledStore(memory({ shared: true }));
  const limits = { storeTimeout: 50, replyWindow: 0, ...lease };
  const server = new A2AServer({
    agents: [agent],
    store: line.store,
    mounts: MOUNTS,
    limits,
    drainTimeout: 0,
    log: { error() {}, warn() {} },
  });
  onTestFinished(() => {
    line.end();
    return server.close();
  });
  await server.open();
  line.begin(trouble);
  return { server, line };
}

/** The forms whose errors have details. */
const WITH_DETAILS = /^1\.0|^0\.3 HTTP\+JSON(?! at the root)/;

describe.for(['fails', 'hangs'] as const)('while the store %s', (trouble) => {
  it('every binding and dialect says that it is unavailable, and when to come back', async () => {
    const { server } = await away(trouble);
    const asked = FORMS.flatMap((form) => {
      const send = requestOf(form, 'sendMessage', sendOf(form, {}));
      const get = form.operations.getTask ? [requestOf(form, 'getTask', { [form.taskId]: 'some-task' })] : [];
      return [send, ...get].map((request) => ({ form, request }));
    });
    expect(asked.length).toBeGreaterThan(FORMS.length);
    const answers = asked.map(async ({ form: { name, binding }, request }) => {
      const response = await server.fetch(request);
      const { error } = (await response.json()) as Wire;
      expect([name, response.status, response.headers.get('retry-after')]).toEqual([name, 503, '1']);
      expect([name, error.message]).toEqual([
        name,
        expect.stringMatching(/^The task store cannot be (reached|written)/),
      ]);
      if (WITH_DETAILS.test(name)) {
        const details = binding === 'rest' ? error.details : error.data;
        expect([name, details]).toEqual([name, [RETRY_INFO, ERROR_INFO]]);
      }
    });
    await Promise.all(answers);
  });

  it('the server is not ready and says why, and lives', async () => {
    const { server, line } = await away(trouble);
    await server.fetch(new Request('http://localhost/a2a/message:send', SEND));
    // The commit that hangs counts as failed a moment after the request was told.
    await eventually(async () => (await server.fetch(new Request('http://localhost/readyz'))).status).toBe(503);
    const ready = await server.fetch(new Request('http://localhost/readyz?verbose'));
    const { detail, checks } = (await ready.json()) as Wire;
    expect([ready.status, ready.headers.get('retry-after'), detail]).toEqual([503, '1', 'The store cannot be written']);
    expect(checks).toContainEqual({ name: 'store', status: 'failed', message: 'The store cannot be written' });
    expect((await server.fetch(new Request('http://localhost/livez'))).status).toBe(200);
    line.end();
    await eventually(async () => (await server.fetch(new Request('http://localhost/readyz'))).status).toBe(200);
    expect((await server.fetch(new Request('http://localhost/a2a/message:send', SEND))).status).toBe(200);
  });
});

it('a node whose heartbeat does not reach the store is not ready', async () => {
  const { server, line } = await away('fails', { leaseLifetime: 300, heartbeatInterval: 20 });
  const ready = async () => {
    const response = await server.fetch(new Request('http://localhost/readyz'));
    return [response.status, ((await response.json()) as Wire).detail];
  };
  await eventually(ready).toEqual([503, 'The store could not be told that this node is alive']);
  line.end();
  await eventually(ready).toEqual([200, undefined]);
});
