import type { Answer } from './answer.ts';
import { type SeenParts, seenIn } from './attachments.ts';
import type { Conversation } from './conversation.ts';

/** The parts of a task before its next turn, so that only new ones are shown. */
export async function knownParts(
  taskId: string | undefined,
  { client, interruption }: Conversation,
  answer: Answer,
): Promise<SeenParts | undefined> {
  if (taskId === undefined) return undefined;
  const task = await client.getTask(taskId, { historyLength: 0, signal: interruption.signal });
  answer.skip(task);
  return seenIn(task);
}
