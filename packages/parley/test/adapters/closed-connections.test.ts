import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenNode } from '../../src/adapters/listen.ts';
import { handleFetch } from '../../src/adapters/web-exchange.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../src/bindings/exchange.ts';
import { ServerCore } from '../../src/server/http/core.ts';
import { eventually } from '../support/eventually.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';

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
  return { core: { limits: core.limits, log: core.log, handle }, inner: core, begun, released, responded };
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
    const listening = await listenNode(working.core, 0, '127.0.0.1');
    onTestFinished(() => listening.stop());
    const socket = connect(listening.port, '127.0.0.1');
    const headers = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `POST /a2a HTTP/1.1\r\nhost: here\r\n${headers.join('')}content-length: ${SEND.length}\r\n\r\n${SEND}`,
    );
    await working.begun.promise;
    socket.destroy();
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
      signal: AbortSignal.abort(),
    };
    void working.core.handle(request);
    await finishes(working);
  });
});

describe('the signal of an exchange', () => {
  it('is not made for a request that does not look at it', async () => {
    const core = new ServerCore({ agents: [agentOf(() => 'hello')] });
    onTestFinished(() => core.close());
    let reads = 0;
    const exchange = (body: unknown): ExchangeRequest => ({
      method: 'POST',
      url: '/a2a',
      headers: HEADERS,
      body,
      peer: {},
      get signal() {
        reads += 1;
        return undefined;
      },
    });
    const params = { ...sendParams('go'), configuration: { returnImmediately: true } };
    const call = (method: string, given: unknown) =>
      core.handle(exchange({ jsonrpc: '2.0', id: 1, method, params: given }));
    const sent = JSON.parse((await call('SendMessage', params)).body as string).result.task;
    await call('GetTask', { id: sent.id });
    const { body } = await call('SendStreamingMessage', sendParams('go'));
    if (typeof body === 'object') body.close();
    expect(reads).toBe(0);
  });
});
