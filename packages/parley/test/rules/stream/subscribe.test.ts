import { authRequired, inputRequired, type TaskContext } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { agentOfStates, INTERRUPTED, TERMINAL, taskIn } from '../../support/agents/states.ts';
import { eventually } from '../../support/eventually.ts';
import { brings, idsOf, kindOf, shows, stateOf, statesOf, textOfStream, textOfTask } from '../../support/frames.ts';
import { otherCaller, sharedNodes } from '../../support/other-caller.ts';
import { type OpenStream, sendParams, startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang, pause } from '../../support/script.ts';

describe('the first event of a subscription', () => {
  it('is the task as GetTask gives it [rule:subscribe.first-task]', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async function* (task) {
        await task.status('reading');
        yield 'some text';
        yield { kind: 'data', data: { rows: 3 } };
        await task.artifact({ artifactId: 'table', name: 'table' }).end('a,b');
        await task.status('writing');
        await go.promise;
      }),
    );
    const sent = await peer.open('SendStreamingMessage', sendParams('go'));
    const frames = await sent.until((frame) => JSON.stringify(frame).includes('writing'));
    const { id } = frames[0]?.result.task ?? {};
    const stream = await peer.open('SubscribeToTask', { id });
    const first = await stream.next();
    expect(kindOf(first)).toBe('task');
    expect(first?.result.task).toEqual(await peer.call('GetTask', { id }));
    expect(first?.result.task.status.state).toBe('TASK_STATE_WORKING');
    expect(first?.result.task.artifacts).toHaveLength(2);
    go.resolve();
    expect((await stream.rest()).map(kindOf)).not.toContain('task');
  });

  for (const state of INTERRUPTED) {
    it(`is the task that waits in ${state} [rule:subscribe.interrupted] [rule:subscribe.first-task]`, async () => {
      const { peer, server } = startServer(agentOfStates());
      const id = await taskIn(peer, state);
      const stream = await peer.open('SubscribeToTask', { id });
      const first = await stream.next();
      expect(first?.result.task).toEqual(await peer.call('GetTask', { id }));
      expect(stateOf(first)).toBe(state);
      await stream.close();
      await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }
});

describe('between the snapshot and the first update', () => {
  it('no event is lost or repeated, whenever one subscribes [rule:subscribe.atomic]', async () => {
    const pieces = Array.from({ length: 400 }, (_, index) => `${index} `);
    const { peer } = startServer(
      agentOf(async function* (task) {
        for (const [index, piece] of pieces.entries()) {
          yield piece;
          if (index % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
          if (index % 40 === 0) await pause(2);
          if (index % 90 === 0) await task.status(`at ${index}`);
        }
      }),
    );
    const sent = await peer.open('SendStreamingMessage', sendParams('go'));
    const first = await sent.next();
    const { id } = first?.result.task ?? {};
    const reading = sent.rest();
    const subscribed: Promise<void>[] = [];
    const check = async (stream: OpenStream) => {
      const [snapshot, ...updates] = await stream.rest();
      const all = await reading;
      expect(kindOf(snapshot)).toBe('task');
      expect(textOfTask(snapshot?.result.task) + textOfStream(updates)).toBe(pieces.join(''));
      const tail = all.filter((frame) => (frame.id ?? 0) > (snapshot?.id ?? 0));
      expect(idsOf(updates)).toEqual(idsOf(tail));
      expect(stateOf(updates.at(-1))).toBe('TASK_STATE_COMPLETED');
    };
    let finished = false;
    void reading.then(() => {
      finished = true;
    });
    while (!finished) {
      const response = await peer.open('SubscribeToTask', { id }).catch(() => undefined);
      if (response) subscribed.push(check(response));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(subscribed);
    expect(subscribed.length).toBeGreaterThan(5);
  });

  it('nothing is lost when a quiet task goes on at that very moment [rule:subscribe.atomic]', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { peer } = startServer(agentOf((task) => (task.text === 'go' ? inputRequired('more?') : 'the rest')));
      const { id } = await peer.send('go');
      const [subscribed, answered] = await Promise.all([
        peer.open('SubscribeToTask', { id }).then((stream) => stream.rest()),
        peer.send('yes', { taskId: id }),
      ]);
      expect(answered.status.state).toBe('TASK_STATE_COMPLETED');
      const [snapshot, ...updates] = subscribed;
      expect(textOfTask(snapshot?.result.task) + textOfStream(updates)).toBe('the rest');
      expect(stateOf(subscribed.at(-1))).toBe('TASK_STATE_COMPLETED');
    }
  });
});

