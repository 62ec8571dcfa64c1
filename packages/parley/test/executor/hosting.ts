import { Role, type TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import { fromExecutor, isTask, type Task } from 'parley-a2a';
import { TestAgent, type TestAgentOptions } from 'parley-a2a/testing';
import { onTestFinished } from 'vitest';
import { textPart } from '../interop/support/messages.ts';

export const ABOUT = { name: 'hosted', description: 'Hosted', version: '1.0.0' };

export function hosting(executor: AgentExecutor, options: TestAgentOptions = {}): TestAgent {
  const agent = new TestAgent(fromExecutor(executor, ABOUT), options);
  onTestFinished(() => agent.close());
  return agent;
}

/** An executor out of one function. */
export function executing(
  execute: (context: RequestContext, bus: ExecutionEventBus) => Promise<void> | void,
): AgentExecutor {
  return { execute: async (context, bus) => execute(context, bus), cancelTask: async () => {} };
}

export async function sent(agent: TestAgent, text = 'Go', options = {}): Promise<Task> {
  const answer = await agent.client.sendMessage(text, options);
  if (!isTask(answer)) throw new Error('A message');
  return answer;
}

export const warnings = (agent: TestAgent) => agent.logged.map(({ level, message }) => `${level}: ${message}`);

export const said = (text: string, more = {}) => ({
  messageId: crypto.randomUUID(),
  role: Role.ROLE_AGENT,
  contextId: '',
  taskId: '',
  parts: [textPart(text)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
  ...more,
});

export const status = (state: TaskState, text: string) =>
  AgentEvent.statusUpdate({
    taskId: '',
    contextId: '',
    status: { state, message: said(text), timestamp: undefined },
    metadata: undefined,
  });
