import type { MessageInput } from '../../client/message/content.ts';
import type { JsonValue } from '../../model/basics/json.ts';
import { type AskedQuestion, openQuestionsOf } from '../../model/extensions/open-questions.ts';
import { json } from '../../model/parts.ts';
import type { Task } from '../../model/task.ts';

/** The questions that a task waits with, where they are several. */
export function severalQuestions({ status }: Task): readonly AskedQuestion[] {
  const open = status.message ? openQuestionsOf(status.message) : [];
  return open.length > 1 ? open : [];
}

/** The answer to one of several questions, which it names. */
export function namedAnswer(task: Task, { id, tool }: AskedQuestion, words: string): MessageInput {
  const isOlder = task.status.message?.metadata?.inputRequests !== undefined;
  const result = tool ? resultFrom(words) : isOlder ? { value: words } : words;
  const answer = isOlder ? { kind: 'tool-result', toolUseId: id, result } : { requestId: id, result };
  return { parts: [json(answer)], ...(isOlder && { referenceTaskIds: [task.id] }) };
}

/** A tool's result: JSON, or else words. */
function resultFrom(words: string): JsonValue {
  try {
    return JSON.parse(words) as JsonValue;
  } catch {
    return words;
  }
}

/** The first of several questions as people read it: with its choices, and how many there are. */
export function shownQuestion({ prompt, choices = [] }: AskedQuestion, count: number): string {
  const listed = choices.map(({ value, label }, index) => `\n${index + 1}. ${label ?? value}`).join('');
  return `(1 of ${count}) ${prompt}${listed === '' ? '' : `\n${listed}`}`;
}
