import type { Engine } from '../../engine/engine.ts';
import type { Scope } from '../../engine/task/scope.ts';
import { isPlainObject, type JsonObject } from '../../model/basics/json.ts';
import { A2AError, invalidParams, isA2AError, quoted } from '../../model/errors/errors.ts';
import { openQuestionsOf } from '../../model/extensions/open-questions.ts';
import type { SendInput } from '../../model/operations.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import type { DataPart, Message, Part, Task } from '../../model/task.ts';

/** Tells whether the tasks that the message references mean something, or it brings a result for one. */
export function hasReferences({ message, referencesOwnContext, bringsResult }: SendInput): boolean {
  return bringsResult === true || (referencesOwnContext === true && (message.referenceTaskIds ?? []).length > 0);
}

/**
 * Applies a dialect's rule for the tasks that a message references: all must be of its own context (seed S2), or one of
 * them is the task that it answers (seed S0). Other dialects may reference any visible task.
 */
export async function withReferences(input: SendInput, scope: Scope, engine: Engine): Promise<SendInput> {
  const { message } = input;
  const references = message.referenceTaskIds ?? [];
  const tasks = await visibleTasks(engine, scope, references);
  if (input.referencesOwnContext) {
    const own = message.taskId ? await visibleTask(engine, scope, message.taskId) : undefined;
    requireOwnContext(tasks, message.contextId ?? own?.contextId);
  }
  return input.bringsResult ? answering(input, scope, engine, tasks) : input;
}

/** The same send as an answer to the task that waits for it. */
async function answering(
  input: SendInput,
  scope: Scope,
  engine: Engine,
  referenced: readonly (Task | undefined)[],
): Promise<SendInput> {
  const { message } = input;
  const { taskId, referenceTaskIds = [] } = message;
  if (!taskId && referenceTaskIds.length === 0) {
    const description = 'must name the task that the tool-result is for';
    throw invalidParams({ field: 'message.referenceTaskIds', description });
  }
  const tasks = taskId ? [await visibleTask(engine, scope, taskId)] : referenced;
  const waiting = tasks.find((task) => task && isInterrupted(task.status.state));
  if (waiting) {
    const parts = answerParts(message, waiting);
    const answers = waiting.status.message?.messageId;
    return { ...input, answers, message: { ...message, parts, taskId: waiting.id, contextId: waiting.contextId } };
  }
  // The engine says what else is wrong with a task that the message names.
  const [own] = tasks;
  if (taskId && (!own || isTerminal(own.status.state))) return input;
  const problem = taskId ? 'The task does not wait for an answer' : 'None of the referenced tasks waits for an answer';
  throw new A2AError('UNSUPPORTED_OPERATION', problem, {
    metadata: taskId ? { taskId } : { referenceTaskIds: quoted(referenceTaskIds.join(',')) },
  });
}

/** One after the other: a message is not to occupy the store alone. */
async function visibleTasks(
  engine: Engine,
  scope: Scope,
  ids: readonly string[],
): Promise<readonly (Task | undefined)[]> {
  const tasks: (Task | undefined)[] = [];
  for (const id of ids) tasks.push(await visibleTask(engine, scope, id));
  return tasks;
}

/** Undefined for one that the caller may not see, which is not told from one that is not there. */
async function visibleTask(engine: Engine, scope: Scope, id: string): Promise<Task | undefined> {
  try {
    return await engine.get(scope, { id, historyLength: 0 });
  } catch (error) {
    if (isA2AError(error) && error.code === 'TASK_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Tasks that do not exist have no owner, and are allowed (seed S2, Validation). */
function requireOwnContext(tasks: readonly (Task | undefined)[], contextId: string | undefined): void {
  const outside = tasks.findIndex((task) => task && task.contextId !== contextId);
  if (outside === -1) return;
  const problem = 'Referenced task does not belong to this context';
  throw new A2AError('INVALID_PARAMS', problem, {
    violations: [{ field: `message.referenceTaskIds[${outside}]`, description: 'must be a task of the same context' }],
  });
}

/**
 * A result must be for what the task waits for. A question that was asked only in words has no id but that of its
 * message, and whoever asked it reads words: its answer is given as a text, in the place of those that introduce it.
 */
function answerParts({ parts }: Message, { status }: Task): readonly Part[] {
  const { message } = status;
  const ids = message ? openQuestionsOf(message).map(({ id }) => id) : [];
  const asked = ids.length === 0 && message ? [message.messageId] : ids;
  const right = parts.find((part) => isToolResult(part) && asked.includes(part.data.toolUseId));
  if (!right || !isToolResult(right)) {
    const index = parts.findIndex(isToolResult);
    const description = `is not what the task waits for${asked.length === 0 ? '' : `: that is ${asked.join(' or ')}`}`;
    throw invalidParams({ field: `message.parts[${index}].toolUseId`, description });
  }
  if (ids.length > 0) return parts;
  const said: Part = { kind: 'text', text: wordsOf(right.data) };
  return [said, ...parts.filter((part) => part !== right && part.kind !== 'text')];
}

type ToolResultPart = DataPart & { readonly data: { readonly toolUseId: string } & JsonObject };

function isToolResult(part: Part): part is ToolResultPart {
  const { data } = part.kind === 'data' ? part : { data: undefined };
  return isPlainObject(data) && data.kind === 'tool-result' && typeof data.toolUseId === 'string';
}

/** `{ value }` stands for the value; a failure is told as it is. */
function wordsOf({ result, error }: JsonObject): string {
  const given = result === undefined ? error : result;
  const value = isPlainObject(given) && 'value' in given ? given.value : given;
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
