import { isPlainObject, type JsonObject, type JsonValue } from '../../../../model/basics/json.ts';
import type { Choice } from '../../../../model/extensions/questions.ts';
import { json, text } from '../../../../model/parts.ts';
import type { Part } from '../../../../model/task.ts';

/** A form of an elicitation: a flat object of plain values. */
interface Form {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[] | undefined;
}

/** A form, and how what was filled in becomes an answer. */
interface AnswerForm {
  readonly form: Form;
  readonly answerOf: (content: JsonObject) => readonly Part[];
}

/** The member of a form with a single value. */
const ANSWER = 'answer';
const FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time'];

/** The form of a question. Forms have no nested values: an answer that needs them is asked for as JSON. */
export function formOf(schema: JsonObject | undefined, choices: readonly Choice[] | undefined): AnswerForm {
  if (choices && choices.length > 0) return single(choiceField(choices));
  if (schema === undefined) return single({ type: 'string', title: 'Answer' });
  const field = fieldOf(schema);
  if (field) return single(field);
  const fields = fieldsOf(schema);
  if (fields) return { form: fields, answerOf: (content) => [json(content)] };
  const description = `JSON that fits: ${JSON.stringify(schema)}`.slice(0, 2000);
  return single({ type: 'string', title: 'Answer', description });
}

function single(field: JsonObject): AnswerForm {
  return {
    form: { type: 'object', properties: { [ANSWER]: field }, required: [ANSWER] },
    answerOf: (content) => [partOf(content[ANSWER])],
  };
}

/** Any agent understands a text. */
function partOf(value: JsonValue | undefined): Part {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'boolean') return text(value ? 'yes' : 'no');
  return typeof value === 'number' ? text(String(value)) : json(value ?? null);
}

function choiceField(choices: readonly Choice[]): JsonObject {
  const isPlain = choices.every(({ label }) => label === undefined);
  const values = choices.map(({ value }) => value);
  if (isPlain) return { type: 'string', enum: values };
  return { type: 'string', oneOf: choices.map(({ value, label }) => ({ const: value, title: label ?? value })) };
}

function fieldsOf(schema: JsonObject): Form | undefined {
  const { type, properties, required } = schema;
  if (type !== 'object' || !isPlainObject(properties)) return undefined;
  const fields: [string, JsonObject][] = [];
  for (const [name, value] of Object.entries(properties)) {
    const field = isPlainObject(value) ? fieldOf(value as JsonObject) : undefined;
    if (!field) return undefined;
    fields.push([name, field]);
  }
  if (fields.length === 0) return undefined;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return { type: 'object', properties: Object.fromEntries(fields), ...(names.length > 0 && { required: names }) };
}

/** A plain value with the words that forms know; undefined for all others. */
function fieldOf(schema: JsonObject): JsonObject | undefined {
  const { type, title, description, default: usual } = schema;
  const words: JsonObject = {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  };
  if (type === 'boolean') return { type, ...words, ...(typeof usual === 'boolean' && { default: usual }) };
  if (type === 'number' || type === 'integer') {
    return {
      type,
      ...words,
      ...numbers(schema, ['minimum', 'maximum']),
      ...(typeof usual === 'number' && { default: usual }),
    };
  }
  const values = schema.enum;
  const isText = type === 'string' || (type === undefined && Array.isArray(values));
  if (!isText) return undefined;
  const preset = typeof usual === 'string' && { default: usual };
  if (Array.isArray(values)) {
    return values.every((value) => typeof value === 'string')
      ? { type: 'string', ...words, enum: values, ...preset }
      : undefined;
  }
  const format = FORMATS.includes(schema.format) && { format: schema.format };
  return { type: 'string', ...words, ...numbers(schema, ['minLength', 'maxLength']), ...format, ...preset };
}

function numbers(schema: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (typeof schema[name] === 'number' ? [[name, schema[name]]] : [])));
}
