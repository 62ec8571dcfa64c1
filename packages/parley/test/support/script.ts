import { type Agent, type AgentDefinition, defineAgent, type TaskContext } from 'parley-a2a';
import type { RunResult } from 'parley-a2a/types';

/** An agent for one test. */
export function agentOf(run: (task: TaskContext) => RunResult, more: Partial<AgentDefinition> = {}): Agent {
  return defineAgent({ name: 'test', description: 'An agent of a test', version: '1.0.0', ...more, run });
}

/** A promise that the test settles itself: lets an agent wait until the test has looked. */
export function gate<T = void>(): PromiseWithResolvers<T> {
  return Promise.withResolvers<T>();
}

/** Works without an end: settles, by throwing, only when the run is aborted. */
export function hang(task: Pick<TaskContext, 'signal'>): Promise<never> {
  return new Promise((_, reject) => {
    if (task.signal.aborted) reject(task.signal.reason);
    task.signal.addEventListener('abort', () => reject(task.signal.reason));
  });
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
