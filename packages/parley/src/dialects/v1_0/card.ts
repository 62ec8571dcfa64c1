import type { AgentCapabilities, AgentCard, AgentCardSignature, AgentInterface, AgentSkill } from '../../model/card.ts';
import {
  encodeExtension,
  encodeProvenance,
  encodeSkill,
  readDescription,
  readExtension,
  type WireExtension,
  type WireProvenance,
  type WireSkill,
} from '../wire/cards/card-members.ts';
import { fieldsOf, flag, list, requiredText } from '../wire/cards/fields.ts';
import { decode, type Members } from '../wire/members.ts';
import { readRequiredList } from '../wire/request-members.ts';
import { SNAKE } from '../wire/snake-case.ts';
import { encodeRequirement, encodeSecurity, type WireRequirement, type WireSecurity } from './security.ts';

interface WireInterface {
  url: string;
  protocolBinding: string;
  protocolVersion: string;
  tenant?: string;
}

interface WireCapabilities {
  streaming: boolean;
  pushNotifications: boolean;
  extendedAgentCard: boolean;
  extensions?: WireExtension[];
}

interface WireSecuredSkill extends WireSkill {
  securityRequirements?: WireRequirement[];
}

export interface WireCard extends WireProvenance, WireSecurity {
  name: string;
  description: string;
  version: string;
  supportedInterfaces: WireInterface[];
  capabilities: WireCapabilities;
  defaultInputModes: readonly string[];
  defaultOutputModes: readonly string[];
  skills: WireSecuredSkill[];
  signatures?: readonly AgentCardSignature[];
}

/**
 * The pure 1.0 card (reference: v1-agent-card §2). Optional members that would be empty are left out: libraries in
 * use disagree on whether empties belong to what is signed. The capability flags have presence and are always written.
 */
export function encodeCard(card: AgentCard): WireCard {
  const wire: WireCard = {
    name: card.name,
    description: card.description,
    version: card.version,
    supportedInterfaces: card.interfaces.filter((entry) => !entry.isSecondary).map(encodeInterface),
    capabilities: encodeCapabilities(card.capabilities),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(encodeSecuredSkill),
  };
  Object.assign(wire, encodeProvenance(card), encodeSecurity(card));
  if (card.signatures?.length) wire.signatures = card.signatures;
  return wire;
}

/**
 * Reads a published card. Only what a client cannot do without is demanded, an interface to call; texts and lists
 * that are missing are empty (reference: v1-data-model, Validity rules: tolerate an empty `skills`).
 */
export function decodeCard(value: unknown): AgentCard {
  return decode(value, readCard, 'card');
}

function encodeSecuredSkill(skill: AgentSkill): WireSecuredSkill {
  const wire: WireSecuredSkill = encodeSkill(skill);
  if (skill.security?.length) wire.securityRequirements = skill.security.map(encodeRequirement);
  return wire;
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

function readCard(members: Members): AgentCard {
  return {
    ...readDescription(members),
    interfaces: readRequiredList(members, 'supportedInterfaces', SNAKE, (entry) => readInterface(entry)),
    capabilities: readCapabilities(members),
  };
}

/** `version`: that of an interface that does not name one. */
export function readInterface(members: Members, version?: string): AgentInterface {
  return {
    url: members.requiredText('url'),
    protocolBinding: requiredText(members, 'protocolBinding'),
    protocolVersion:
      members.has('protocolVersion', 'protocol_version') || version === undefined
        ? requiredText(members, 'protocolVersion')
        : version,
    tenant: members.text('tenant'),
  };
}

/** The capabilities of a card; one without any has none. */
export function readCapabilities(members: Members): AgentCapabilities {
  return members.object('capabilities', undefined, readFlags) ?? decode(undefined, readFlags);
}

const readFlags = fieldsOf<AgentCapabilities>({
  streaming: flag,
  pushNotifications: flag,
  extendedAgentCard: flag,
  extensions: list(readExtension),
});
