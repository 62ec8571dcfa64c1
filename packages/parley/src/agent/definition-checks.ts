import { isPlainObject } from '../model/basics/json.ts';
import type { AgentProvider } from '../model/card.ts';
import type { SkillDefinition } from '../model/extensions/skills.ts';
import {
  anything,
  type Check,
  type Checks,
  called,
  filled,
  flag,
  listOf,
  literalMembers,
  members,
  object,
  orElse,
  requireRight,
  takes,
  text,
  texts,
} from '../model/options/checks.ts';
import type { AgentDefinition, ExtendedCard } from './agent.ts';
import type { ExtensionDefinition } from './extension.ts';

export const schema: Check = takes('a schema of a library such as Zod, or { schema, jsonSchema }', (value) => {
  const source = isStandard(value) ? value : isPlainObject(value) && isPlainObject(value.jsonSchema) && value.schema;
  return isStandard(source);
});

const SKILL: Checks<SkillDefinition> = {
  id: filled,
  name: text,
  description: text,
  tags: texts,
  examples: listOf(anything),
  inputModes: texts,
  outputModes: texts,
  inputSchema: object,
  security: listOf(object),
  input: schema,
  output: schema,
  scopes: texts,
};

const SKILLS = listOf(members(SKILL), 'a list of skills');

const PROVIDER: Checks<AgentProvider> = { organization: text, url: text, contactEmail: text };

const EXTENSION: Checks<ExtensionDefinition> = {
  uri: text,
  description: text,
  required: flag,
  params: object,
  onRequest: called,
  onEvent: called,
};

const EXTENDED_CARD: Checks<ExtendedCard> = { description: text, skills: SKILLS, documentationUrl: text };

const CARD: Checks<NonNullable<AgentDefinition['card']>> = {
  securitySchemes: object,
  security: listOf(object),
  rateLimit: object,
};

/** What a definition may say. `name`, `description`, `version` and `run`, which it must have, are looked at first. */
export const DEFINITION: Checks<AgentDefinition> = {
  name: text,
  title: text,
  description: text,
  version: text,
  skills: SKILLS,
  inputModes: texts,
  outputModes: texts,
  provider: members(PROVIDER),
  documentationUrl: text,
  iconUrl: text,
  card: members(CARD),
  extensions: listOf(literalMembers(EXTENSION)),
  resumable: flag,
  refuseWhileWorking: text,
  streaming: flag,
  extendedCard: functionOr(orElse(members(EXTENDED_CARD), true)),
  run: called,
  onCancel: called,
};

const check = literalMembers(DEFINITION);

/** Throws a TypeError for members that nobody would read, and for wrong values: `scope` instead of `scopes` guards nothing. */
export function checkDefinition(name: string, definition: object): void {
  requireRight(`Agent "${name}"`, check(definition, ''));
}

export function functionOr(other: Check): Check {
  return (value, name) => (typeof value === 'function' ? undefined : other(value, name));
}

function isStandard(value: unknown): value is object {
  const isThing = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isThing && '~standard' in value;
}