describe('a subscription is refused', () => {
  for (const state of TERMINAL) {
    it(`to a task that is ${state} [rule:subscribe.terminal]`, async () => {
      const { peer, server } = startServer(agentOfStates());
      const id = await taskIn(peer, state);
      const error = await peer.error('SubscribeToTask', { id });
      expect(error.code).toBe(-32004);
      expect(error.data[0]).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', domain: 'a2a-protocol.org' });
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }

  it('to a task that nobody knows [rule:subscribe.unknown]', async () => {
    const { peer, server } = startServer(agentOfStates());
    for (const position of [undefined, '3', 'x']) {
      const headers: Record<string, string> = position ? { 'last-event-id': position } : {};
      const error = await peer.error('SubscribeToTask', { id: 'unknown' }, headers);
      expect(error.code).toBe(-32001);
      expect(error.data[0]).toMatchObject({ reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' });
    }
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('to a task of another caller, another tenant or another agent, as if it did not exist [rule:subscribe.unknown]', async () => {
    const nodes = sharedNodes();
    const agent = agentOf(() => inputRequired('more?'));
    const ann = await otherCaller(agent, nodes);
    const other = agentOf(() => inputRequired('more?'), { name: 'other' });
    const { peer } = startServer([agent, other], { ...nodes, tenants: ['acme'] });
    const foreign = await ann.send('go');
    const ofTenant = (await peer.call('SendMessage', { ...sendParams('go'), tenant: 'acme' })).task;
    const ofOther = await peer.at('/a2a/agents/other').send('go');
    const unknown = await peer.error('SubscribeToTask', { id: 'unknown' });
    for (const id of ['id' in foreign ? foreign.id : '', ofTenant.id, ofOther.id]) {
      for (const position of [undefined, '2']) {
        const headers: Record<string, string> = position ? { 'last-event-id': position } : {};
        const error = await peer.error('SubscribeToTask', { id }, headers);
        expect(JSON.stringify(error).replaceAll(id, 'unknown')).toBe(JSON.stringify(unknown));
      }
    }
  });
});

describe('a subscription stays open', () => {
  it('through questions and authorizations until the task ends [rule:subscribe.stays-open]', async () => {
    const { peer } = startServer(
      agentOf((task) => {
        if (task.text === 'one') return inputRequired('two?');
        if (task.text === 'two') return authRequired('three?');
        return 'done';
      }),
    );
    const { id } = await peer.send('one');
    const stream = await peer.open('SubscribeToTask', { id });
    const reading = stream.rest();
    await peer.send('two', { taskId: id });
    await peer.send('three', { taskId: id });
    expect(statesOf(await reading)).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_AUTH_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_COMPLETED',
    ]);
  });

  it('through questions of a run that waits [rule:subscribe.stays-open]', async () => {
    const started = gate<TaskContext>();
    const { peer } = startServer(
      agentOf(async function* (task) {
        started.resolve(task);
        yield `<${await task.ask('one?')}>`;
        yield `<${await task.ask('two?', { state: 'auth-required' })}>`;
      }),
    );
    const { id } = await peer.send('go');
    const stream = await peer.open('SubscribeToTask', { id });
    await stream.until(shows('TASK_STATE_INPUT_REQUIRED'));
    await peer.send('1', { taskId: id });
    await stream.until(brings('<1>'));
    await stream.until(shows('TASK_STATE_AUTH_REQUIRED'));
    await peer.send('2', { taskId: id });
    const rest = await stream.rest();
    expect(textOfStream(rest)).toBe('<2>');
    expect(stateOf(rest.at(-1))).toBe('TASK_STATE_COMPLETED');
  });

  it('and has no end of its own while the task works', async () => {
    const { peer, server } = startServer(agentOf((task) => hang(task)));
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    const stream = await peer.open('SubscribeToTask', { id });
    await stream.next();
    const next = Promise.race([stream.next(), pause(50).then(() => 'still open')]);
    expect(await next).toBe('still open');
    await peer.call('CancelTask', { id });
    expect(server.load.tasks).toBe(0);
  });
});
