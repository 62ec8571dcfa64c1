import type { JsonObject } from '../../../model/basics/json.ts';
import {
  type AgentCard,
  type AgentExtension,
  type AgentProvider,
  type AgentSkill,
  exampleInput,
} from '../../../model/card.ts';
import type { Members } from '../members.ts';
import { anyText, anyTexts, fieldsOf, list, object, optionalFlag, struct, text, texts } from './fields.ts';
import { readRequirements, readSchemes } from './security.ts';

/** The members that cards of every version write alike (reference: mapping §9). Optional members that would be empty are left out. */
export interface WireExtension {
  uri: string;
  description?: string;
  required?: true;
  params?: JsonObject;
}

export interface WireSkill {
  id: string;
  name: string;
  description: string;
  tags: readonly string[];
  examples?: readonly string[];
  inputModes?: readonly string[];
  outputModes?: readonly string[];
}

/** The agent's provider, and addresses to read and see more. */
export interface WireProvenance {
  provider?: AgentProvider;
  documentationUrl?: string;
  iconUrl?: string;
}

export function encodeExtension(extension: AgentExtension): WireExtension {
  const wire: WireExtension = { uri: extension.uri };
  if (extension.description) wire.description = extension.description;
  if (extension.required) wire.required = true;
  if (extension.params !== undefined && Object.keys(extension.params).length > 0) wire.params = extension.params;
  return wire;
}

export function encodeSkill(skill: AgentSkill): WireSkill {
  const wire: WireSkill = { id: skill.id, name: skill.name, description: skill.description, tags: skill.tags };
  if (skill.examples?.length) wire.examples = skill.examples.map(exampleInput);
  if (skill.inputModes?.length) wire.inputModes = skill.inputModes;
  if (skill.outputModes?.length) wire.outputModes = skill.outputModes;
  return wire;
}

export function encodeProvenance({ provider, documentationUrl, iconUrl }: AgentCard): WireProvenance {
  const wire: WireProvenance = {};
  if (provider !== undefined) wire.provider = { organization: provider.organization, url: provider.url };
  if (documentationUrl) wire.documentationUrl = documentationUrl;
  if (iconUrl) wire.iconUrl = iconUrl;
  return wire;
}

const readSkill = fieldsOf<AgentSkill>({
  id: anyText,
  name: anyText,
  description: anyText,
  tags: anyTexts,
  examples: readExamples,
  inputModes: texts,
  outputModes: texts,
  inputSchema: struct,
  security: readRequirements,
});

const readProvider = fieldsOf<AgentProvider>({
  // The seed S3 calls it `name`.
  organization: (members) => members.text('organization') ?? members.text('name') ?? '',
  url: anyText,
  contactEmail: text,
});

export const readExtension = fieldsOf<AgentExtension>({
  uri: anyText,
  description: text,
  required: optionalFlag,
  params: struct,
});

/** The version-independent members of a card, but for those that only informal documents have. */
type Description = Omit<AgentCard, 'interfaces' | 'capabilities' | 'rateLimit' | 'signatures'>;

/**
 * The members that do not depend on the version. Of a published card only what a client cannot do without is demanded,
 * an interface to call; texts and lists that are missing are empty.
 */
export const readDescription = fieldsOf<Description>({
  name: anyText,
  description: anyText,
  version: anyText,
  defaultInputModes: anyTexts,
  defaultOutputModes: anyTexts,
  skills: list(readSkill),
  provider: object(readProvider),
  documentationUrl: text,
  iconUrl: text,
  securitySchemes: readSchemes,
  security: readRequirements,
});

/** Cards of JAF have others beside texts. */
function readExamples(members: Members): AgentSkill['examples'] {
  const values = members.value('examples');
  if (!Array.isArray(values)) return members.texts('examples');
  const known = values.filter((value) => typeof value === 'string');
  return known.length > 0 ? known : undefined;
}
