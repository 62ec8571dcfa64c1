import type { A2AServerOptions } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';
import { WIRE_MOUNTS, WIRES, type WireForm } from './wires.ts';

/** A server whose agent works until the test lets it go on. */
function start(limits: A2AServerOptions['limits']) {
  const clock = new ManualClock();
  const open = gate();
  const agent = agentOf(async function* () {
    yield 'at work';
    await open.promise;
  });
  const { server } = startServer(agent, { mounts: WIRE_MOUNTS, clock, limits });
  const ask = ({ request }: WireForm, options?: Parameters<WireForm['request']>[0]) => {
    const { path, init } = request(options);
    return server.fetch(new Request(`http://localhost${path}`, init));
  };
  return { ask, clock, release: open.resolve };
}

/** The JSON of a response, or of the only event of its stream. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text);
}

describe.each(WIRES)('limits in $name', (wire) => {
  const { refusal, hasLegacyFields = false } = wire;

  it('rate: a refusal has its status, fields and body; the quota comes back (S0.14) (S1.6) (S1.10)', async () => {
    const { ask, clock, release } = start({ rate: { requests: 3, window: 60_000, burst: 2 } });
    release();
    const fields = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
    const policy = '"burst";q=2;w=1, "requests";q=3;w=60';
    const first = await ask(wire);
    expect(first.status).toBe(200);
    expect(fields(first)).toEqual([policy, '"burst";r=1;t=1, "requests";r=2;t=60']);
    expect(fields(await ask(wire))).toEqual([policy, '"burst";r=0;t=1, "requests";r=1;t=60']);
    // The quota of one second is used up.
    const burst = await ask(wire);
    expect(burst.status).toBe(429);
    expect(fields(burst)).toEqual([policy, '"burst";r=0;t=1, "requests";r=1;t=60']);
    expect(burst.headers.get('retry-after')).toBe('1');
    expect(await bodyOf(burst)).toEqual(refusal({ status: 429, limit: 'rate', seconds: 1 }));
    await clock.advance(1000);
    expect(fields(await ask(wire))).toEqual([policy, '"burst";r=1;t=1, "requests";r=0;t=59']);
    const late = await ask(wire);
    expect(late.status).toBe(429);
    expect(late.headers.get('retry-after')).toBe('59');
    expect(fields(late)).toEqual([policy, '"burst";r=1;t=0, "requests";r=0;t=59']);
    expect(await bodyOf(late)).toEqual(refusal({ status: 429, limit: 'rate', seconds: 59 }));
    const legacy = ['limit', 'remaining', 'reset', 'window'].map((name) => late.headers.get(`x-ratelimit-${name}`));
    const reset = String((clock.now() + 59_000) / 1000);
    expect(legacy).toEqual(hasLegacyFields ? ['3', '0', reset, '60'] : [null, null, null, null]);
    // The two of the first second leave the window together.
    await clock.advance(59_000);
    expect(fields(await ask(wire))).toEqual([policy, '"burst";r=1;t=1, "requests";r=1;t=1']);
  });

  it('requestsPerCaller: refuses one more, until one is answered (S1.6) (S1.10)', async () => {
    const { ask, release } = start({ requestsPerCaller: 2, rate: { requests: 5, window: 60_000 } });
    const first = ask(wire);
    const second = ask(wire);
    const refused = await ask(wire);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    // It does not count.
    expect(refused.headers.get('ratelimit')).toBe('"requests";r=3;t=60');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe(hasLegacyFields ? '3' : null);
    expect(await bodyOf(refused)).toEqual(refusal({ status: 429, limit: 'requestsPerCaller', seconds: 1 }));
    release();
    expect((await first).status).toBe(200);
    expect((await second).status).toBe(200);
    expect((await ask(wire)).status).toBe(200);
  });

  it('streamsPerCaller: refuses one more before anything is created, until one is over (S1.6) (S1.10)', async () => {
    const { ask, release } = start({ streamsPerCaller: 1, requestsPerCaller: 0, rate: false });
    const stream = await ask(wire, { stream: true });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const refused = await ask(wire, { stream: true });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await bodyOf(refused)).toEqual(refusal({ status: 429, limit: 'streamsPerCaller', seconds: 1 }));
    await stream.body?.cancel();
    const next = await ask(wire, { stream: true });
    expect(next.headers.get('content-type')).toContain('text/event-stream');
    release();
    await next.text();
    expect((await ask(wire, { stream: true })).status).toBe(200);
  });

  it('tasksPerContext: refuses one more of a context, until one has ended (S1.6) (S1.10)', async () => {
    const { ask, release } = start({ tasksPerContext: 2, requestsPerCaller: 0, rate: false });
    const contextId = 'talk';
    const atWork = [ask(wire, { contextId }), ask(wire, { contextId })];
    await settle();
    for (const stream of [false, true]) {
      const refused = await ask(wire, { contextId, stream });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await bodyOf(refused)).toEqual(refusal({ status: 429, limit: 'tasksPerContext', seconds: 1 }));
    }
    const other = ask(wire, { contextId: 'another talk' });
    release();
    for (const response of await Promise.all([...atWork, other])) expect(response.status).toBe(200);
    expect((await ask(wire, { contextId })).status).toBe(200);
  });

  it('load: sheds the newest request, and what was begun goes on (S1.6)', async () => {
    const { ask, release } = start({ load: { requests: 2 } });
    const stream = await ask(wire, { stream: true });
    const atWork = [ask(wire), ask(wire)];
    const refused = await ask(wire);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await bodyOf(refused)).toEqual(refusal({ status: 503, limit: 'load', seconds: 1 }));
    release();
    for (const response of await Promise.all(atWork)) expect(response.status).toBe(200);
    expect(await stream.text()).toContain('at work');
    expect((await ask(wire)).status).toBe(200);
  });
});
