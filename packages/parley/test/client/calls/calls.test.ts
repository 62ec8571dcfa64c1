import { A2AClient, A2AError, type ClientInterceptor, type ClientOptions } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { startServer } from '../../support/rpc.ts';
import { agentOf, hang } from '../../support/script.ts';
import { type Answer, agentWith, cardOf, clientOf, fetchOf, jsonOf } from '../support/recorded.ts';

const ADDRESS = 'https://agent.example';
const retry = { firstDelay: 1, longestDelay: 50 };

async function connect(answer: Answer, options: ClientOptions = {}) {
  const { fetch, sent } = fetchOf(answer);
  const agent = await A2AClient.connect(ADDRESS, { fetch, retry, ...options });
  return { agent, calls: () => sent.filter(({ method }) => method === 'POST') };
}

/** Fails the first calls, then answers. */
function failing(times: number, failure: () => Response | never, card: object = cardOf()): Answer {
  const inner = agentWith(card);
  let left = times;
  return (request) => {
    if (request.method !== 'POST' || left === 0) return inner(request);
    left -= 1;
    return failure();
  };
}

const broken = (): never => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
};
const refused = (): never => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
};
const busy = (headers: Record<string, string> = {}) => new Response('busy', { status: 503, headers });

const RESUMABLE = cardOf({ capabilities: { extensions: [{ uri: 'urn:parley:ext:resume:v1' }] } });

describe('retries', () => {
  it('repeat what only reads', async () => {
    const { agent, calls } = await connect(failing(2, broken));
    expect(await agent.getTask('t')).toMatchObject({ id: 't' });
    expect(calls()).toHaveLength(3);
  });

  it('end after so many attempts', async () => {
    const { agent, calls } = await connect(failing(9, broken));
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(calls()).toHaveLength(3);
    const { agent: other, calls: others } = await connect(failing(9, broken), { retry: false });
    await expect(other.getTask('t')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(others()).toHaveLength(1);
  });

  it('never repeat a send that may have arrived', async () => {
    const { agent, calls } = await connect(failing(1, broken));
    await expect(agent.sendMessage('hi')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(calls()).toHaveLength(1);
    expect(calls()[0]?.headers.has('idempotency-key')).toBe(false);
  });

  it('repeat a send that was refused at the door, or was never sent', async () => {
    for (const failure of [refused, () => busy({ 'retry-after': '0' }), () => new Response('', { status: 429 })]) {
      const { agent, calls } = await connect(failing(1, failure));
      expect(await agent.sendMessage('hi')).toMatchObject({ id: 't' });
      expect(calls()).toHaveLength(2);
    }
  });

  it('repeat a send with the same key where the server knows it', async () => {
    const { agent, calls } = await connect(failing(2, broken, RESUMABLE));
    expect(await agent.sendMessage('hi')).toMatchObject({ id: 't' });
    const keys = calls().map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(calls().map(({ body }) => JSON.parse(body).params.message.messageId)).size).toBe(1);
    await agent.sendMessage('hi', { idempotencyKey: 'mine' });
    expect(calls().at(-1)?.headers.get('idempotency-key')).toBe('mine');
  });

  it('wait as long as the server asks, unless that is too long', async () => {
    const { agent } = await connect(
      failing(1, () => busy({ 'retry-after': '1' })),
      { retry: { longestDelay: 2_000 } },
    );
    const start = performance.now();
    await agent.getTask('t');
    expect(performance.now() - start).toBeGreaterThan(950);
    const { agent: other, calls } = await connect(failing(1, () => busy({ 'retry-after': '3600' })));
    await expect(other.getTask('t')).rejects.toMatchObject({ retryAfter: 3_600_000 });
    expect(calls()).toHaveLength(1);
  });

  it('do not repeat what the server answered', async () => {
    const { agent, calls } = await connect((request) =>
      request.method === 'POST'
        ? jsonOf({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } })
        : agentWith(cardOf())(request),
    );
    await expect(agent.getTask('t')).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(calls()).toHaveLength(1);
  });
});

/** Never answers calls; goes away when told to. */
const silent: Answer = (request) => {
  if (request.method !== 'POST') return agentWith(cardOf())(request);
  return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
};

