import { isPlainObject, type JsonObject, type JsonValue } from '../basics/json.ts';
import type { AgentCard, AgentExtension, AgentSkill } from '../card.ts';
import { publishedSchema } from '../schema/published-schema.ts';
import type { SchemaSource, SourceInput, SourceOutput } from '../schema/schema-check.ts';

/** Skills whose input and output have a shape. The card's entry for it describes them as JSON Schema. */
export const SKILLS_EXTENSION = 'urn:parley:ext:skills:v1';

/** A skill, with schemas of its input and output if it has them. */
export interface SkillDefinition extends AgentSkill {
  /** Schema of the input. The message that starts a task for this skill must have a data part that matches. */
  readonly input?: SchemaSource | undefined;
  /** Schema of the output. The result must have at least one data part, and all of them must match. */
  readonly output?: SchemaSource | undefined;
  /** Scopes that a caller needs to use this skill, all of them. Default: none. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * Skills without members that no skill has: TypeScript looks for them by itself only where it does not infer. A misspelt
 * `scopes` would leave a skill open to everybody.
 */
export type KnownMembers<Skills extends readonly SkillDefinition[]> = [UnknownName<Skills[number]>] extends [never]
  ? unknown
  : {
      readonly [Index in keyof Skills]: {
        readonly [Name in UnknownName<Skills[Index]>]: 'There is no such member of a skill';
      };
    };

type UnknownName<Skill> = Skill extends unknown ? Exclude<keyof Skill, keyof SkillDefinition> : never;

/** The types of one skill. */
export interface SkillShape {
  /** The input as callers send it. */
  readonly sent: unknown;
  /** The input as the run receives it, after its schema. */
  readonly input: unknown;
  /** The output that callers receive. */
  readonly output: unknown;
}

/** The types of an agent's skills, by their ids. */
export type SkillShapes = Readonly<Record<string, SkillShape>>;

/** The types of skills, from their schemas; what has none is unknown. */
export type ShapesOf<Skills extends readonly SkillDefinition[]> = {
  readonly [Skill in Skills[number] as Skill['id']]: {
    readonly sent: Skill extends { readonly input: infer Source extends SchemaSource } ? SourceInput<Source> : unknown;
    readonly input: Skill extends { readonly input: infer Source extends SchemaSource }
      ? SourceOutput<Source>
      : unknown;
    readonly output: Skill extends { readonly output: infer Source extends SchemaSource }
      ? SourceOutput<Source>
      : unknown;
  };
};

/** An agent as far as its skills go: enough for a client to know their types. */
export interface SkilledAgent<Shapes extends object = SkillShapes> {
  readonly skills: readonly SkillDefinition[];
  /** Never there: it carries the types. */
  readonly '~shapes'?: Shapes | undefined;
}

/** The types of an agent's skills. */
export type ShapesOfAgent<Agent extends SkilledAgent> = NonNullable<Agent['~shapes']>;

/** A skill by its id, with the input that it takes: a message instead of words. */
export type SkillCall<Id extends string = string, Shape = SkillShape> = { readonly skill: Id } & SkillInput<Shape>;

type SkillInput<Shape> = Shape extends { readonly sent: infer Sent }
  ? unknown extends Sent
    ? { readonly input?: unknown }
    : { readonly input: Sent }
  : { readonly input?: unknown };

/** The type of a skill's result; JSON where its schema does not tell. */
export type SkillOutput<Shape> = Shape extends { readonly output: infer Output }
  ? unknown extends Output
    ? JsonValue
    : Output
  : JsonValue;

/** Marks a task or message with the type of its data, for `dataOf`. */
export interface WithOutput<Output> {
  /** Never there: it carries the type. */
  readonly '~output'?: Output | undefined;
}

/** JSON Schema of a skill; `{}` = anything, or unknown. */
export interface SkillSchemas {
  readonly input?: JsonObject | undefined;
  readonly output?: JsonObject | undefined;
}

/** The card's entry about the shapes of its skills. */
export function skillsExtension(schemas: Readonly<Record<string, SkillSchemas>>): AgentExtension {
  return {
    uri: SKILLS_EXTENSION,
    description:
      'These skills take and give data of a shape. A message names the skill in its metadata (skillId) and has the ' +
      'input in a data part; the result is a data part of an artifact that names this extension.',
    required: false,
    params: { skills: Object.fromEntries(Object.entries(schemas).map(([id, shapes]) => [id, published(shapes)])) },
  };
}

function published({ input, output }: SkillSchemas): JsonObject {
  return {
    ...(input !== undefined && { input: publishedSchema(input) }),
    ...(output !== undefined && { output: publishedSchema(output) }),
  };
}

/** Reads the JSON Schemas of a card's skills, by skill id. */
export function skillSchemasOf(card: Pick<AgentCard, 'capabilities'>): ReadonlyMap<string, SkillSchemas> {
  const entry = card.capabilities.extensions.find(({ uri }) => uri === SKILLS_EXTENSION);
  const skills = entry?.params?.skills;
  if (!isPlainObject(skills)) return new Map();
  return new Map(
    Object.entries(skills).flatMap(([id, value]) => {
      if (!isPlainObject(value)) return [];
      const [input, output] = [schemaIn(value.input), schemaIn(value.output)];
      return [[id, { ...(input && { input }), ...(output && { output }) }] as const];
    }) as [string, SkillSchemas][],
  );
}

/** `true` is the published form of a schema that takes anything. */
function schemaIn(value: unknown): object | undefined {
  if (value === true) return {};
  return isPlainObject(value) ? value : undefined;
}
