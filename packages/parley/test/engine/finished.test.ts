import { describe, expect, it } from 'vitest';
import { sizeOfTask } from '../../src/engine/log/sizes.ts';
import { FinishedTasks, type FoldedTask } from '../../src/engine/read/finished-tasks.ts';
import { isTask } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';

function folded(id: string, text: string): FoldedTask {
  const status = { state: 'completed', timestamp: new Date(0).toISOString() } as const;
  const identity = { id, contextId: 'context', agent: 'puppet', owner: SCOPE.owner, createdAt: 0 };
  const lease = { number: 1, node: null };
  const head = { ...identity, status, statusTime: 0, seq: 3, lease, consumed: 2, asking: false, openFrom: 0 };
  const artifacts = [{ artifactId: 'a', parts: [{ kind: 'text', text } as const] }];
  return { head, task: { id, contextId: 'context', status, artifacts, history: [] } };
}

describe('tasks that have ended', () => {
  it('are held within their room, those that are asked for the longest', () => {
    const tasks = new FinishedTasks(100_000);
    const offer = (task: FoldedTask) => tasks.offer(task, sizeOfTask(task.task));
    offer(folded('wanted', 'x'.repeat(1_000)));
    for (let index = 0; index < 200; index += 1) {
      offer(folded(`task ${index}`, 'x'.repeat(1_000)));
      expect(tasks.get('wanted')?.head.id).toBe('wanted');
    }
    const held = Array.from({ length: 200 }, (_, index) => tasks.get(`task ${index}`)).filter(Boolean);
    expect(held.length).toBeGreaterThan(5);
    expect(held.length).toBeLessThan(50);
  });

  it('are held only where they are not large', () => {
    const tasks = new FinishedTasks(100_000);
    const large = folded('large', 'x'.repeat(20_000));
    expect(tasks.offer(large, sizeOfTask(large.task))).toBe(false);
    expect(tasks.get('large')).toBeUndefined();
  });

  it('are read from the store once, and only by who may see them [rule:security.owner]', async () => {
    const inner = memory();
    let loads = 0;
    const store = withStore(inner, {
      load: (ids, detail) => {
        loads += 1;
        return inner.load(ids, detail);
      },
    });
    const puppets = new Puppeteer();
    const engine = engineOn(store, puppets);
    await engine.open();
    const task = await engine.send(sendCall(userMessage('go'), { returnImmediately: true }));
    if (!isTask(task)) throw new Error('A task was expected');
    await engine.cancel(SCOPE, { id: task.id });
    await settle();
    loads = 0;
    const first = await engine.get(SCOPE, { id: task.id });
    expect(await engine.get(SCOPE, { id: task.id })).toBe(first);
    expect((await engine.get(SCOPE, { id: task.id, historyLength: 0 })).history).toEqual([]);
    expect((await engine.get(SCOPE, { id: task.id })).history).toHaveLength(1);
    expect(loads).toBe(1);
    for (const owner of [
      { tenant: '', subject: 'bob' },
      { tenant: 'other', subject: 'alice' },
    ]) {
      await expect(engine.get({ ...SCOPE, owner }, { id: task.id })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    }
    await engine.close();
  });
});
