import { isPlainObject, type JsonObject, type JsonValue } from '../basics/json.ts';
import { textOf } from '../parts.ts';
import type { Message } from '../task.ts';

/** Questions that programs can read: what is asked for stands in the status message's metadata under this URI. */
export const QUESTIONS_EXTENSION = 'urn:parley:ext:questions:v1';

/** One of the answers that a question allows. */
export interface Choice {
  readonly value: string;
  /** The text that people read instead of the value. */
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
  /** The answer is waited for only this long. */
  readonly timeoutSeconds?: number | undefined;
  /** The reason why the previous answer was refused. */
  readonly problem?: string | undefined;
  /** A tool call of the agent's own that the answer allows or refuses. */
  readonly approves?: { readonly name: string; readonly args: JsonValue } | undefined;
}

type Asking = Pick<Message, 'parts' | 'metadata'>;

/** Reads the question that a message carries under the extension's URI; the oldest, where there are several. */
export function questionOf(message: Asking): QuestionInfo | undefined {
  return readQuestion(message.metadata?.[QUESTIONS_EXTENSION], message.parts);
}

/** Reads a question; `parts`: the words in which it is asked, where it has no prompt. */
export function readQuestion(value: unknown, parts: Message['parts'] | string): QuestionInfo | undefined {
  if (!isPlainObject(value) || typeof value.id !== 'string') return undefined;
  const { id, prompt, schema, choices, sensitive, timeoutSeconds, problem, approves } = value;
  return {
    id,
    prompt: typeof prompt === 'string' ? prompt : textOf(parts),
    ...(isPlainObject(schema) && { schema: schema as JsonObject }),
    ...(Array.isArray(choices) && { choices: choices.flatMap(readChoice) }),
    ...(sensitive === true && { sensitive }),
    ...(typeof timeoutSeconds === 'number' && { timeoutSeconds }),
    ...(typeof problem === 'string' && { problem }),
    ...(isPlainObject(approves) && typeof approves.name === 'string' && { approves: readCall(approves) }),
  };
}

/** A tool call: its name and arguments. */
export function readCall({ name, args }: Record<string, unknown>): { readonly name: string; readonly args: JsonValue } {
  return { name: String(name), args: (args ?? {}) as JsonValue };
}

function readChoice(value: unknown): readonly Choice[] {
  if (typeof value === 'string') return [{ value }];
  if (!isPlainObject(value) || typeof value.value !== 'string') return [];
  return [typeof value.label === 'string' ? { value: value.value, label: value.label } : { value: value.value }];
}

/** An older shape of the same: a member `inputRequest` of the status message's metadata. */
interface InputRequest {
  readonly requestId: string;
  readonly prompt: string;
  readonly sensitive: boolean;
}

export function inputRequestOf(message: Asking): InputRequest | undefined {
  return readRequest(message.metadata?.inputRequest, message);
}

/** The member `inputRequests` beside it, where several are open. */
export function inputRequestsOf(message: Asking): readonly InputRequest[] {
  const list = message.metadata?.inputRequests;
  return Array.isArray(list) ? list.flatMap((value) => readRequest(value, message) ?? []) : [];
}

function readRequest(value: unknown, message: Asking): InputRequest | undefined {
  if (!isPlainObject(value) || typeof value.requestId !== 'string') return undefined;
  const { requestId, prompt, sensitive } = value;
  return {
    requestId,
    prompt: typeof prompt === 'string' ? prompt : textOf(message.parts),
    sensitive: sensitive === true,
  };
}
