import type { ModelMessage } from 'ai';
import type { TaskContext } from '../../agent/task-context.ts';
import type { LlmLimits } from '../limits.ts';

/** The conversation up to the message of this turn, oldest first. */
export async function conversationMessages(task: TaskContext, _limits: LlmLimits): Promise<readonly ModelMessage[]> {
  return [{ role: 'user', content: task.text }];
}
