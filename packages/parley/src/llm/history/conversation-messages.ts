import type { ModelMessage } from 'ai';
import { insideOf } from '../../agent/run/inside.ts';
import type { TaskContext } from '../../agent/task-context.ts';
import type { RecordedTask } from '../../engine/turn/runner.ts';
import type { LlmLimits } from '../limits.ts';
import { type FileBudget, lengthOf, userMessage } from './message-content.ts';
import { transcriptOf, turnMessages } from './transcript.ts';

/**
 * The conversation up to the message of this turn, oldest first: as many of the latest tasks of the context as fit into the
 * limits, each whole.
 */
export async function conversationMessages(task: TaskContext, limits: LlmLimits): Promise<readonly ModelMessage[]> {
  // The files of the latest messages come first, so those are read first.
  const budget: FileBudget = { left: limits.files, maxBytes: limits.fileBytes };
  const present = await userMessage(task.message, { task, budget, isRequired: true });
  const turns: (readonly ModelMessage[])[] = [];
  let left = limits.historyLength;
  for await (const recorded of latestFirst(task, limits)) {
    const reading = { task, budget, isRequired: false };
    const isPresent = recorded.task.id === task.id;
    const messages = await (isPresent ? turnMessages(recorded.turns, reading) : transcriptOf(recorded, reading));
    left -= messages.reduce((sum, message) => sum + lengthOf(message), 0);
    if (left < 0) break;
    turns.unshift(messages);
  }
  return [...turns.flat(), present];
}

/** Tasks that are read at once: no more of a long conversation is in memory than fits. */
const PAGE = 8;

/** Reads nothing for the first message of a conversation. */
async function* latestFirst(task: TaskContext, { historyTasks }: LlmLimits): AsyncGenerator<RecordedTask, void> {
  const isFirst = !task.context.isNamed && task.history.length === 0;
  if (isFirst) return;
  const { conversation } = insideOf(task).handle;
  let before: string | undefined;
  for (let left = historyTasks; left > 0 || before === undefined; left -= PAGE) {
    const page = await conversation.recordedTasks(Math.min(PAGE, left), before);
    yield* page.toReversed();
    const earlier = page.filter(({ task: { id } }) => id !== task.id);
    if (earlier.length < PAGE) return;
    before = earlier[0]?.task.id;
  }
}