describe('time', () => {
  /** Time that passes when a test says so. */
  function manualTiming() {
    const clock = new ManualClock();
    const timing = { now: clock.now, after: clock.after.bind(clock), random: () => 0.5 };
    return { clock, timing };
  }

  it('is limited for every call', async () => {
    const { clock, timing } = manualTiming();
    const { agent } = await connect(silent, { timeout: 30, timing });
    const outcome = async (call: Promise<unknown>, limit: number) => {
      let isOver = false;
      const ended = expect(call).rejects.toMatchObject({ code: 'TIMEOUT', message: `No response within ${limit} ms` });
      const noted = ended.then(() => {
        isOver = true;
      });
      await clock.advance(limit - 1);
      expect(isOver).toBe(false);
      await clock.advance(1);
      await noted;
    };
    await outcome(agent.getTask('t'), 30);
    await outcome(agent.sendMessage('hi'), 30);
    await outcome(agent.getTask('t', { timeout: 10 }), 10);
    await outcome(agent.run('hi', { timeout: 10 }), 10);
  });

  it('is limited for the begin of a stream, and for a whole run', async () => {
    const { clock, timing } = manualTiming();
    const { server } = startServer(agentOf(hang));
    const { agent } = await clientOf(server, { timeout: 400, timing });
    const run = expect(agent.run('hi')).rejects.toMatchObject({ code: 'TIMEOUT' });
    await clock.advance(400);
    await run;
    const stream = agent.sendMessageStream('hi');
    const ended = stream.task;
    await stream.id;
    await clock.advance(4_000);
    await stream.cancel();
    expect((await ended).status.state).toBe('canceled');
    const streaming = agentWith(cardOf({ capabilities: { streaming: true } }));
    const mute: Answer = (request) => (request.method === 'POST' ? silent(request) : streaming(request));
    const { agent: unanswered } = await connect(mute, { timing });
    const begin = unanswered.sendMessageStream('hi', { timeout: 10 }).result;
    const late = expect(begin).rejects.toMatchObject({ code: 'TIMEOUT' });
    await clock.advance(10);
    await late;
  });

  it('is over when a signal says so', async () => {
    const { agent } = await connect(silent);
    const abort = new AbortController();
    const calls = [
      agent.getTask('t', { signal: abort.signal }),
      agent.sendMessage('hi', { signal: abort.signal }),
      agent.run('hi', { signal: abort.signal }),
      agent.sendMessageStream('hi', { signal: abort.signal }).result,
    ];
    const reason = new Error('enough');
    setTimeout(() => abort.abort(reason), 10);
    for (const call of calls) await expect(call).rejects.toBe(reason);
    await expect(agent.getTask('t', { signal: abort.signal })).rejects.toBe(reason);
  });

  it('is over for a whole client', async () => {
    const abort = new AbortController();
    const { agent } = await connect(silent, { signal: abort.signal });
    const call = agent.getTask('t');
    abort.abort(new Error('closing'));
    await expect(call).rejects.toThrow('closing');
  });
});

describe('interceptors', () => {
  it('go around every call, in their order', async () => {
    const seen: string[] = [];
    const noting =
      (name: string): ClientInterceptor =>
      async (call, next) => {
        seen.push(`${name} ${call.operation}`);
        return next({ ...call, headers: { ...call.headers, [`x-${name}`]: 'yes' } });
      };
    const { agent, calls } = await connect(agentWith(cardOf()), { interceptors: [noting('one'), noting('two')] });
    await agent.getTask('t');
    expect(seen).toEqual(['one getTask', 'two getTask']);
    expect(calls()[0]?.headers.get('x-one')).toBe('yes');
    expect(calls()[0]?.headers.get('x-two')).toBe('yes');
  });

  it('may answer themselves, change the result, or refuse', async () => {
    const task = { id: 'made up' };
    const { agent } = await connect(agentWith(cardOf()), {
      interceptors: [
        async (call, next) => {
          if (call.operation === 'getTask') return task;
          if (call.operation === 'cancelTask') throw new A2AError('PERMISSION_DENIED', 'No');
          return next(call);
        },
      ],
    });
    expect(await agent.getTask('t')).toBe(task);
    await expect(agent.cancelTask('t')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await agent.sendMessage('hi')).toMatchObject({ id: 't' });
  });

  it('that fail are not taken for the agent', async () => {
    const problem = new Error('a mistake of mine');
    let times = 0;
    const { agent } = await connect(agentWith(cardOf({ capabilities: { streaming: true } })), {
      interceptors: [
        () => {
          times += 1;
          throw problem;
        },
      ],
    });
    await expect(agent.getTask('t')).rejects.toBe(problem);
    await expect(agent.sendMessageStream('hi').result).rejects.toBe(problem);
    expect(times).toBe(2);
  });

  it('go around streams', async () => {
    const { server } = startServer(agentOf(() => 'hello'));
    const seen: string[] = [];
    const { agent } = await clientOf(server, {
      interceptors: [
        (call, next) => {
          seen.push(call.operation);
          return next(call);
        },
      ],
    });
    expect(await agent.run('hi')).toBe('hello');
    expect(seen).toEqual(['sendStreamingMessage']);
  });
});

it('sends headers that a function makes', async () => {
  let count = 0;
  const { agent, calls } = await connect(agentWith(cardOf()), {
    headers: async () => {
      count += 1;
      return { 'X-Count': String(count) };
    },
  });
  await agent.getTask('t', { headers: { 'x-more': 'yes' } });
  expect(calls()[0]?.headers.get('x-count')).toBe(String(count));
  expect(calls()[0]?.headers.get('x-more')).toBe('yes');
});
