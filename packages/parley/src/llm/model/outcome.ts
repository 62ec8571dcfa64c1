import { notCompleted } from '../../client/stream/sending.ts';
import { isPlainObject, type JsonObject } from '../../model/basics/json.ts';
import type { A2AError } from '../../model/errors/errors.ts';
import { questionOf } from '../../model/extensions/questions.ts';
import { isInterrupted } from '../../model/states.ts';
import { isTask, type Message, type Task } from '../../model/task.ts';
import { type FinishReason, type GenerateResult, type ModelUsage, PROVIDER } from './model-types.ts';

/** The error of a task that ended in another way than by its completion, or by a question. */
export function problemOf(result: Task | Message): A2AError | undefined {
  if (!isTask(result)) return undefined;
  const { state } = result.status;
  return state === 'completed' || isInterrupted(state) ? undefined : notCompleted(result);
}

/** `stop` for an answer, `other` for a task that waits for input or an authorization, `error` for anything else. */
export function finishReasonOf(result: Task | Message): FinishReason {
  if (!isTask(result)) return { unified: 'stop', raw: 'message' };
  const { state } = result.status;
  if (state === 'completed') return { unified: 'stop', raw: state };
  return { unified: isInterrupted(state) ? 'other' : 'error', raw: state };
}

/** The facts of a call that programs need to go on: ids, the state, and the question that is open. */
export function metadataOf(result: Task | Message): NonNullable<GenerateResult['providerMetadata']> {
  if (!isTask(result)) {
    const { messageId, contextId, taskId } = result;
    return { [PROVIDER]: { messageId, ...(contextId && { contextId }), ...(taskId && { taskId }) } };
  }
  const { id, contextId, status } = result;
  const question = isInterrupted(status.state) && status.message ? questionOf(status.message) : undefined;
  const facts = { taskId: id, contextId, state: status.state };
  if (!question) return { [PROVIDER]: facts };
  const { choices, ...asked } = question;
  const shown = choices && { choices: choices.map((choice) => ({ ...choice })) };
  return { [PROVIDER]: { ...facts, question: { ...asked, ...shown } } };
}

/** The time of a task's status. Some agents tell none. */
export function timeOf({ status }: Task): { readonly timestamp?: Date } {
  const timestamp = new Date(status.timestamp);
  return Number.isNaN(timestamp.getTime()) ? {} : { timestamp };
}

/** The metadata of the task that tells what its model calls cost. */
const USAGE = 'usage';

/** Unknown counts stay undefined. Any agent may write this metadata, so only possible counts are taken. */
export function usageOf(result: Task | Message | undefined): ModelUsage {
  const given = result?.metadata?.[USAGE];
  const raw = isPlainObject(given) ? (given as JsonObject) : undefined;
  const count = (name: string) => {
    const value = raw?.[name];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const [input, output] = [count('inputTokens'), count('outputTokens')];
  const [cached, reasoning] = [count('cachedInputTokens'), count('reasoningTokens')];
  return {
    inputTokens: { total: input, noCache: rest(input, cached), cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: output, text: rest(output, reasoning), reasoning },
    ...(raw && { raw }),
  };
}

function rest(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined ? undefined : Math.max(0, total - part);
}
