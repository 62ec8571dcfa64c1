import { isPlainObject, type JsonValue } from '../../../../model/basics/json.ts';
import { json, text } from '../../../../model/parts.ts';
import type { Part } from '../../../../model/task.ts';
import type { BridgedTool } from '../agents/roster.ts';

/** A message to an agent. */
export interface Request {
  readonly parts: readonly Part[];
  readonly skill?: string | undefined;
  readonly contextId?: string | undefined;
  readonly taskId?: string | undefined;
}

/** Arguments that do not fit their tool; a model can mend them. */
export class ArgumentsError extends Error {}

/** Reads the arguments of a call. Those of a skill are checked by its agent, which knows the schema. */
export function requestOf(tool: BridgedTool, given: unknown): Request {
  const values = given ?? {};
  if (!isPlainObject(values)) throw new ArgumentsError('The arguments must be an object.');
  if (tool.skill) {
    const { id, shape } = tool.skill;
    if (shape.member !== undefined && !(shape.member in values)) {
      throw new ArgumentsError(`The argument "${shape.member}" is missing.`);
    }
    const input = shape.member === undefined ? values : values[shape.member];
    return { parts: [json(input as JsonValue)], skill: id };
  }
  const unknown = Object.keys(values).find((name) => !(name in (tool.inputSchema.properties as object)));
  if (unknown !== undefined) throw new ArgumentsError(`There is no argument ${JSON.stringify(unknown.slice(0, 100))}.`);
  const message = textIn(values, 'message');
  if (message === undefined) throw new ArgumentsError('The argument "message" is missing.');
  const skill = textIn(values, 'skill');
  if (skill !== undefined && !tool.skillIds.includes(skill)) {
    throw new ArgumentsError(`The argument "skill" must be one of ${tool.skillIds.join(', ')}.`);
  }
  return {
    parts: [text(message)],
    skill,
    contextId: textIn(values, 'contextId'),
    taskId: textIn(values, 'taskId'),
  };
}

/** Models write empty texts for what they leave out. */
function textIn(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = values[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new ArgumentsError(`The argument "${name}" must be a text.`);
  return value;
}
