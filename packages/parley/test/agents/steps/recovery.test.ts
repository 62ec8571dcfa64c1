import { type Agent, type AgentDefinition, inputRequired, memory, reject, textOf } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { localBus } from '../../../src/bus/local.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { Runner } from '../../../src/engine/turn/runner.ts';
import { manualClock } from '../../engine/support/manual-clock.ts';
import { SCOPE, SILENT, sendCall, settle, userMessage } from '../../engine/support/puppet.ts';
import { eventually } from '../../support/eventually.ts';
import { textOfTask } from '../../support/frames.ts';
import { livesOn } from '../../support/nodes/lives.ts';
import { type RpcPeer, sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { tempFile } from '../../support/temp-folder.ts';

const resumable = (run: AgentDefinition['run'], more: Partial<AgentDefinition> = {}): Agent =>
  agentOf(run, { resumable: true, ...more });

async function begin(peer: RpcPeer, text = 'go'): Promise<string> {
  return (await peer.call('SendMessage', sendParams(text, {}, { returnImmediately: true }))).task.id;
}

const stateOf = async (peer: RpcPeer, id: string) => (await peer.call('GetTask', { id })).status.state;

async function ended(peer: RpcPeer, id: string): Promise<Wire> {
  await eventually(() => stateOf(peer, id)).toMatch(/COMPLETED|FAILED|REJECTED|CANCELED/);
  return peer.call('GetTask', { id });
}

describe('a step', () => {
  it('has a key that is the same however often it is done, and no other has', async () => {
    const live = livesOn();
    const keys: string[] = [];
    const running = gate();
    const agent = (isLost: boolean) =>
      resumable(async (task) => {
        await task.step('naïve step', ({ idempotencyKey }) => void keys.push(idempotencyKey));
        await task.step('naïve step', async ({ idempotencyKey }) => {
          keys.push(idempotencyKey);
          running.resolve();
          if (isLost) await hang(task);
        });
        return 'done';
      });
    const first = live([agent(true)]);
    const id = await begin(first.peer);
    await running.promise;
    first.kill();
    await ended(live([agent(false)]).peer, id);
    expect(keys).toHaveLength(3);
    expect(keys[1]).toBe(keys[2]);
    expect(keys[0]).not.toBe(keys[1]);
    for (const key of keys) expect(key).toMatch(/^[!-~]+$/);
  });

  it('that failed fails again in the same way, without being done again', async () => {
    const live = livesOn();
    let attempts = 0;
    const lost = gate();
    const agent = (isLost: boolean) =>
      resumable(async (task) => {
        const tried = await task
          .step('risky', () => {
            attempts += 1;
            throw Object.assign(new RangeError('too far'), { code: 'FAR' });
          })
          .catch((error: Error & { code: string }) => `${error.name} ${error.code}: ${error.message}`);
        await task.step('after', () => 1);
        lost.resolve();
        if (isLost) await hang(task);
        await task.step('refused', () => {
          throw reject(`No: ${tried}`);
        });
      });
    const first = live([agent(true)]);
    const id = await begin(first.peer);
    await lost.promise;
    first.kill();
    const { status } = await ended(live([agent(false)]).peer, id);
    expect(status.state).toBe('TASK_STATE_REJECTED');
    expect(status.message.parts[0].text).toBe('No: RangeError FAR: too far');
    expect(attempts).toBe(1);
  });

  it('may have a large result, and may be all that a commit has', async () => {
    const [file, held] = [tempFile(), memory()];
    for (const open of [() => held, () => sqlite(file)]) {
      const store = open();
      const lost = gate();
      const agent = (isLost: boolean) =>
        resumable(async (task) => {
          const large = await task.step('large', () => 'x'.repeat(3_000_000));
          const nothing = await task.step('nothing', () => undefined);
          lost.resolve();
          if (isLost) await hang(task);
          return `${large.length} ${nothing}`;
        });
      const first = livesOn(store)([agent(true)]);
      const id = await begin(first.peer);
      await lost.promise;
      first.kill();
      await store.close();
      const second = livesOn(open())([agent(false)]);
      expect(textOfTask(await ended(second.peer, id))).toBe('3000000 undefined');
      await second.server.close();
    }
  });

  it('is done in a cancel handler as well, also while a run is still on its way to where it was', async () => {
    const live = livesOn();
    const lost = gate();
    const agent = (isLost: boolean) =>
      resumable(async (task) => {
        task.onCancel(async () => {
          await task.write(`, ${await task.step('release', () => 'released')}`);
        });
        await task.write('held');
        if (!isLost) await hang(task);
        await task.step('hold', () => 1);
        lost.resolve();
        await hang(task);
      });
    const first = live([agent(true)]);
    const id = await begin(first.peer);
    await lost.promise;
    first.kill();
    const { peer } = live([agent(false)]);
    const task = await peer.call('CancelTask', { id });
    expect(task.status.state).toBe('TASK_STATE_CANCELED');
    expect(textOfTask(task)).toBe('held, released');
  });
});

describe('a run that is taken up', () => {
  it('gets the messages again that it had taken, and no others before it', async () => {
    const live = livesOn();
    const [ready, lost] = [gate(), gate()];
    const agent = (isLost: boolean) =>
      resumable(async (task) => {
        const none = task.messages().take();
        await task.step('begin', () => ready.resolve());
        const taken: string[] = [];
        for await (const message of task.messages()) {
          taken.push(textOf(message));
          if (taken.length === 2) break;
        }
        await task.step('taken', () => 1);
        lost.resolve();
        if (isLost) await hang(task);
        const rest = task.messages().take().map(textOf);
        return `${none.length} ${taken.join()} ${rest.join()}`;
      });
    const first = live([agent(true)]);
    const id = await begin(first.peer);
    await ready.promise;
    const send = (peer: RpcPeer, words: string) =>
      peer.call('SendMessage', sendParams(words, { taskId: id }, { returnImmediately: true }));
    await send(first.peer, 'one');
    await send(first.peer, 'two');
    await lost.promise;
    await send(first.peer, 'three');
    first.kill();
    expect(textOfTask(await ended(live([agent(false)]).peer, id))).toBe('0 one,two three');
  });

  it('fails as before where the agent is gone or can no longer be resumed', async () => {
    for (const run of ['gone', 'changed']) {
      const live = livesOn();
      const lost = gate();
      const first = live([
        resumable(async (task) => {
          await task.step('first', () => 1);
          lost.resolve();
          await hang(task);
        }),
      ]);
      const id = await begin(first.peer);
      await lost.promise;
      first.kill();
      const store = live([agentOf(async () => 'other', { name: run === 'gone' ? 'other' : 'test' })]);
      const peer = run === 'gone' ? store.peer.at('/a2a/agents/test') : store.peer;
      if (run === 'gone') {
        await store.peer.call('SendMessage', sendParams('go'));
        const back = live([resumable(async () => 'back')]);
        expect((await ended(back.peer, id)).status.message.metadata.reason).toBe('server-restarted');
      } else {
        expect((await ended(peer, id)).status.message.metadata.reason).toBe('server-restarted');
      }
    }
  });

  it('is left to the next server by one that is closed, and so is what it has called', async () => {
    const store = sqlite(tempFile());
    const live = livesOn(store);
    const lost = gate();
    const child = (isLost: boolean) =>
      resumable(
        async (task) => {
          await task.step('dig', () => 1);
          lost.resolve();
          if (isLost) await hang(task);
          return 'gold';
        },
        { name: 'child' },
      );
    const parent = (of: Agent) => resumable(async (task) => `found ${textOf(await task.call(of, 'go').task)}`);
    const before = child(true);
    const first = live([parent(before), before]);
    const id = await begin(first.peer);
    await lost.promise;
    await eventually(async () => (await first.peer.call('GetTask', { id })).metadata).toBeDefined();
    await first.server.close();
    const after = child(false);
    const second = live([parent(after), after]);
    expect(textOfTask(await ended(second.peer, id))).toBe('found gold');
    await second.server.close();
  });

  it('knows what was said before its turn began, and nothing that was unread then', async () => {
    const live = livesOn();
    const [started, go, lost] = [gate(), gate(), gate()];
    const seen: string[][] = [];
    const agent = (isLost: boolean) =>
      resumable(async (task) => {
        seen.push(task.history.map(textOf));
        if (task.text === 'go') {
          await task.status('Looking');
          started.resolve();
          await go.promise;
          return inputRequired('Which?');
        }
        await task.step('first', () => 1);
        lost.resolve();
        if (isLost) await hang(task);
        return 'done';
      });
    const first = live([agent(true)]);
    const id = await begin(first.peer);
    await started.promise;
    for (const words of ['this', 'that']) {
      await first.peer.call('SendMessage', sendParams(words, { taskId: id }, { returnImmediately: true }));
    }
    go.resolve();
    await lost.promise;
    first.kill();
    await ended(live([agent(false)]).peer, id);
    expect(seen).toEqual([[], ['go', 'Looking', 'Which?'], ['go', 'Looking', 'Which?']]);
  });

  it('joins the task of a call that had been sent and not recorded', async () => {
    const inner = memory();
    const live = livesOn(inner);
    const sent = gate();
    let runs = 0;
    let kill = () => {};
    const child = resumable(
      async () => {
        runs += 1;
        // The child is on disk by its first step; its caller does not know of it yet.
        kill();
        sent.resolve();
        return 'gold';
      },
      { name: 'child' },
    );
    const parent = resumable(async (task) => `found ${textOf(await task.call(child, 'go').task)}`);
    const first = live([parent, child]);
    kill = first.kill;
    const id = await begin(first.peer);
    await sent.promise;
    kill = () => {};
    const second = live([parent, child], { anonymous: 'shared' });
    const task = await ended(second.peer, id);
    expect(textOfTask(task)).toBe('found gold');
    const { tasks } = await second.peer.at('/a2a/agents/child').call('ListTasks', {});
    expect(tasks).toHaveLength(1);
    expect(runs).toBe(2);
  });
});

describe('the deadline of a run that is taken up', () => {
  it('does not count the time in which it waited for an answer', async () => {
    const store = memory();
    const clock = manualClock();
    let deadline = 0;
    const runner: Runner = {
      name: 'puppet',
      resumable: true,
      async run(handle) {
        await handle.questions.ask({ parts: [{ kind: 'text', text: 'Which?' }] }, 'input-required');
        await handle.steps.perform('then', async () => null);
        deadline = handle.deadline.getTime();
        return { state: 'completed' };
      },
    };
    const start = async () => {
      const engine = new Engine({ store, bus: localBus(), runners: [runner], log: SILENT, clock });
      await engine.open();
      return engine;
    };
    const begun = clock.now();
    const first = await start();
    const task = await first.send({ ...sendCall(userMessage('go')), deadline: begun + 60_000 });
    const id = 'status' in task ? task.id : '';
    await settle(12);
    await clock.advance(600_000);
    const second = await start();
    await second.send(sendCall(userMessage('this one', { taskId: id })));
    await settle(30);
    expect((await second.get(SCOPE, { id })).status.state).toBe('completed');
    expect(deadline).toBe(begun + 660_000);
  });
});
