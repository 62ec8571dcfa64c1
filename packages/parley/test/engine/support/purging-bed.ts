import { onTestFinished } from 'vitest';
import type { Engine } from '../../../src/engine/engine.ts';
import type { EngineOptions } from '../../../src/engine/engine-options.ts';
import type { Store } from '../../../src/engine/ports.ts';
import { isTask, type Task } from '../../../src/model/task.ts';
import { manualClock } from './manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './puppet.ts';

export const ROUND = 5_000;
export const NOT_FOUND = { code: 'TASK_NOT_FOUND' };

export interface Bed {
  readonly engine: Engine;
  readonly clock: ReturnType<typeof manualClock>;
  readonly puppets: Puppeteer;
  readonly begun: (text?: string) => Promise<Task>;
  readonly ended: (text?: string) => Promise<Task>;
}

export async function opened(store: Store, more: Partial<EngineOptions> = {}, clock = manualClock()): Promise<Bed> {
  const puppets = new Puppeteer();
  const engine = engineOn(store, puppets, { clock, drainTimeout: 0, ...more });
  await engine.open();
  onTestFinished(() => engine.close());
  const begun = async (text = 'go') => {
    const task = await engine.send(sendCall(userMessage(text)));
    if (!isTask(task)) throw new Error('A task was expected');
    return task;
  };
  const ended = async (text?: string) => {
    const task = await begun(text);
    await puppets
      .of(task.id)
      .handle.output.chunk({ artifactId: 'a', parts: [{ kind: 'text', text: 'x' }], streamed: true });
    puppets.of(task.id).end({ state: 'completed' });
    await settle();
    return engine.get(SCOPE, { id: task.id });
  };
  return { engine, clock, puppets, begun, ended };
}
