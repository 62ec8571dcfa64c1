import type { ServerInterceptor } from 'parley-a2a';
import type { Call } from 'parley-a2a/ports';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { sendParams } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { served } from './noting.ts';

const HEADERS = { 'content-type': 'application/json', 'a2a-version': '1.0' };

/** Calls a function with each call. */
function watching(watch: (call: Call) => void): ServerInterceptor {
  return {
    operation: (call, next) => {
      watch(call);
      return next();
    },
  };
}

function send(signal?: AbortSignal): Request {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('go') });
  return new Request('http://localhost/a2a', { method: 'POST', headers: HEADERS, body, signal: signal ?? null });
}

/** An agent that works until it is released, and says that it has begun. */
function waiting() {
  const begun = gate();
  const released = gate();
  const agent = agentOf(async () => {
    begun.resolve();
    await released.promise;
    return 'done';
  });
  return { agent, begun, released };
}

const FAILING: readonly [string, () => void][] = [
  [
    'throws',
    () => {
      throw new Error('The audit is away');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('The audit is away');
    },
  ],
];

describe.each(FAILING)('a listener of a call that %s', (_, listener) => {
  it('at its end, leaves those of others alone, and the log has the reason', async () => {
    const ends: unknown[] = [];
    const { peer, errors } = served([
      watching((call) => call.onEnd(listener)),
      watching((call) => call.onEnd((end) => void ends.push(end))),
    ]);
    await peer.call('SendMessage', sendParams('go'));
    expect(ends).toEqual([{ isComplete: true }]);
    await eventually(() => errors.map(String)).toEqual(['Error: The audit is away']);
  });

  it('at its end, leaves the other calls of a batch alone', async () => {
    const ended: string[] = [];
    const { server } = served(
      [
        watching((call) => {
          call.onEnd(listener);
          call.onEnd(() => void ended.push(call.operation));
        }),
      ],
      undefined,
      { jsonRpcBatches: true },
    );
    const calls = ['GetTask', 'CancelTask'].map((method, id) => ({ jsonrpc: '2.0', id, method, params: { id: 't' } }));
    const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(calls) };
    await (await server.fetch(new Request('http://localhost/a2a', init))).text();
    expect(ended).toEqual(['getTask', 'cancelTask']);
  });

  it('when its client leaves, ends nothing, and the log has the reason', async () => {
    const { agent, begun, released } = waiting();
    const { server, errors } = served([watching((call) => void call.onAbort(listener))], agent);
    const leaving = new AbortController();
    const response = server.fetch(send(leaving.signal));
    await begun.promise;
    leaving.abort();
    await eventually(() => errors.map(String)).toEqual(['Error: The audit is away']);
    released.resolve();
    await response;
  });
});

describe('the end of a call', () => {
  it('is not complete where its client left before the response was ready', async () => {
    const ends: unknown[] = [];
    const { agent, begun, released } = waiting();
    const { server } = served([watching((call) => call.onEnd((end) => void ends.push(end)))], agent);
    const leaving = new AbortController();
    const response = server.fetch(send(leaving.signal));
    await begun.promise;
    leaving.abort();
    await eventually(() => ends).toEqual([{ isComplete: false }]);
    released.resolve();
    await response;
  });
});
