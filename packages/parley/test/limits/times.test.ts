import { A2AServer, type A2AServerOptions, type TaskContext } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock, settle } from '../support/manual-clock.ts';
import type { Wire } from '../support/rpc.ts';
import { agentOf, hang } from '../support/script.ts';

const MESSAGE = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'go' }] };

/** A server of JAF whose agent works without an end, and tells how long it may. */
function start(options: Partial<A2AServerOptions> = {}) {
  const clock = new ManualClock();
  const left: number[] = [];
  const work = async function* (task: TaskContext) {
    left.push(task.deadline.getTime() - clock.now());
    yield 'at work';
    await hang(task);
  };
  const log = { error: () => undefined, warn: () => undefined };
  const mounts = [{ path: '/jaf', dialect: 'jaf' }];
  const server = new A2AServer({
    agents: [agentOf(work)],
    clock,
    log,
    mounts,
    drainTimeout: 0,
    ...options,
  });
  onTestFinished(() => server.close());
  const ask = (method: string, configuration: object, headers: Record<string, string>, path: string) =>
    server.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message: MESSAGE, configuration } }),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    );
  const send = (configuration = {}, headers = {}, path = '/jaf') => ask('message/send', configuration, headers, path);
  const stream = (path = '/jaf') => ask('message/stream', {}, {}, path);
  return { clock, left, send, stream };
}

async function answerTo(asking: Promise<Response>): Promise<Wire> {
  return (await asking).json();
}

describe('times at a mount of JAF', () => {
  it('end a message/send that names none after 30 seconds, with the error of the document (S1.6) (S1.10)', async () => {
    const { clock, left, send } = start();
    const answer = answerTo(send());
    await settle();
    expect(left).toEqual([30_000]);
    await clock.advance(30_000);
    expect((await answer).error).toMatchObject({ code: -32006, data: { errorType: 'Timeout' } });
  });

  it('are what the configuration or the headers say, and never more than 300 seconds (S1.5) (S1.10)', async () => {
    const { left, send } = start();
    for (const asking of [
      send({ timeout: 60_000 }),
      send({}, { 'X-A2A-Timeout': '45000' }),
      send({ timeout: 900_000 }),
      send({}, { 'X-A2A-Timeout': '9007199254740991' }),
    ]) {
      asking.catch(() => undefined);
      await settle();
    }
    expect(left).toEqual([60_000, 45_000, 300_000, 300_000]);
  });

  it('close a stream after 600 seconds, and leave its task at work (S1.10)', async () => {
    const { clock, left, stream } = start({ limits: { inactivityTimeout: 0 } });
    const text = (await stream()).text();
    await settle();
    expect(left[0]).toBeGreaterThan(600_000);
    await clock.advance(600_000);
    expect(await text).not.toContain('"final":true');
  });

  it('are those of the settings where there are some (S1.10)', async () => {
    const own = { sendTimeout: 5000, longestTimeout: 8000, streamTimeout: 7000 };
    const { clock, left, send, stream } = start({ mounts: [{ path: '/jaf', dialect: 'jaf', limits: own }] });
    void send().catch(() => undefined);
    await settle();
    void send({ timeout: 900_000 }).catch(() => undefined);
    await settle();
    expect(left).toEqual([5000, 8000]);
    const text = (await stream()).text();
    await clock.advance(7000);
    await text;
  });
});

it('a server has them for all of its addresses, and a request of any dialect keeps to them', async () => {
  const { clock, left, send } = start({ mounts: [], limits: { sendTimeout: 5000, requestTimeout: 2000 } });
  const answer = answerTo(send({ blocking: true }, {}, '/a2a'));
  await settle();
  expect(left).toEqual([5000]);
  await clock.advance(2000);
  // The wait is over before the run is.
  expect((await answer).result.status.state).toBe('working');
});
