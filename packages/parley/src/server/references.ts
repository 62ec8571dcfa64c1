import type { Engine } from '../engine/engine.ts';
import type { Scope } from '../engine/tasks.ts';
import { A2AError } from '../model/errors.ts';
import { isPlainObject } from '../model/json.ts';
import type { SendInput } from '../model/operations.ts';
import { isInterrupted } from '../model/states.ts';
import type { Message, Part, Task } from '../model/task.ts';

/** Whether the tasks that the message references mean something. */
export function hasReferences({ message, referencesOwnContext, answersReferenced }: SendInput): boolean {
  return (referencesOwnContext || answersReferenced) === true && (message.referenceTaskIds ?? []).length > 0;
}

/**
 * What some dialects make of the tasks that a message references: they must be of its own context (seed S2), or one of
 * them is the task that the message answers (seed S0). Others may reference whatever they may see.
 */
export async function withReferences(input: SendInput, scope: Scope, engine: Engine): Promise<SendInput> {
  const { message } = input;
  const references = message.referenceTaskIds ?? [];
  const tasks = await Promise.all(references.map((id) => visibleTask(engine, scope, id)));
  if (input.referencesOwnContext) {
    const own = message.taskId ? await visibleTask(engine, scope, message.taskId) : undefined;
    requireOwnContext(tasks, message.contextId ?? own?.contextId);
  }
  if (!input.answersReferenced || message.taskId) return input;
  const waiting = tasks.find((task) => task && isInterrupted(task.status.state));
  if (waiting) {
    const parts = answerParts(message, waiting);
    return { ...input, message: { ...message, parts, taskId: waiting.id, contextId: waiting.contextId } };
  }
  throw new A2AError('UNSUPPORTED_OPERATION', 'None of the referenced tasks waits for an answer', {
    metadata: { referenceTaskIds: references.join(',') },
  });
}

/** Undefined for one that the caller may not see, which is not told from one that is not there. */
async function visibleTask(engine: Engine, scope: Scope, id: string): Promise<Task | undefined> {
  try {
    return await engine.get(scope, { id, historyLength: 0 });
  } catch (error) {
    if (A2AError.isInstance(error) && error.code === 'TASK_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Those that are not there are nobody's, and allowed (seed S2, Validation). */
function requireOwnContext(tasks: readonly (Task | undefined)[], contextId: string | undefined): void {
  const outside = tasks.findIndex((task) => task && task.contextId !== contextId);
  if (outside === -1) return;
  const problem = 'Referenced task does not belong to this context';
  throw new A2AError('INVALID_PARAMS', problem, {
    violations: [{ field: `message.referenceTaskIds[${outside}]`, description: 'must be a task of the same context' }],
  });
}

/**
 * A question that was asked only in words has no id but that of its message; whoever asked it reads words. So the result
 * that names the message as what it answers is given as a text, in the place of those that introduce it.
 */
function answerParts({ parts }: Message, { status }: Task): readonly Part[] {
  const asked = status.message?.messageId;
  const isAnswer = (part: Part) => part.kind === 'data' && isPlainObject(part.data) && part.data.toolUseId === asked;
  const answer = parts.find(isAnswer);
  if (asked === undefined || answer?.kind !== 'data' || !isPlainObject(answer.data)) return parts;
  const { result } = answer.data;
  const value = isPlainObject(result) && 'value' in result ? result.value : result;
  const said: Part = { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value ?? null) };
  return [said, ...parts.filter((part) => part !== answer && part.kind !== 'text')];
}
