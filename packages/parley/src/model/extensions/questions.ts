import { isPlainObject, type JsonObject } from '../basics/json.ts';
import { textOf } from '../parts.ts';
import type { Message } from '../task.ts';

/** Questions that programs can read: what is asked for stands in the status message's metadata under this URI. */
export const QUESTIONS_EXTENSION = 'urn:parley:ext:questions:v1';

/** One of the answers that a question allows. */
export interface Choice {
  readonly value: string;
  /** The text that people read in the place of the value. */
  readonly label?: string | undefined;
}

/** A question in its machine-readable form. */
export interface QuestionInfo {
  readonly id: string;
  /** The question alone, without the list of choices. */
  readonly prompt: string;
  /** JSON Schema of the answer. */
  readonly schema?: JsonObject | undefined;
  readonly choices?: readonly Choice[] | undefined;
  /** The answer is a secret: it should not be shown or logged. */
  readonly sensitive?: boolean | undefined;
  /** The answer is waited for only so long. */
  readonly timeoutSeconds?: number | undefined;
  /** The reason why the previous answer was refused. */
  readonly problem?: string | undefined;
}

/** Reads the question that a message carries under the extension's URI. */
export function questionOf(message: Message): QuestionInfo | undefined {
  const value = message.metadata?.[QUESTIONS_EXTENSION];
  if (!isPlainObject(value) || typeof value.id !== 'string') return undefined;
  const { id, prompt, schema, choices, sensitive, timeoutSeconds, problem } = value;
  return {
    id,
    prompt: typeof prompt === 'string' ? prompt : textOf(message),
    ...(isPlainObject(schema) && { schema: schema as JsonObject }),
    ...(Array.isArray(choices) && { choices: choices.flatMap(readChoice) }),
    ...(sensitive === true && { sensitive }),
    ...(typeof timeoutSeconds === 'number' && { timeoutSeconds }),
    ...(typeof problem === 'string' && { problem }),
  };
}

function readChoice(value: unknown): readonly Choice[] {
  if (typeof value === 'string') return [{ value }];
  if (!isPlainObject(value) || typeof value.value !== 'string') return [];
  return [typeof value.label === 'string' ? { value: value.value, label: value.label } : { value: value.value }];
}

/** An older shape of the same: a member `inputRequest` of the status message's metadata. */
export interface InputRequest {
  readonly requestId: string;
  readonly prompt: string;
  readonly sensitive: boolean;
}

export function inputRequestOf(message: Message): InputRequest | undefined {
  const value = message.metadata?.inputRequest;
  if (!isPlainObject(value) || typeof value.requestId !== 'string') return undefined;
  const { requestId, prompt, sensitive } = value;
  return { requestId, prompt: typeof prompt === 'string' ? prompt : textOf(message), sensitive: sensitive === true };
}
