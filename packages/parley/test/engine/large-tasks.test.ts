import { describe, expect, it } from 'vitest';
import { StoredTasks } from '../../src/engine/read/stored-tasks.ts';
import { isTask } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';

const LARGE_TEXT = 'x'.repeat(2 * 1024 * 1024);

/** Tasks that have ended with a text each, in a store whose loads are counted, and a clock whose turns the test makes. */
async function bed(texts: readonly string[]) {
  const store = memory();
  const puppets = new Puppeteer();
  const engine = engineOn(store, puppets);
  await engine.open();
  const ids: string[] = [];
  for (const text of texts) {
    const task = await engine.send(sendCall(userMessage(text), { returnImmediately: true }));
    if (!isTask(task)) throw new Error('A task was expected');
    await engine.cancel(SCOPE, { id: task.id });
    ids.push(task.id);
  }
  await settle();
  await engine.close();
  const loads: string[] = [];
  const turns: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const tasks = new StoredTasks({
    store: {
      load: (taskIds, detail) => {
        loads.push(...taskIds);
        return store.load(taskIds, detail);
      },
    },
    clock: {
      nextTurn: (callback) => void turns.push(callback),
      after: (_, callback) => {
        timers.push(callback);
        return () => void timers.splice(timers.indexOf(callback), 1);
      },
    },
    statusMessage: 'agent',
    finishedBytes: 1024 * 1024,
  });
  const turn = async () => {
    for (const callback of turns.splice(0)) callback();
    await settle();
  };
  return { tasks, ids, loads, turns, timers, turn };
}

describe('large tasks that have ended', () => {
  it('are loaded one in a turn of the event loop, in the order in which they are asked for', async () => {
    const { tasks, ids, loads, turn } = await bed([LARGE_TEXT, LARGE_TEXT, LARGE_TEXT, 'small']);
    const [first = '', ...others] = ids;
    await tasks.load(first);
    const loading = Promise.all(others.map((id) => tasks.load(id)));
    await settle();
    expect(loads).toEqual([first]);
    await turn();
    expect(loads).toEqual(ids.slice(0, 2));
    await turn();
    await turn();
    expect(loads).toEqual(ids);
    expect((await loading).map((folded) => folded?.head.id)).toEqual(others);
    await turn();
    await tasks.load(first);
    expect(loads.length).toBe(5);
  });

  it('are shared by those who ask at the same time, and held for a moment only', async () => {
    const { tasks, ids, loads, timers, turn } = await bed([LARGE_TEXT]);
    const [id = ''] = ids;
    const first = await tasks.load(id);
    expect(Object.isFrozen(first?.task)).toBe(true);
    const others = Promise.all([tasks.load(id), tasks.load(id)]);
    for (let count = 0; count < 3; count += 1) await turn();
    for (const other of await others) expect(other).toBe(first);
    expect(tasks.held(id)).toBe(first);
    expect(loads).toEqual([id]);
    for (const timer of timers.slice()) timer();
    expect(tasks.held(id)).toBeUndefined();
  });

  it('are not held once they are purged', async () => {
    const { tasks, ids } = await bed([LARGE_TEXT]);
    const [id = ''] = ids;
    await tasks.load(id);
    tasks.purged([id]);
    expect(tasks.held(id)).toBeUndefined();
  });

  it('are waited for by a bounded number of requests; more are told to come back', async () => {
    const { tasks, ids, turns, turn } = await bed([LARGE_TEXT]);
    await tasks.load(ids[0] ?? '');
    const waiting = Array.from({ length: 1_000 }, () => tasks.load('none'));
    await expect(tasks.load('none')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    while (turns.length > 0) await turn();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]));
  });

  it('are not loaded for a client that left before its turn, and the next one comes in its place', async () => {
    const { tasks, ids, loads, turn } = await bed([LARGE_TEXT, LARGE_TEXT, LARGE_TEXT]);
    const [first = '', left = '', last = ''] = ids;
    await tasks.load(first);
    const leaving = new AbortController();
    let listeners = 0;
    const client = {
      onAbort(listener: () => void) {
        listeners += 1;
        leaving.signal.addEventListener('abort', listener);
        return () => {
          listeners -= 1;
          leaving.signal.removeEventListener('abort', listener);
        };
      },
    };
    const refused = tasks.load(left, client).catch((error: unknown) => error);
    const loading = tasks.load(last, client);
    // One that left before it began to wait is not waited for either.
    const gone = {
      onAbort(listener: () => void) {
        listener();
        return () => {};
      },
    };
    await expect(tasks.load(left, gone)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(listeners).toBe(2);
    leaving.abort();
    expect(await refused).toMatchObject({ code: 'UNAVAILABLE', message: 'The client has left' });
    await expect(loading).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const staying = tasks.load(last);
    await turn();
    expect((await staying)?.head.id).toBe(last);
    expect(loads).toEqual([first, last]);
  });

  it('that are not there hold nobody up', async () => {
    const { tasks, ids, turns, turn } = await bed([LARGE_TEXT]);
    await tasks.load(ids[0] ?? '');
    const loading = [tasks.load('none'), tasks.load('none too')];
    while (turns.length > 0) await turn();
    expect(await Promise.all(loading)).toEqual([undefined, undefined]);
  });
});
