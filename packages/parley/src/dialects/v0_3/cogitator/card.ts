import type { JsonObject } from '../../../model/basics/json.ts';
import { exampleInput, type AgentCard as ModelCard, type AgentSkill as ModelSkill } from '../../../model/card.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import { skillSchemasOf } from '../../../model/extensions/skills.ts';
import { mainInterface } from '../card.ts';
import { encodeSecurity } from '../security.ts';
import type { A2ACapabilities, AgentCard, AgentProvider, AgentSkill } from './types.ts';

/** The value of the member `version`; the agent's own version has no place. */
const PROTOCOL_VERSION = '0.3';

/** The card as the document has it. Throws VERSION_NOT_SUPPORTED where the agent is not reachable in 0.3. */
export function encodeCard(card: ModelCard): AgentCard {
  const main = mainInterface(card);
  if (main === undefined) throw new A2AError('VERSION_NOT_SUPPORTED', 'This agent is not reachable in A2A 0.3');
  const schemas = skillSchemasOf(card);
  const wire: AgentCard = {
    name: card.name,
    ...(card.description && { description: card.description }),
    url: main.url,
    version: PROTOCOL_VERSION,
    ...(card.provider && { provider: encodeProvider(card.provider) }),
    capabilities: encodeCapabilities(card.capabilities),
    skills: card.skills.map((skill) => encodeSkill(skill, card, schemas.get(skill.id)?.input)),
    defaultInputModes: [...card.defaultInputModes],
    defaultOutputModes: [...card.defaultOutputModes],
  };
  return Object.assign(wire, encodeSecurity(card));
}

function encodeProvider({ organization, url, contactEmail }: NonNullable<ModelCard['provider']>): AgentProvider {
  return { name: organization, ...(url && { url }), ...(contactEmail && { contactEmail }) };
}

function encodeCapabilities(capabilities: ModelCard['capabilities']): A2ACapabilities {
  const { streaming, pushNotifications, extendedAgentCard } = capabilities;
  return { streaming, pushNotifications, ...(extendedAgentCard && { extendedAgentCard }) };
}

function encodeSkill(skill: ModelSkill, card: ModelCard, schema: JsonObject | undefined): AgentSkill {
  const inputSchema = skill.inputSchema ?? schema;
  return {
    id: skill.id,
    name: skill.name,
    ...(skill.description && { description: skill.description }),
    inputModes: [...(skill.inputModes ?? card.defaultInputModes)],
    outputModes: [...(skill.outputModes ?? card.defaultOutputModes)],
    ...(skill.examples?.length && { examples: skill.examples.map(exampleInput) }),
    ...(inputSchema && { inputSchema }),
  };
}
