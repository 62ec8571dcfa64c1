import type { AgentCard, AgentExtension, AgentProvider, AgentSkill } from '../../model/card.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Members } from './members.ts';
import { readRequirements, readSecurity } from './security.ts';

/** What cards of every version write alike (reference: mapping §9). Optional members that would be empty are left out. */
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

/** Who provides the agent, and where to read and see more. */
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
  if (skill.examples?.length) wire.examples = skill.examples;
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

/**
 * The members that do not depend on the version. Of a published card only what a client cannot do without is demanded,
 * an interface to call; texts and lists that are missing are empty.
 */
export function readDescription(members: Members): Omit<AgentCard, 'interfaces' | 'capabilities'> {
  return {
    name: members.text('name') ?? '',
    description: members.text('description') ?? '',
    version: members.text('version') ?? '',
    defaultInputModes: members.texts('defaultInputModes', 'default_input_modes') ?? [],
    defaultOutputModes: members.texts('defaultOutputModes', 'default_output_modes') ?? [],
    skills: members.list('skills', undefined, readSkill),
    provider: members.object('provider', undefined, readProvider),
    documentationUrl: members.text('documentationUrl', 'documentation_url'),
    iconUrl: members.text('iconUrl', 'icon_url'),
    ...readSecurity(members),
  };
}

export function readExtension(members: Members): AgentExtension {
  return {
    uri: members.text('uri') ?? '',
    description: members.text('description'),
    required: members.flag('required') || undefined,
    params: members.struct('params'),
  };
}

function readSkill(members: Members): AgentSkill {
  return {
    id: members.text('id') ?? '',
    name: members.text('name') ?? '',
    description: members.text('description') ?? '',
    tags: members.texts('tags') ?? [],
    examples: members.texts('examples'),
    inputModes: members.texts('inputModes', 'input_modes'),
    outputModes: members.texts('outputModes', 'output_modes'),
    ...(members.has('inputSchema') && { inputSchema: members.struct('inputSchema') }),
    security: readRequirements(members),
  };
}

function readProvider(members: Members): AgentProvider {
  const contactEmail = members.text('contactEmail');
  return {
    // The seed S3 calls it `name`.
    organization: members.text('organization') ?? members.text('name') ?? '',
    url: members.text('url') ?? '',
    ...(contactEmail && { contactEmail }),
  };
}
