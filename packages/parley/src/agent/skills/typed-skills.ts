import type { RunHandle } from '../../engine/turn/runner.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { A2AError, type FieldViolation, invalidParams } from '../../model/errors/errors.ts';
import { SKILLS_EXTENSION, type SkillDefinition, type SkillSchemas } from '../../model/extensions/skills.ts';
import { type Checked, check, jsonSchemaOf, type SchemaSource } from '../../model/schema/schema-check.ts';
import type { DataPart, Message, Part } from '../../model/task.ts';
import type { Agent } from '../agent.ts';
import { checkedPart } from '../run/outputs.ts';
import { skillOf } from './skills.ts';

/** The skill of a turn, what it was given, and what its result is checked by. */
export interface SkillStart {
  readonly skill: string | undefined;
  readonly input: unknown;
  readonly output: OutputCheck | undefined;
}

/** JSON Schema of the skills that have a shape; undefined where none has. */
export function schemasOf(
  skills: readonly SkillDefinition[],
  agent: string,
): Readonly<Record<string, SkillSchemas>> | undefined {
  const typed = skills.filter((skill) => skill.input || skill.output);
  if (typed.length === 0) return undefined;
  return Object.fromEntries(
    typed.map(({ id, input, output }) => [
      id,
      {
        ...(input && { input: described(input, 'input', id, agent) }),
        ...(output && { output: described(output, 'output', id, agent) }),
      },
    ]),
  );
}

function described(source: SchemaSource, side: 'input' | 'output', skill: string, agent: string): JsonObject {
  try {
    return jsonSchemaOf(source, side) ?? {};
  } catch (cause) {
    const what = `The ${side} of skill "${skill}" of agent "${agent}" cannot be written as JSON Schema`;
    throw new TypeError(`${what}: give { schema, jsonSchema } instead of the schema alone`, { cause });
  }
}

/**
 * Refuses a message whose data does not fit the skill that it is for, before anything runs. A message to a task that
 * is there may be the answer to a question: it is only checked where it names the skill and brings data.
 */
export function requireInput(agent: Agent, message: Message): Promise<void> | undefined {
  const skill = definitionOf(agent, skillOf(agent, message));
  if (!skill?.input) return undefined;
  const place = dataPlace(message);
  if (message.taskId && (place === -1 || typeof message.metadata?.skillId !== 'string')) return undefined;
  const root = place === -1 ? 'message.parts' : `message.parts[${place}].data`;
  const result = check(skill.input, dataAt(message, place), root);
  if (result instanceof Promise) return result.then((later) => requireFit(later, place, skill));
  requireFit(result, place, skill);
  return undefined;
}

function requireFit(result: Checked, place: number, { id }: SkillDefinition): void {
  if (!result.violations) return;
  if (place !== -1) throw invalidParams(...result.violations);
  throw invalidParams({ field: 'message.parts', description: `must have a data part with the input of skill "${id}"` });
}

/** The skill and input of a turn. A later turn has those of the task's first message. */
export function skillStart(agent: Agent, handle: RunHandle): SkillStart | Promise<SkillStart> {
  const subject = subjectOf(agent, handle);
  const skill = skillOf(agent, subject);
  const definition = definitionOf(agent, skill);
  const output = definition?.output && new OutputCheck(definition.id, definition.output, handle);
  if (!definition?.input) return { skill, input: undefined, output };
  const place = dataPlace(subject);
  // A copy: some schemas give back what they are given, and a run may change what it gets.
  const result = check(definition.input, structuredClone(dataAt(subject, place)), `message.parts[${place}].data`);
  if (result instanceof Promise) return result.then((later) => ({ skill, input: inputIn(later), output }));
  return { skill, input: inputIn(result), output };
}

function inputIn(result: Checked): unknown {
  if (!result.violations) return result.value;
  throw new Error(`The input of the skill no longer fits its schema: ${listed(result.violations)}`);
}

/** The message that says which skill is wanted, and with what. */
function subjectOf(agent: Agent, { message, history }: RunHandle): Message {
  const first = history.find(({ role }) => role === 'user') ?? message;
  if (typeof message.metadata?.skillId !== 'string') return first;
  const needsData = definitionOf(agent, message.metadata.skillId)?.input !== undefined;
  return needsData && dataPlace(message) === -1 ? first : message;
}

function definitionOf(agent: Agent, id: string | undefined): SkillDefinition | undefined {
  return agent.skills.find((skill) => skill.id === id);
}

function dataPlace({ parts }: Message): number {
  return parts.findIndex((part) => part.kind === 'data');
}

function dataAt({ parts }: Message, place: number): unknown {
  const part = parts[place];
  return part?.kind === 'data' ? part.data : undefined;
}

function listed(violations: readonly FieldViolation[]): string {
  return violations.map(({ field, description }) => `${field} ${description}`).join('; ');
}

/** Holds what a run gives to the output that its skill has declared. */
export class OutputCheck {
  readonly #skill: string;
  readonly #source: SchemaSource;
  readonly #isFirstTurn: boolean;
  /** The extensions that the result's artifact names. */
  readonly marks: readonly string[] | undefined;
  #hasData = false;

  constructor(skill: string, source: SchemaSource, { request, history }: RunHandle) {
    this.#skill = skill;
    this.#source = source;
    this.#isFirstTurn = history.length === 0;
    this.marks = request.extensions.includes(SKILLS_EXTENSION) ? [SKILLS_EXTENSION] : undefined;
  }

  /** The same parts, with their data as the schema makes it. */
  parts(parts: readonly Part[]): readonly Part[] | Promise<readonly Part[]> {
    const results = parts.map((part) => (part.kind === 'data' ? this.#part(part) : part));
    const isReady = !results.some((result) => result instanceof Promise);
    return isReady ? (results as Part[]) : Promise.all(results as Promise<Part>[]);
  }

  /** The run is done: there must have been data, unless the schema can do without. */
  async end(): Promise<void> {
    if (this.#hasData || !this.#isFirstTurn) return;
    const { violations } = await check(this.#source, undefined, 'data');
    if (violations) throw this.#misfit('there is no data part');
  }

  #part(part: DataPart): Part | Promise<Part> {
    this.#hasData = true;
    const result = check(this.#source, part.data, 'data');
    return result instanceof Promise ? result.then((later) => this.#fitting(part, later)) : this.#fitting(part, result);
  }

  #fitting(part: DataPart, result: Checked): Part {
    if (result.violations) throw this.#misfit(listed(result.violations));
    return checkedPart({ ...part, data: result.value });
  }

  #misfit(problem: string): A2AError {
    return new A2AError('INVALID_AGENT_RESPONSE', `The result does not fit the skill "${this.#skill}": ${problem}`);
  }
}
