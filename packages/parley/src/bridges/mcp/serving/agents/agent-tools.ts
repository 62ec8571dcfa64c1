import type { JsonObject } from '../../../../model/basics/json.ts';
import { type AgentCard, type AgentSkill, exampleInput } from '../../../../model/card.ts';
import { skillSchemasOf } from '../../../../model/extensions/skills.ts';
import { legalName } from '../../tool-names.ts';
import { DESCRIPTION_LENGTH, TOOLS_OF_AGENT } from '../limits.ts';
import { type InputShape, inputShapeOf, type ObjectSchema, outputSchemaOf } from './object-schemas.ts';
import type { SchemaCheck } from './schema-check.ts';

/** A tool of an agent before its name is made unique. */
export interface AgentToolPlan {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema | undefined;
  /** The skill with a shape that it calls; undefined for a tool that takes messages. */
  readonly skill: { readonly id: string; readonly shape: InputShape } | undefined;
  /** The skills that a message may name. */
  readonly skillIds: readonly string[];
}

/**
 * The tools of an agent: one for each skill whose input has a schema, and one that takes messages, by which conversations,
 * answers and all other skills are reached.
 */
export function toolsOf(card: AgentCard, agentName: string, check: SchemaCheck): readonly AgentToolPlan[] {
  const schemas = skillSchemasOf(card);
  const typed = card.skills.flatMap((skill): readonly AgentToolPlan[] => {
    const shapes = schemas.get(skill.id);
    if (!shapes?.input) return [];
    const shape = inputShapeOf(shapes.input, check);
    return [
      {
        name: legalName(`${agentName}_${skill.id}`, agentName),
        title: skill.name || skill.id,
        description: bounded(describeSkill(skill)),
        inputSchema: shape.schema,
        outputSchema: shapes.output && outputSchemaOf(shapes.output, check),
        skill: { id: skill.id, shape },
        skillIds: [],
      },
    ];
  });
  const own = new Map(typed.map(({ name, skill }) => [skill?.id ?? '', name]));
  return [messageTool(card, agentName, own), ...typed].slice(0, TOOLS_OF_AGENT);
}

/** `own`: the skills that have tools of their own, with the names of these. */
function messageTool(card: AgentCard, agentName: string, own: ReadonlyMap<string, string>): AgentToolPlan {
  const skillIds = [...new Set(card.skills.map(({ id }) => id))];
  return {
    name: agentName,
    title: card.name,
    description: bounded([card.description || `Asks the agent ${card.name}.`, ...describeSkills(card, own)].join('\n')),
    inputSchema: messageSchema(skillIds),
    outputSchema: undefined,
    skill: undefined,
    skillIds,
  };
}

function messageSchema(skillIds: readonly string[]): ObjectSchema {
  const optional: JsonObject = {
    contextId: { type: 'string', description: 'Goes on with the conversation of an earlier result' },
    taskId: { type: 'string', description: 'Goes on with a task, such as to answer its question' },
    ...(skillIds.length > 1 && { skill: { type: 'string', enum: skillIds, description: 'The skill that is wanted' } }),
  };
  return {
    type: 'object',
    properties: { message: { type: 'string', description: 'What the agent is to do, in plain words' }, ...optional },
    required: ['message'],
    additionalProperties: false,
  };
}

function describeSkills({ skills }: AgentCard, own: ReadonlyMap<string, string>): readonly string[] {
  if (skills.length === 0) return [];
  const lines = skills.map((skill) => {
    const tool = own.get(skill.id);
    return `- ${skill.id}: ${describeSkill(skill)}${tool === undefined ? '' : ` (begin with the tool ${tool})`}`;
  });
  return ['Skills:', ...lines];
}

function describeSkill({ name, description, examples }: AgentSkill): string {
  const shown = (examples ?? []).slice(0, 3).map(exampleInput);
  return `${description || name}${shown.length > 0 ? ` For example: ${shown.join('; ')}` : ''}`;
}

function bounded(text: string): string {
  return text.length <= DESCRIPTION_LENGTH ? text : `${text.slice(0, DESCRIPTION_LENGTH - 1)}…`;
}
