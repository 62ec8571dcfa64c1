import { A2AServer, defineAgent, memory } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { pause } from '../support/script.ts';

const NUMBERS = 12;
const RESTARTS = 8;

/** Counts, with a step before each number. */
const counter = defineAgent({
  name: 'counter',
  description: 'Counts',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    for (let number = 0; number < NUMBERS; number += 1) {
      await task.step(`count ${number}`, () => pause(3));
      yield `${task.text}:${number} `;
    }
  },
});

const expected = (text: string) => Array.from({ length: NUMBERS }, (_, number) => `${text}:${number} `).join('');

/** Two nodes behind a balancer that sends a request which is unavailable to the other one, once. */
function cluster() {
  const [store, bus] = [memory({ shared: true }), localBus()];
  const serve = () =>
    new A2AServer({ agents: [counter], store, bus, drainTimeout: 10, log: { error() {}, warn() {} } });
  const servers = [serve(), serve()] as const;
  const nodes: A2AServer[] = [...servers];
  let turn = 0;
  const balanced = async (request: Request): Promise<Response> => {
    turn += 1;
    const [first, second] = [nodes[turn % 2], nodes[(turn + 1) % 2]];
    const response = await first?.fetch(request.clone());
    if (response && response.status !== 503) return response;
    return (await second?.fetch(request)) ?? Response.error();
  };
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.close()));
  });
  return {
    store,
    peer: new RpcPeer(balanced),
    /** Stops a node and puts another one in its place. */
    async restart(index: number) {
      const next = serve();
      await next.open();
      const old = nodes[index];
      await old?.close();
      nodes[index] = next;
    },
  };
}

it('a rolling restart of two nodes under load loses no event, and one retry hides each refusal', async () => {
  const nodes = cluster();
  const { peer, store } = nodes;
  let isOver = false;
  let sent = 0;
  let comebacks = 0;
  /** Sends a task as a stream and reads it to its end, across nodes. */
  const stream = async (): Promise<void> => {
    sent += 1;
    const name = `t${sent}`;
    const opened = await peer.open('SendStreamingMessage', sendParams(name));
    let frames = await opened.rest();
    const id: string = frames[0]?.result.task.id;
    const ids: number[] = [];
    let [got, state] = ['', ''];
    for (;;) {
      for (const { id: position, result } of frames) {
        if (position !== undefined) ids.push(position);
        const { artifactUpdate, statusUpdate, task } = result;
        const text = artifactUpdate?.artifact.parts.map((part: { text: string }) => part.text).join('') ?? '';
        // A run that is taken up writes once more what came behind its last step.
        got = artifactUpdate && !artifactUpdate.append ? text : got + text;
        state = (statusUpdate ?? task)?.status.state ?? state;
      }
      if (state === 'TASK_STATE_COMPLETED') break;
      comebacks += 1;
      frames = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': String(ids.at(-1)) });
    }
    expect([got, ids]).toEqual([expected(name), [...new Set(ids)].toSorted((one, other) => one - other)]);
  };
  const busy = Array.from({ length: 6 }, async () => {
    while (!isOver) await stream();
  });
  const load = Promise.all(busy);
  for (let number = 0; number < RESTARTS; number += 1) {
    const before = sent;
    await Promise.race([expect.poll(() => sent).toBeGreaterThan(before + 3), load]);
    await nodes.restart(number % 2);
  }
  isOver = true;
  await load;
  const { heads, total } = await store.list({ agent: 'counter', limit: 10_000 });
  expect(total).toBe(sent);
  expect(new Set(heads.map(({ status }) => status.state))).toEqual(new Set(['completed']));
  // The restarts were felt.
  expect(comebacks).toBeGreaterThan(0);
});
