import { A2AServer } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { settableClock } from '../support/settable-clock.ts';
import { LOCAL_HOSTS } from './hosts/index.ts';

// Express 4 takes the place of Express 5 in its process.
const HOSTS = Object.entries(LOCAL_HOSTS).filter(([name]) => name !== 'Express 4');

/** More than the buffers of a connection take. */
const LENGTH = 16 * 1024 * 1024;

describe.each(HOSTS)('a long response on %s', (name, load) => {
  it.each([
    ['nothing is counted', {}],
    ['requests are counted', { requestsPerCaller: 5 }],
  ])('that is cut to make room looks cut, and the next one is whole, where %s', async (_, limits) => {
    const clock = settableClock();
    const server = new A2AServer({
      agents: [agentOf(() => 'x'.repeat(LENGTH))],
      anonymous: 'shared',
      clock,
      limits: { responsesBytes: 1, ...limits },
      drainTimeout: 0,
      log: { error: () => {}, warn: () => {} },
    });
    const { serve } = await load();
    const { url, stop } = await serve(server, {});
    onTestFinished(async () => {
      await server.close();
      await stop();
    });
    const send = () =>
      fetch(`${url}/a2a`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('go') }),
      });
    const stalled = await send();
    let whole = await send();
    // There is room for one alone, and it goes to the next one once the first has not been read for a while.
    await eventually(async () => {
      if (whole.status === 200) return 200;
      await whole.body?.cancel();
      clock.time += 11_000;
      whole = await send();
      return whole.status;
    }).toBe(200);
    const text = await whole.text();
    expect((JSON.parse(text) as Wire).result.task.artifacts[0].parts[0].text).toHaveLength(LENGTH);
    const hasLength = !['fetch', 'Hono'].includes(name);
    expect(whole.headers.get('content-length')).toBe(hasLength ? String(text.length) : null);
    const outcome = await stalled.text().then(
      ({ length }) => `complete, ${length} of ${text.length}`,
      () => 'broken off',
    );
    expect(outcome).toBe('broken off');
  });
});
