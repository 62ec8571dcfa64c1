import { A2AServer, type Agent, memory, type TaskContext } from 'parley-a2a';
import { QUESTIONS_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { textOfTask } from '../support/frames.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { livesOn } from '../support/nodes/lives.ts';
import { RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

/** Servers one after the other on the same store, with the same clock. */
function restarts(run: (task: TaskContext) => Promise<unknown>) {
  const clock = new ManualClock();
  const store = memory();
  const agent: Agent = agentOf(async (task) => `got ${JSON.stringify(await run(task))}`, { resumable: true });
  let server: A2AServer | undefined;
  onTestFinished(() => server?.close());
  const start = async () => {
    await server?.close();
    const log = { error: () => {}, warn: () => {} };
    server = new A2AServer({ agents: [agent], store, clock, log, drainTimeout: 0 });
    return new RpcPeer(server.fetch);
  };
  return { clock, start };
}

const openOf = ({ status }: Wire): Wire[] => status.message?.metadata?.[QUESTIONS_EXTENSION]?.open ?? [];
const idsOf = (task: Wire): string[] => openOf(task).map(({ id }) => id);
const look = (peer: RpcPeer, id: string): Promise<Wire> => peer.call('GetTask', { id });
const result = (id: string | undefined, value: unknown) => ({ data: { requestId: id, result: value } });

describe('several open questions of a resumable agent', () => {
  it('are answered together after a restart', async () => {
    const { start } = restarts((task) => Promise.all([task.ask('One?'), task.ask('Two?')]));
    const task = await (await start()).send('go');
    const [one, two] = idsOf(task);
    const peer = await start();
    const done = await peer.send('', { taskId: task.id, parts: [result(two, 'b'), result(one, 'a')] });
    expect(textOfTask(done)).toBe('got ["a","b"]');
  });

  it('refuse after a restart what they refused before it', async () => {
    const { start } = restarts((task) => Promise.all([task.ask('One?'), task.ask('Two?')]));
    const task = await (await start()).send('go');
    const peer = await start();
    const error = await peer.error('SendMessage', sendParams('', { taskId: task.id, parts: [result('other', 'b')] }));
    expect(error.code).toBe(-32602);
    await peer.send('a', { taskId: task.id });
    expect(textOfTask(await peer.send('b', { taskId: task.id }))).toBe('got ["a","b"]');
  });

  it('refuse an answer that came before the restart, and comes again', async () => {
    const { start } = restarts((task) => Promise.all([task.ask('One?'), task.ask('Two?')]));
    const before = await start();
    const task = await before.send('go');
    const [one] = idsOf(task);
    await before.send('', { taskId: task.id, parts: [result(one, 'a')] });
    const peer = await start();
    const again = sendParams('', { taskId: task.id, parts: [result(one, 'a')] });
    expect((await peer.error('SendMessage', again)).message).toBe('The task no longer waits for this answer');
    expect(textOfTask(await peer.send('b', { taskId: task.id }))).toBe('got ["a","b"]');
  });

  it('are waited for, while a restart takes up the work on the answer to another of them', async () => {
    const live = livesOn();
    const hangs = [new Promise<never>(() => {}), undefined];
    let works = 0;
    const branching = agentOf(
      async (task) => {
        const work = async (answer: string) => {
          works += 1;
          await hangs.shift();
          return `${answer} done`;
        };
        const one = async () => {
          const answer = await task.ask('One?');
          return task.step('work', () => work(answer));
        };
        return `got ${JSON.stringify(await Promise.all([one(), task.ask('Two?')]))}`;
      },
      { resumable: true },
    );
    const first = live([branching]);
    const task = await first.peer.send('go');
    await first.peer.send('', { taskId: task.id, parts: [result(idsOf(task)[0], 'a')] });
    await eventually(() => works).toBe(1);
    first.kill();
    const next = live([branching]);
    await next.server.open();
    await eventually(() => works).toBe(2);
    await eventually(async () => (await look(next.peer, task.id)).status.message.parts).toEqual([{ text: 'Two?' }]);
    expect(textOfTask(await next.peer.send('b', { taskId: task.id }))).toBe('got ["a done","b"]');
  });

  it('have times of their own, across a restart and a partial answer', async () => {
    const { start, clock } = restarts((task) =>
      Promise.all([
        task.ask({ prompt: 'One?', timeout: 60_000, onTimeout: 'late' }),
        task.ask('Two?'),
        task.ask({ prompt: 'Three?', timeout: 3_600_000, onTimeout: 'never' }),
      ]),
    );
    const task = await (await start()).send('go');
    const [, two, three] = idsOf(task);
    const peer = await start();
    await eventually(async () => idsOf(await look(peer, task.id)).length).toBe(3);
    await clock.advance(60_000);
    await eventually(async () => idsOf(await look(peer, task.id))).toEqual([two, three]);
    await peer.send('', { taskId: task.id, parts: [result(two, 'b')] });
    await clock.advance(3_600_000);
    await eventually(async () => textOfTask(await look(peer, task.id))).toBe('got ["late","b","never"]');
  });

  it('take the answer to one whose time was over while the server was down as no answer to another', async () => {
    const { start, clock } = restarts((task) =>
      Promise.all([task.ask({ prompt: 'One?', timeout: 1_000, onTimeout: 'late' }), task.ask('Two?')]),
    );
    const first = await start();
    const task = await first.send('go');
    const [one, two] = idsOf(task);
    // The next server has not come so far when the answer comes.
    await clock.advance(0);
    const peer = await start();
    await clock.advance(2_000);
    await eventually(async () => (await look(peer, task.id)).status.message.metadata[QUESTIONS_EXTENSION].id).toBe(two);
    const named = { [QUESTIONS_EXTENSION]: { id: one } };
    const error = await peer.error('SendMessage', sendParams('a', { taskId: task.id, metadata: named }));
    expect(error.message).toBe('The task no longer waits for this answer');
    expect(textOfTask(await peer.send('b', { taskId: task.id }))).toBe('got ["late","b"]');
  });

  it('leave the memory together, and come back with an answer to one of them', async () => {
    const { start, clock } = restarts((task) => Promise.all([task.ask('One?'), task.ask('Two?')]));
    const peer = await start();
    const task = await peer.send('go');
    const [, two] = idsOf(task);
    await clock.advance(11 * 60_000);
    const half = await peer.send('', { taskId: task.id, parts: [result(two, 'b')] });
    expect(half.status.message.parts).toEqual([{ text: 'One?' }]);
    await clock.advance(11 * 60_000);
    expect(textOfTask(await peer.send('a', { taskId: task.id }))).toBe('got ["a","b"]');
  });

  it('do not count the time that they were waited for towards the deadline of the run', async () => {
    const { start, clock } = restarts((task) =>
      Promise.all([task.ask('One?'), task.ask('Two?')]).then((answers) => [answers, task.deadline.getTime()]),
    );
    const peer = await start();
    const begun = clock.now();
    const task = await peer.send('go');
    await clock.advance(1_000);
    await peer.send('a', { taskId: task.id });
    await clock.advance(2_000);
    const [, deadline] = JSON.parse(textOfTask(await peer.send('b', { taskId: task.id })).slice('got '.length));
    expect(deadline - begun).toBe(3_600_000 + 3_000);
  });
});
