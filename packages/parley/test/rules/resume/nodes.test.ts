import { inputRequired } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { brings, idsOf, kindOf, payloadsOf, stateOf, textOfStream, textOfTask } from '../../support/frames.ts';
import { sharedNodes } from '../../support/other-caller.ts';
import { sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';

/** Two servers on one store, each of which hosts the agent. */
function twoNodes(agent: ReturnType<typeof agentOf>) {
  const nodes = sharedNodes();
  return { one: startServer(agent, nodes), two: startServer(agent, nodes) };
}

describe('on another node', () => {
  it('a stream is resumed at any position, live and after its end [rule:resume.any-node]', async () => {
    const go = gate();
    const { one, two } = twoNodes(
      agentOf(async function* (task) {
        for (let index = 0; index < 20; index += 1) yield `${index} `;
        await task.status('half');
        await go.promise;
        for (let index = 20; index < 40; index += 1) yield `${index} `;
      }),
    );
    const sent = await one.peer.open('SendStreamingMessage', sendParams('go'));
    const before = await sent.until((frame) => JSON.stringify(frame).includes('half'));
    const { id } = before[0]?.result.task ?? {};
    const now = before.at(-1)?.id ?? 0;
    const streams = await Promise.all(
      Array.from({ length: now + 1 }, (_, position) =>
        two.peer.open('SubscribeToTask', { id }, { 'last-event-id': String(position) }),
      ),
    );
    const readings = streams.map((stream) => stream.rest());
    const snapshot = two.peer.stream('SubscribeToTask', { id });
    await eventually(() => two.server.load.subscriptions).toBe(now + 2);
    go.resolve();
    const updates = [...before.slice(1), ...(await sent.rest())];
    for (const [position, reading] of readings.entries()) {
      const rest = await reading;
      const expected = updates.filter((frame) => (frame.id ?? 0) > position);
      expect(idsOf(rest)).toEqual(idsOf(expected));
      expect(payloadsOf(rest)).toEqual(payloadsOf(expected));
    }
    const [task, ...rest] = await snapshot;
    expect(kindOf(task)).toBe('task');
    expect(textOfTask(task?.result.task) + textOfStream(rest)).toBe(textOfStream(updates));
    const last = updates.at(-1)?.id ?? 0;
    for (let position = 0; position < last; position += 1) {
      const replay = await two.peer.stream('SubscribeToTask', { id }, { 'last-event-id': String(position) });
      expect(payloadsOf(replay)).toEqual(payloadsOf(updates.filter((frame) => (frame.id ?? 0) > position)));
    }
    expect(await two.peer.call('GetTask', { id })).toEqual(await one.peer.call('GetTask', { id }));
  });

  it('a task can be answered, canceled and asked for [rule:resume.any-node]', async () => {
    const { one, two } = twoNodes(agentOf(async (task) => `${await task.ask('Which one?')} it is`));
    const asked = await one.peer.send('go');
    expect(await two.peer.call('GetTask', { id: asked.id })).toEqual(asked);
    const answered = await two.peer.send('this', { taskId: asked.id });
    expect(textOfTask(answered)).toBe('this it is');
    expect(await one.peer.call('GetTask', { id: asked.id })).toEqual(answered);
    const second = await one.peer.send('go');
    expect((await two.peer.call('CancelTask', { id: second.id })).status.state).toBe('TASK_STATE_CANCELED');
    expect((await one.peer.call('GetTask', { id: second.id })).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('a send with a known key joins the first one, also while both are on their way [rule:idempotency.joins]', async () => {
    let runs = 0;
    const go = gate();
    const { one, two } = twoNodes(
      agentOf(async function* () {
        runs += 1;
        yield 'one ';
        await go.promise;
        yield 'two';
      }),
    );
    const params = sendParams('go');
    const key = { 'idempotency-key': 'k-1' };
    const stream = await one.peer.open('SendStreamingMessage', params, key);
    const frames = await stream.until(brings('one '));
    const joined = two.peer.stream('SendStreamingMessage', params, key);
    const blocking = two.peer.call('SendMessage', params, key);
    go.resolve();
    expect(textOfStream(await joined)).toBe('one two');
    expect(stateOf((await joined).at(-1))).toBe('TASK_STATE_COMPLETED');
    expect((await blocking).task.id).toBe(frames[0]?.result.task.id);
    expect(runs).toBe(1);
    const again = await two.peer.call('SendMessage', params, key);
    expect(again.task).toEqual(await one.peer.call('GetTask', { id: again.task.id }));
    expect(runs).toBe(1);
  });

  it('only one of two nodes takes up a task that waits, and both answers count [rule:resume.one-writer]', async () => {
    const turns: string[] = [];
    const { one, two } = twoNodes(
      agentOf(async (task) => {
        turns.push(task.text);
        return inputRequired('more?');
      }),
    );
    const { id } = await one.peer.send('go');
    for (let round = 0; round < 10; round += 1) {
      const sends = [one, two].map(({ peer }, index) =>
        peer.request('SendMessage', sendParams(`${round}.${index}`, { taskId: id })),
      );
      const responses = await Promise.all(sends);
      const accepted = responses.filter((response) => response.status === 200).length;
      expect(accepted).toBeGreaterThanOrEqual(1);
    }
    const replay = await one.peer.open('SubscribeToTask', { id }, { 'last-event-id': '0' });
    await replay.close();
    const task = await two.peer.call('GetTask', { id });
    expect(await one.peer.call('GetTask', { id })).toEqual(task);
    const texts: string[] = task.history.map((message: { parts: { text: string }[] }) => message.parts[0]?.text);
    const said = texts.filter((text) => text !== 'more?');
    expect(new Set(said).size).toBe(said.length);
    expect(turns.filter((text) => said.includes(text)).toSorted()).toEqual(said.toSorted());
  });
});
