import { connect } from 'node:net';
import { A2AServer, type Task } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenNode } from '../../src/adapters/node/listen.ts';
import { handleFetch } from '../../src/adapters/web/web-exchange.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../src/bindings/exchange.ts';
import { ServerCore } from '../../src/server/core/core.ts';
import { eventually } from '../support/eventually.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';
import { LOCAL_HOSTS } from './hosts/index.ts';

const SEND = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('go') });
const HEADERS = { 'content-type': 'application/json', 'a2a-version': '1.0' };

/** A core whose agent works until it is released, and the responses that it came to. */
function workingCore() {
  const released = gate();
  const begun = gate();
  const core = new ServerCore({
    agents: [
      agentOf(async () => {
        begun.resolve();
        await released.promise;
        return 'done';
      }),
    ],
  });
  const responded = gate<ExchangeResponse>();
  const handle = async (request: ExchangeRequest) => {
    const response = await core.handle(request);
    responded.resolve(response);
    return response;
  };
  onTestFinished(() => core.close());
  return {
    core: { limits: core.limits, clock: core.clock, log: core.log, bodies: core.bodies, handle },
    inner: core,
    begun,
    released,
    responded,
  };
}

async function finishes({ inner, released, responded }: ReturnType<typeof workingCore>): Promise<void> {
  // The send has come back although its turn goes on: nothing waits for the turn any more.
  const { task } = JSON.parse((await responded.promise).body as string).result as Wire;
  expect(task.status.state).toBe('TASK_STATE_WORKING');
  released.resolve();
  const get = { jsonrpc: '2.0', id: 2, method: 'GetTask', params: { id: task.id } };
  const finished = async (): Promise<Wire> => {
    const { body } = await inner.handle({ method: 'POST', url: '/a2a', headers: HEADERS, body: get, peer: {} });
    return JSON.parse(body as string).result;
  };
  await eventually(finished).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  await eventually(() => inner.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
}

describe('a client that closes its connection during a blocking send', () => {
  it('frees what waited for it on a socket of Node, and the task goes on', async () => {
    const working = workingCore();
    const listening = await listenNode(working.core, { port: 0, host: '127.0.0.1' });
    onTestFinished(() => listening.stop());
    await sendAndLeave(`http://127.0.0.1:${listening.port}`, working.begun.promise);
    await finishes(working);
  });

  it('frees what waited for it where fetch aborts its request, and the task goes on', async () => {
    const working = workingCore();
    const abort = new AbortController();
    const init = { method: 'POST', headers: HEADERS, body: SEND, signal: abort.signal };
    const response = handleFetch(working.core, new Request('http://localhost/a2a', init));
    await working.begun.promise;
    abort.abort();
    await finishes(working);
    await response;
  });

  it('does not wait at all where the request was aborted before', async () => {
    const working = workingCore();
    const request = {
      method: 'POST',
      url: '/a2a',
      headers: HEADERS,
      body: SEND,
      peer: {},
      onAbort: (listener: () => void) => {
        listener();
        return () => {};
      },
    };
    void working.core.handle(request);
    await finishes(working);
  });
});

/** Sends a request and leaves as soon as `ready` is. */
async function sendAndLeave(url: string, ready: Promise<unknown>): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const headers = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /a2a HTTP/1.1\r\nhost: localhost\r\n${headers.join('')}content-length: ${SEND.length}\r\n\r\n${SEND}`,
  );
  await ready;
  socket.destroy();
}

describe('a client that closes its connection', () => {
  // Express 4 takes the place of Express 5 in its process.
  const hosts = Object.entries(LOCAL_HOSTS).filter(([name]) => name !== 'Express 4');

  it.each(hosts)('aborts the signal of its call on %s, and the task completes', async (_, load) => {
    const { serve } = await load();
    const begun = gate();
    const released = gate();
    const ended = gate<readonly [isAborted: boolean, state: string]>();
    const completed = gate<string>();
    const server = new A2AServer({
      agents: [
        agentOf(async () => {
          begun.resolve();
          await released.promise;
          return 'done';
        }),
      ],
      interceptors: [
        {
          async operation(call, next) {
            const outcome = await next();
            const task = outcome.kind === 'result' ? (outcome.result as Task) : undefined;
            ended.resolve([call.signal.aborted, task?.status.state ?? 'none']);
            return outcome;
          },
          async run(_turn, next) {
            const end = await next();
            completed.resolve(end.state);
            return end;
          },
        },
      ],
    });
    const { url, stop } = await serve(server, {});
    onTestFinished(async () => {
      await server.close();
      await stop();
    });
    await sendAndLeave(url, begun.promise);
    expect(await ended.promise).toEqual([true, 'working']);
    released.resolve();
    expect(await completed.promise).toBe('completed');
    await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });
});

describe('an exchange', () => {
  it('gets no listener from a request that waits for nothing, or streams', async () => {
    const core = new ServerCore({ agents: [agentOf(() => 'hello')] });
    onTestFinished(() => core.close());
    let listeners = 0;
    const exchange = (body: unknown): ExchangeRequest => ({
      method: 'POST',
      url: '/a2a',
      headers: HEADERS,
      body,
      peer: {},
      onAbort: () => {
        listeners += 1;
        return () => {};
      },
    });
    const params = { ...sendParams('go'), configuration: { returnImmediately: true } };
    const call = (method: string, given: unknown) =>
      core.handle(exchange({ jsonrpc: '2.0', id: 1, method, params: given }));
    const sent = JSON.parse((await call('SendMessage', params)).body as string).result.task;
    await call('GetTask', { id: sent.id });
    const { body } = await call('SendStreamingMessage', sendParams('go'));
    if (typeof body === 'object') body.close();
    expect(listeners).toBe(0);
  });
});
