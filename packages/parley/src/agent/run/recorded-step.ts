import type { RunHandle, StepAction, StepShape } from '../../engine/turn/runner.ts';
import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';
import { A2AError, type A2AErrorCode, isA2AError } from '../../model/errors/errors.ts';
import { textOfThrown } from '../../model/errors/thrown-text.ts';
import { type MessageContent, Rejection } from '../outcomes.ts';

/**
 * A step whose failure is recorded like a result: a run that caught the error and went on another way must get it again
 * when it is resumed.
 */
export async function recordedStep(
  handle: RunHandle,
  name: string,
  action: StepAction,
  shape?: StepShape,
): Promise<JsonValue | undefined> {
  let thrown: { readonly error: unknown } | undefined;
  const recorded: StepAction = async (info) => {
    try {
      const value = await action(info);
      return value === undefined ? {} : { value };
    } catch (error) {
      // An error in an aborted run says nothing of the step.
      if (handle.isAborted) throw error;
      thrown = { error };
      return { error: describe(error) };
    }
  };
  const outcome = await handle.steps.perform(name, recorded, shape);
  if (thrown) throw thrown.error;
  if (!isPlainObject(outcome)) throw new Error(`The record of step "${name}" is damaged`);
  if (isPlainObject(outcome.error)) throw errorOf(outcome.error);
  return outcome.value as JsonValue | undefined;
}

function describe(error: unknown): JsonObject {
  if (Rejection.isInstance(error)) return { kind: 'rejection', content: error.content as JsonValue };
  if (isA2AError(error)) {
    const { code, message, metadata } = error;
    return { kind: 'a2a', code, message, ...(metadata && { metadata: { ...metadata } }) };
  }
  return { kind: 'error', message: textOfThrown(error), ...namesOf(error) };
}

/** An agent may throw an error that throws when it is read. */
function namesOf(error: unknown): JsonObject {
  try {
    if (!(error instanceof Error)) return { name: 'Error' };
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    return { name: String(error.name), ...(code !== undefined && { code }) };
  } catch {
    return { name: 'Error' };
  }
}

/** As much of an error as the journal has of it. */
function errorOf({ kind, content, code, name, message: said, metadata }: JsonObject): Error {
  const message = typeof said === 'string' ? said : '';
  if (kind === 'rejection') return new Rejection(content as MessageContent);
  if (kind === 'a2a') {
    return new A2AError(code as A2AErrorCode, message, { metadata: metadata as Record<string, string> });
  }
  const error = new Error(message);
  if (typeof name === 'string') error.name = name;
  return code === undefined ? error : Object.assign(error, { code });
}
