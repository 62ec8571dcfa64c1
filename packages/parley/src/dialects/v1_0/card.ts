import type {
  AgentCapabilities,
  AgentCard,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
} from '../../model/card.ts';
import type { JsonObject } from '../../model/json.ts';
import { decode, type Members } from '../wire/members.ts';

interface WireInterface {
  url: string;
  protocolBinding: string;
  protocolVersion: string;
  tenant?: string;
}

interface WireExtension {
  uri: string;
  description?: string;
  required?: true;
  params?: JsonObject;
}

interface WireCapabilities {
  streaming: boolean;
  pushNotifications: boolean;
  extendedAgentCard: boolean;
  extensions?: WireExtension[];
}

interface WireSkill {
  id: string;
  name: string;
  description: string;
  tags: readonly string[];
  examples?: readonly string[];
  inputModes?: readonly string[];
  outputModes?: readonly string[];
}

export interface WireCard {
  name: string;
  description: string;
  version: string;
  supportedInterfaces: WireInterface[];
  provider?: AgentProvider;
  documentationUrl?: string;
  iconUrl?: string;
  capabilities: WireCapabilities;
  defaultInputModes: readonly string[];
  defaultOutputModes: readonly string[];
  skills: WireSkill[];
}

const NO_CAPABILITIES: AgentCapabilities = {
  streaming: false,
  pushNotifications: false,
  extendedAgentCard: false,
  extensions: [],
};

/**
 * The pure 1.0 card (reference: v1-agent-card §2). Optional members that would be empty are left out: libraries in
 * use disagree on whether empties belong to what is signed. The capability flags have presence and are always written.
 */
export function encodeCard(card: AgentCard): WireCard {
  const wire: WireCard = {
    name: card.name,
    description: card.description,
    version: card.version,
    supportedInterfaces: card.interfaces.map(encodeInterface),
    capabilities: encodeCapabilities(card.capabilities),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(encodeSkill),
  };
  if (card.provider !== undefined) {
    wire.provider = { organization: card.provider.organization, url: card.provider.url };
  }
  if (card.documentationUrl) wire.documentationUrl = card.documentationUrl;
  if (card.iconUrl) wire.iconUrl = card.iconUrl;
  return wire;
}

/**
 * Reads a published card. Only what a client cannot do without is demanded, an interface to call; texts and lists
 * that are missing are empty (reference: v1-data-model, Validity rules: tolerate an empty `skills`).
 */
export function decodeCard(value: unknown): AgentCard {
  return decode(value, readCard, 'card');
}

function encodeInterface(entry: AgentInterface): WireInterface {
  const wire: WireInterface = {
    url: entry.url,
    protocolBinding: entry.protocolBinding,
    protocolVersion: entry.protocolVersion,
  };
  if (entry.tenant) wire.tenant = entry.tenant;
  return wire;
}

function encodeCapabilities(capabilities: AgentCapabilities): WireCapabilities {
  const wire: WireCapabilities = {
    streaming: capabilities.streaming,
    pushNotifications: capabilities.pushNotifications,
    extendedAgentCard: capabilities.extendedAgentCard,
  };
  if (capabilities.extensions.length > 0) wire.extensions = capabilities.extensions.map(encodeExtension);
  return wire;
}

function encodeExtension(extension: AgentExtension): WireExtension {
  const wire: WireExtension = { uri: extension.uri };
  if (extension.description) wire.description = extension.description;
  if (extension.required) wire.required = true;
  if (extension.params !== undefined && Object.keys(extension.params).length > 0) wire.params = extension.params;
  return wire;
}

function encodeSkill(skill: AgentSkill): WireSkill {
  const wire: WireSkill = { id: skill.id, name: skill.name, description: skill.description, tags: skill.tags };
  if (skill.examples?.length) wire.examples = skill.examples;
  if (skill.inputModes?.length) wire.inputModes = skill.inputModes;
  if (skill.outputModes?.length) wire.outputModes = skill.outputModes;
  return wire;
}

function readCard(members: Members): AgentCard {
  return {
    name: members.text('name') ?? '',
    description: members.text('description') ?? '',
    version: members.text('version') ?? '',
    interfaces: members.requiredList('supportedInterfaces', 'supported_interfaces', readInterface),
    capabilities: members.object('capabilities', undefined, readCapabilities) ?? NO_CAPABILITIES,
    defaultInputModes: members.texts('defaultInputModes', 'default_input_modes') ?? [],
    defaultOutputModes: members.texts('defaultOutputModes', 'default_output_modes') ?? [],
    skills: members.list('skills', undefined, readSkill),
    provider: members.object('provider', undefined, readProvider),
    documentationUrl: members.text('documentationUrl', 'documentation_url'),
    iconUrl: members.text('iconUrl', 'icon_url'),
  };
}

function readInterface(members: Members): AgentInterface {
  return {
    url: members.requiredText('url'),
    protocolBinding: members.requiredText('protocolBinding', 'protocol_binding'),
    protocolVersion: members.requiredText('protocolVersion', 'protocol_version'),
    tenant: members.text('tenant'),
  };
}

function readCapabilities(members: Members): AgentCapabilities {
  return {
    streaming: members.flag('streaming'),
    pushNotifications: members.flag('pushNotifications', 'push_notifications'),
    extendedAgentCard: members.flag('extendedAgentCard', 'extended_agent_card'),
    extensions: members.list('extensions', undefined, readExtension),
  };
}

function readExtension(members: Members): AgentExtension {
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
  };
}

function readProvider(members: Members): AgentProvider {
  return { organization: members.text('organization') ?? '', url: members.text('url') ?? '' };
}
