import { chunk } from '../../agent/task-context.ts';
import type { JsonValue } from '../../model/basics/json.ts';
import { json } from '../../model/parts.ts';
import { check, type SchemaSource } from '../../model/schema/schema-check.ts';
import type { LlmRun } from './llm-run.ts';

/** The data of a response, or the reason why it has none that fits. */
type DataResult =
  | { readonly data: JsonValue; readonly problem?: undefined }
  | { readonly problem: string; readonly data?: undefined };

/** Reads the data of a response and holds it to the schema. */
export async function readData(text: string, { source, isChecked }: DataOutput): Promise<DataResult> {
  let data: JsonValue;
  try {
    data = JSON.parse(withoutFence(text));
  } catch {
    return { problem: text.trim() === '' ? 'it is empty' : 'it is not JSON' };
  }
  const result = await check(source, data, 'data');
  if (result.violations) {
    return { problem: result.violations.map(({ field, description }) => `${field}: ${description}`).join('; ') };
  }
  // If the skill declares the schema, the server applies it to the output.
  return { data: isChecked ? data : (result.value as JsonValue) };
}

/** The schema of a result. */
export interface DataOutput {
  readonly source: SchemaSource;
  /** The skill declares it, so that the server checks what is written. */
  readonly isChecked: boolean;
}

export async function writeData(run: LlmRun, data: JsonValue): Promise<void> {
  await run.inside.emit(chunk(json(data), { name: 'data', lastChunk: true }));
}

/** The message to the model if its response does not fit. */
export function correction(problem: string): string {
  return `Your response does not fit the JSON Schema: ${problem}. Respond once more, with JSON alone that fits it.`;
}

/** Models without a JSON mode put their JSON into a block of Markdown. */
function withoutFence(text: string): string {
  const [, inner] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/i.exec(text) ?? [];
  return inner ?? text;
}
