import { type Agent, type AgentDefinition, defineAgent, type RunResult, type TaskContext } from 'parley-a2a';

/** An agent for one test. */
export function agentOf(run: (task: TaskContext) => RunResult, more: Partial<AgentDefinition> = {}): Agent {
  return defineAgent({ name: 'test', description: 'An agent of a test', version: '1.0.0', ...more, run });
}

/** A promise that the test settles itself: lets an agent wait until the test has looked. */
export function gate<T = void>(): PromiseWithResolvers<T> {
  return Promise.withResolvers<T>();
}
