import { A2AServer } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { idsOf, payloadsOf, stateOf, textOfStream } from '../support/frames.ts';
import { type RpcFrame, RpcPeer, sendParams } from '../support/rpc.ts';
import { streamOf } from './load/calls.ts';
import { Random } from './load/random.ts';
import { seedOf } from './load/seed.ts';
import { BadLine, type Mishap } from './server/proxy.ts';
import { scriptAgent, textOfScript } from './server/script-agent.ts';

const seed = seedOf();
const CLIENTS = 4;

interface Line {
  readonly server: A2AServer;
  readonly proxy: BadLine;
  /** Past the proxy. */
  readonly direct: RpcPeer;
  readonly peer: RpcPeer;
}

async function badLine(next: () => Mishap): Promise<Line> {
  const server = new A2AServer({ agents: [scriptAgent()] });
  await server.listen({ port: 0 });
  const { port } = new URL(server.url ?? '');
  const direct = new RpcPeer((request) => fetch(request), `${server.url}/a2a`);
  const proxy = new BadLine(Number(port), next);
  const url = await proxy.listen();
  onTestFinished(async () => {
    await proxy.close();
    await server.close();
  });
  // A connection for each request, so that each meets with its own mishap.
  const peer = new RpcPeer((request) => fetch(request), `${url}/a2a`);
  return { server, proxy, direct, peer };
}

/** Reads until the end of the stream or of its connection; a frame that came in part is none. */
async function readOn(frames: RpcFrame[], response: Promise<Response>): Promise<void> {
  try {
    const stream = streamOf(await response);
    for (let frame = await stream?.next(); frame; frame = await stream?.next()) frames.push(frame);
  } catch {
    // To be resumed.
  }
}

/** Sends through the bad line and resumes until the task has ended. */
async function readThrough(peer: RpcPeer, text: string) {
  const frames: RpcFrame[] = [];
  const key = crypto.randomUUID();
  const params = sendParams(text);
  const close = { connection: 'close' };
  while (frames.length === 0) {
    await readOn(frames, peer.request('SendStreamingMessage', params, { ...close, 'idempotency-key': key }));
  }
  const { id } = frames[0]?.result.task ?? {};
  while (!hasEnded(frames)) {
    const position = { 'last-event-id': String(frames.at(-1)?.id) };
    await readOn(frames, peer.request('SubscribeToTask', { id }, { ...close, ...position }));
  }
  return { id: id as string, frames };
}

/** Also a first frame may show the end, if the send had to be repeated. */
const hasEnded = (frames: readonly RpcFrame[]) => stateOf(frames.at(-1)) === 'TASK_STATE_COMPLETED';

/** Several clients at once; each has read exactly what the log holds. */
async function expectExact({ peer, direct, server }: Line, text: string): Promise<void> {
  const results = await Promise.all(Array.from({ length: CLIENTS }, () => readThrough(peer, text)));
  for (const { id, frames } of results) {
    const [first, ...updates] = frames;
    const log = await direct.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
    const whole = log.filter((frame) => (frame.id ?? 0) > (first?.id ?? 0));
    expect(idsOf(updates)).toEqual(idsOf(whole));
    expect(payloadsOf(updates)).toEqual(payloadsOf(whole));
    expect(textOfStream(frames)).toBe(textOfScript(text));
  }
  expect((await direct.call('ListTasks', {})).totalSize).toBe(CLIENTS);
  await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
}

describe(`streams through a bad line, seed ${seed}`, () => {
  for (const end of ['cut', 'half-close'] as const) {
    it(`are exact when each connection ends at any byte (${end}) [rule:resume.last-event-id]`, async () => {
      const random = new Random(seed, end.length);
      const line = await badLine(() => ({
        end,
        endAfter: random.between(1, 4000),
        piece: random.pick([1, 7, 100, 10_000]),
      }));
      await expectExact(line, 'count 120 10');
      expect(line.proxy.connections).toBeGreaterThan(2 * CLIENTS);
    });
  }

  it('are exact when every byte comes by itself [rule:resume.last-event-id]', async () => {
    await expectExact(await badLine(() => ({ piece: 1 })), 'count 40 3');
  });

  it('are exact when what was written waits on the way [rule:resume.last-event-id]', async () => {
    const random = new Random(seed, 3);
    const next = () => ({ delay: random.between(1, 20), endAfter: random.between(500, 9000) });
    await expectExact(await badLine(next), 'count 200 20');
  });
});
