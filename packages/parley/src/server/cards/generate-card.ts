import type { Agent } from '../../agent/agent.ts';
import type { CardJson } from '../../cards/payload/card-payload.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import type { AgentCard, AgentExtension, AgentProvider, AgentSkill } from '../../model/card.ts';
import { SKILLS_EXTENSION, skillsExtension } from '../../model/extensions/skills.ts';
import { jsonSchemaOf, type SchemaSource } from '../../model/schema/schema-check.ts';
import { isStandardSchema } from '../../model/schema/standard-schema.ts';
import { type CardSecurity, cardOf } from './card.ts';
import { type CardShape, encodeCardAs } from './card-shapes.ts';
import { checkCard } from './check-card.ts';

/** A tool of a language model, as far as a card shows it. */
export interface CardTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** The schema of its input: of Zod, of any library with Standard Schema, or JSON Schema itself. */
  readonly parameters?: SchemaSource | JsonObject | undefined;
  /** The schema of its output, likewise. */
  readonly output?: SchemaSource | JsonObject | undefined;
}

export interface GenerateCardOptions extends CardSecurity {
  /** The address of the agent's operations, e.g. `https://agents.example.com/a2a`. */
  readonly url: string;
  /** Tools that appear as skills on the card, with their inputs and outputs. */
  readonly tools?: readonly CardTool[] | undefined;
  /** The organization on the card, instead of the agent's. */
  readonly provider?: AgentProvider | undefined;
  /** Tenants that have their own interface. */
  readonly tenants?: readonly string[] | undefined;
  /** The version of the card. Default `1.0`. */
  readonly shape?: CardShape | undefined;
}

/**
 * The card of an agent as JSON, for registries and for hosts that serve it themselves; a server has its cards without being
 * told. Skills and tools have their schemas as JSON Schema in the params of the extension `urn:parley:ext:skills:v1`. Throws a
 * TypeError that names all that is wrong.
 *
 * @example
 * const card = generateAgentCard(agent, { url: 'https://agents.example.com/a2a', tools: [search] });
 */
export function generateAgentCard(agent: Agent, options: GenerateCardOptions): CardJson {
  const { url, tools = [], tenants = [], shape = '1.0', provider, securitySchemes, security } = options;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new TypeError(`url must be an http(s) address, not ${JSON.stringify(url)}`);
  const address = {
    url: url.replace(/(?<!\/)\/+$/, ''),
    tenants,
    ...(securitySchemes && { security: { securitySchemes, security } }),
  };
  const card = withTools(cardOf(agent, address), tools, agent.name);
  const complete = provider ? { ...card, provider } : card;
  checkCard(complete, agent.name);
  return encodeCardAs(shape, complete) as CardJson;
}

/** Tools as skills of the card, their schemas beside those of the skills. */
function withTools(card: AgentCard, tools: readonly CardTool[], agent: string): AgentCard {
  if (tools.length === 0) return card;
  const skills = tools.map(
    ({ name, description }): AgentSkill => ({ id: name, name, description: description || name, tags: ['tool'] }),
  );
  const schemas = tools.flatMap((tool) => {
    const shapes = {
      ...(tool.parameters && { input: schemaOf(tool.parameters, 'input', tool.name, agent) }),
      ...(tool.output && { output: schemaOf(tool.output, 'output', tool.name, agent) }),
    };
    return Object.keys(shapes).length > 0 ? [[tool.name, shapes] as const] : [];
  });
  const extensions = withSchemas(card.capabilities.extensions, skillsExtension(Object.fromEntries(schemas)));
  return {
    ...card,
    skills: [...card.skills, ...skills],
    capabilities: { ...card.capabilities, extensions: schemas.length > 0 ? extensions : card.capabilities.extensions },
  };
}

function schemaOf(
  source: SchemaSource | JsonObject,
  side: 'input' | 'output',
  tool: string,
  agent: string,
): JsonObject {
  const isSource = isStandardSchema(source) || 'schema' in source;
  try {
    const schema = isSource ? jsonSchemaOf(source as SchemaSource, side) : (source as JsonObject);
    return schema ?? {};
  } catch (cause) {
    const what = `The ${side} of tool "${tool}" of agent "${agent}" cannot be written as JSON Schema`;
    throw new TypeError(`${what}: give { schema, jsonSchema } instead of the schema alone`, { cause });
  }
}

/** The agent's skills may have schemas already. */
function withSchemas(extensions: readonly AgentExtension[], added: AgentExtension): readonly AgentExtension[] {
  const known = extensions.find(({ uri }) => uri === SKILLS_EXTENSION);
  if (!known) return [...extensions, added];
  const skills = { ...(known.params?.skills as JsonObject), ...(added.params?.skills as JsonObject) };
  return extensions.map((extension) =>
    extension === known ? { ...known, params: { ...known.params, skills } } : extension,
  );
}
