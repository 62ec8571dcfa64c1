import { A2AServer, type Agent, memory, type TaskContext } from 'parley-a2a';
import { TOOLS_EXTENSION } from 'parley-a2a/extensions';
import type { Store } from 'parley-a2a/ports';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { textOfTask } from '../../support/frames.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { RpcPeer, sendParams, type Wire } from '../../support/rpc.ts';
import { anyNumber } from '../../support/schemas/small-schemas.ts';
import { agentOf } from '../../support/script.ts';
import { tempFile } from '../../support/temp-folder.ts';

function resumable(run: (task: TaskContext) => Promise<unknown>): Agent {
  return agentOf(async (task) => `got ${JSON.stringify(await run(task))}`, { resumable: true });
}

/** Servers one after the other on what the one before left; the same clock goes on. */
class Restarts {
  readonly clock = new ManualClock();
  readonly logged: unknown[] = [];
  readonly #agent: Agent;
  readonly #store: () => Store;
  #server: A2AServer | undefined;

  constructor(agent: Agent, store: () => Store) {
    this.#agent = agent;
    this.#store = store;
    onTestFinished(() => this.#server?.close());
  }

  async start(): Promise<RpcPeer> {
    await this.#server?.close();
    const record = (message: string, details: unknown) => void this.logged.push([message, details]);
    this.#server = new A2AServer({
      agents: [this.#agent],
      store: this.#store(),
      clock: this.clock,
      log: { error: record, warn: record },
      drainTimeout: 0,
    });
    return new RpcPeer(this.#server.fetch);
  }
}

describe.each<[string, () => () => Store]>([
  [
    'memory',
    () => {
      const store = memory();
      return () => store;
    },
  ],
  [
    'sqlite',
    () => {
      const path = tempFile('questions.db');
      return () => sqlite(path);
    },
  ],
])('a question of a resumable agent, kept in %s', (_, storeOf) => {
  async function begun(run: (task: TaskContext) => Promise<unknown>) {
    const restarts = new Restarts(resumable(run), storeOf());
    const peer = await restarts.start();
    const { task } = await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
    await state(peer, task.id).toBe('TASK_STATE_INPUT_REQUIRED');
    return { restarts, peer, id: task.id as string };
  }

  const state = (peer: RpcPeer, id: string) => eventually(async () => (await look(peer, id)).status.state);
  const look = (peer: RpcPeer, id: string): Promise<Wire> => peer.call('GetTask', { id });

  it('is asked again after a restart as if there had been none', async () => {
    const { restarts, peer, id } = await begun((task) => task.ask({ prompt: 'How many?', schema: anyNumber }));
    await peer.send('many', { taskId: id });
    const second = await restarts.start();
    const asked = await second.send('a few', { taskId: id });
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const third = await restarts.start();
    expect(textOfTask(await third.send('3', { taskId: id }))).toBe('got 3');
    expect((await look(third, id)).history).toHaveLength(7);
    expect(restarts.logged).toEqual([]);
  });

  it('keeps its time limit: what is left of it counts', async () => {
    const { restarts, id } = await begun((task) => task.ask({ prompt: 'Who?', timeout: 10_000, onTimeout: 'nobody' }));
    await restarts.clock.advance(6_000);
    const after = await restarts.start();
    await look(after, id);
    await restarts.clock.advance(3_999);
    expect((await look(after, id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await restarts.clock.advance(1);
    await state(after, id).toBe('TASK_STATE_COMPLETED');
    const task = await look(after, id);
    expect(textOfTask(task)).toBe('got "nobody"');
    // Nobody saw the restart: the question, and then the end of the wait.
    expect(task.history).toHaveLength(2);
    expect(restarts.logged).toEqual([]);
  });

  it('ends its wait at once where the time was up while nothing ran', async () => {
    const { restarts, id } = await begun((task) => task.ask({ prompt: 'Who?', timeout: 10_000 }));
    const closed = await restarts.start();
    await look(closed, id);
    await restarts.clock.advance(5_000);
    // Stopped for so long that the time is over.
    const after = await restarts.start();
    await restarts.clock.advance(5_000);
    await look(after, id);
    await restarts.clock.advance(0);
    await state(after, id).toBe('TASK_STATE_FAILED');
    const { status } = await look(after, id);
    expect(status.message.metadata).toEqual({ reason: 'input-timeout', timeoutSeconds: 10 });
  });

  it('can be answered after any number of restarts', async () => {
    const { restarts, id } = await begun((task) => task.ask({ prompt: 'Who?', timeout: 10_000 }));
    let peer = await restarts.start();
    for (let restart = 0; restart < 8; restart += 1) {
      await look(peer, id);
      await restarts.clock.advance(1_000);
      peer = await restarts.start();
    }
    await look(peer, id);
    expect(textOfTask(await peer.send('Ann', { taskId: id }))).toBe('got "Ann"');
  });

  it('was not answered, and a run that takes the place of this one knows it', async () => {
    const late: string[] = [];
    const { restarts, peer, id } = await begun(async (task) => {
      const first = await task.ask({ prompt: 'Who?', timeout: 10_000, onTimeout: 'nobody' });
      late.push(first);
      return [first, await task.ask('Who then?')];
    });
    await restarts.clock.advance(10_000);
    await eventually(async () => (await look(peer, id)).status.message?.parts[0].text).toBe('Who then?');
    const after = await restarts.start();
    expect(textOfTask(await after.send('Ben', { taskId: id }))).toBe('got ["nobody","Ben"]');
    expect(late).toEqual(['nobody', 'nobody']);
  });

  it('is answered too late where the time was up before', async () => {
    const { restarts, id } = await begun(async (task) => {
      const first = await task.ask({ prompt: 'Who?', timeout: 10_000, onTimeout: 'nobody' });
      return [first, task.messages().take().length];
    });
    await restarts.clock.advance(9_999);
    const after = await restarts.start();
    await look(after, id);
    await restarts.clock.advance(1);
    await state(after, id).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(await look(after, id))).toBe('got ["nobody",0]');
    expect(await after.error('SendMessage', sendParams('Ann', { taskId: id }))).toMatchObject({ code: -32004 });
  });

  it('may be a tool: the result for the call before the restart is taken', async () => {
    const restarts = new Restarts(
      resumable((task) => task.tool('time', {}, { timeout: 10_000 })),
      storeOf(),
    );
    const before = await restarts.start();
    const tools = [{ name: 'time', description: 'Tells the time' }];
    const asked = await before.send('go', { metadata: { [TOOLS_EXTENSION]: { tools } } });
    const { toolUseId } = asked.status.message.parts[1].data;
    const after = await restarts.start();
    await look(after, asked.id);
    const done = await after.send('', { taskId: asked.id, parts: [{ data: { toolUseId, result: 'noon' } }] });
    expect(textOfTask(done)).toBe('got "noon"');
    expect(done.history).toHaveLength(3);
  });
});
