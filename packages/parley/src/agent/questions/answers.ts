import { isPlainObject } from '../../model/basics/json.ts';
import { hasToolResult, toolResultOf } from '../../model/extensions/caller-tools.ts';
import type { Choice } from '../../model/extensions/questions.ts';
import { textOf } from '../../model/parts.ts';
import type { SchemaSource } from '../../model/schema/schema-check.ts';
import { type Fitting, fitting } from '../../model/schema/schema-problems.ts';
import type { Message } from '../../model/task.ts';

/** The form that an answer must have. */
interface Expected {
  /** The question's id. */
  readonly id: string;
  readonly schema?: SchemaSource | undefined;
  readonly choices?: readonly Choice[] | undefined;
}

/** Reads the answer in a message: a data part as it is, a text as any value it can stand for. */
export async function readAnswer(message: Message, { id, schema, choices }: Expected): Promise<Fitting<unknown>> {
  if (bringsOther(message, id)) return { isValid: false, problem: 'it is the result of another call' };
  const meanings = meaningsOf(message, id);
  if (choices) {
    const chosen = meanings.map((meaning) => chosenOf(meaning, choices)).find((choice) => choice !== undefined);
    if (chosen === undefined) {
      const values = choices.map(({ value }) => value).join(', ');
      return { isValid: false, problem: `the answer must be one of: ${values}` };
    }
    return schema ? fitting(schema, chosen, 'answer') : { isValid: true, value: chosen };
  }
  if (!schema) return { isValid: true, value: wordsOf(meanings) };
  let first: Fitting<unknown> | undefined;
  for (const meaning of meanings) {
    const checked = await fitting(schema, meaning, 'answer');
    if (checked.isValid) return checked;
    first ??= checked;
  }
  return first ?? { isValid: false, problem: 'the answer is empty' };
}

/** A message whose result is for something else answers nothing, whatever else it says. */
function bringsOther(message: Message, id: string): boolean {
  return hasToolResult(message) && !toolResultOf(message, id);
}

/** The values that a message can stand for, the likeliest first. */
function meaningsOf(message: Message, id: string): readonly unknown[] {
  const result = toolResultOf(message, id);
  if (result && 'result' in result) {
    return typeof result.result === 'string' ? meaningsOfText(result.result) : meaningsOfValue(result.result);
  }
  const data = message.parts.find((part) => part.kind === 'data');
  if (data) return meaningsOfValue(data.data);
  return meaningsOfText(textOf(message));
}

/** `{ value: … }` stands for the value itself: not every version can carry data that is no object. */
function meaningsOfValue(value: unknown): readonly unknown[] {
  const isWrapped = isPlainObject(value) && Object.keys(value).length === 1 && 'value' in value;
  if (!isWrapped) return [value];
  const inner = value.value;
  return typeof inner === 'string' ? [inner, ...meaningsOfText(inner), value] : [inner, value];
}

const YES = /^(?:y|yes|true|ok|okay)$/i;
const NO = /^(?:n|no|false)$/i;

/** Text that looks like a list or an object is one where that fits; a text is never a number where a text will do. */
function meaningsOfText(text: string): readonly unknown[] {
  const trimmed = text.trim();
  const parsed = parsedFrom(trimmed);
  if (typeof parsed === 'object' && parsed !== null) return [parsed, text];
  const meanings: unknown[] = [text];
  if (trimmed !== text) meanings.push(trimmed);
  if (parsed !== undefined) meanings.push(parsed);
  else if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(trimmed)) meanings.push(Number(trimmed));
  if (YES.test(trimmed)) meanings.push(true);
  if (NO.test(trimmed)) meanings.push(false);
  return meanings;
}

function parsedFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By its value, its label or its number in the list; small and capital letters are the same. */
function chosenOf(meaning: unknown, choices: readonly Choice[]): string | undefined {
  if (typeof meaning !== 'string' && typeof meaning !== 'number') return undefined;
  const exact = choices.find(({ value }) => value === meaning);
  if (exact) return exact.value;
  const said = String(meaning).trim();
  const lower = said.toLowerCase();
  const found =
    choices.find(({ value }) => value.trim().toLowerCase() === lower) ??
    choices.find(({ label }) => label?.toLowerCase() === lower) ??
    (/^\d{1,4}\.?$/.test(said) ? choices[Number.parseInt(said, 10) - 1] : undefined);
  return found?.value;
}

function wordsOf(meanings: readonly unknown[]): string {
  const text = meanings.find((meaning) => typeof meaning === 'string');
  return text ?? JSON.stringify(meanings[0]);
}
