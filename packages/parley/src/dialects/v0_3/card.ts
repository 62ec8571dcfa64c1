import type {
  AgentCapabilities,
  AgentCard,
  AgentInterface,
  AgentSkill,
  SecurityRequirement,
} from '../../model/card.ts';
import { A2AError } from '../../model/errors/errors.ts';
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
import { decode, type Members } from '../wire/members.ts';
import { SNAKE } from '../wire/snake-case.ts';
import { encodeSecurity, type WireSecurity } from './security.ts';

interface WireInterface {
  url: string;
  transport: string;
}

interface WireCapabilities {
  streaming: boolean;
  pushNotifications: boolean;
  stateTransitionHistory: boolean;
  extensions?: WireExtension[];
}

interface WireSecuredSkill extends WireSkill {
  security?: readonly SecurityRequirement[];
}

interface WireCard extends WireProvenance, WireSecurity {
  protocolVersion: string;
  name: string;
  description: string;
  url: string;
  preferredTransport: string;
  additionalInterfaces: WireInterface[];
  version: string;
  capabilities: WireCapabilities;
  defaultInputModes: readonly string[];
  defaultOutputModes: readonly string[];
  skills: WireSecuredSkill[];
  supportsAuthenticatedExtendedCard: boolean;
}

export const INTERFACE_VERSION = '0.3';

/** Cards write the version with its patch digit (reference: v03 §7). */
const PROTOCOL_VERSION = '0.3.0';

/** The binding of a card without `preferredTransport` (reference: v03 §7). */
const DEFAULT_TRANSPORT = 'JSONRPC';

/**
 * The pure 0.3 card (reference: v03 §7, mapping §9): the first interface of version 0.3 is the main one, and all of
 * them, the main one included, are listed. Throws VERSION_NOT_SUPPORTED if there is none.
 */
export function encodeCard(card: AgentCard): WireCard {
  const interfaces = interfacesOf(card);
  const [main] = interfaces;
  if (main === undefined) throw new A2AError('VERSION_NOT_SUPPORTED', 'This agent is not reachable in A2A 0.3');
  const wire: WireCard = {
    protocolVersion: PROTOCOL_VERSION,
    name: card.name,
    description: card.description,
    url: main.url,
    preferredTransport: main.transport,
    additionalInterfaces: [...secondaryOf(card), ...interfaces],
    version: card.version,
    capabilities: encodeCapabilities(card.capabilities),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(encodeSecuredSkill),
    supportsAuthenticatedExtendedCard: card.capabilities.extendedAgentCard,
  };
  return Object.assign(wire, encodeProvenance(card), encodeSecurity(card));
}

/**
 * Reads a published card. Only what a client cannot do without is demanded, an address to call; texts and lists that
 * are missing are empty.
 */
export function decodeCard(value: unknown): AgentCard {
  return decode(value, readCard, 'card');
}

export function isReachable(card: AgentCard): boolean {
  return card.interfaces.some(isOurs);
}

function encodeSecuredSkill(skill: AgentSkill): WireSecuredSkill {
  const wire: WireSecuredSkill = encodeSkill(skill);
  if (skill.security?.length) wire.security = skill.security;
  return wire;
}

/** Interfaces of a tenant are left out: 0.3 cannot say which tenant it means. */
function isOurs({ protocolVersion, tenant, isSecondary }: AgentInterface): boolean {
  return protocolVersion === INTERFACE_VERSION && !tenant && !isSecondary;
}

/** Listed first: clients in use take the last interface of a binding. */
function secondaryOf(card: AgentCard): WireInterface[] {
  const entries = card.interfaces.filter((entry) => entry.isSecondary && entry.protocolVersion === INTERFACE_VERSION);
  return entries.map(toWire);
}

function toWire({ url, protocolBinding }: AgentInterface): WireInterface {
  return { url, transport: protocolBinding };
}

/** The interface that a card of 0.3 puts first. */
export function mainInterface(card: AgentCard): AgentInterface | undefined {
  return card.interfaces.find(isOurs);
}

function interfacesOf(card: AgentCard): WireInterface[] {
  const wires = card.interfaces.filter(isOurs).map(toWire);
  return wires.filter((wire, index) => wires.findIndex((other) => isSame(other, wire)) === index);
}

function isSame(one: WireInterface, other: WireInterface): boolean {
  return one.url === other.url && one.transport === other.transport;
}

function encodeCapabilities(capabilities: AgentCapabilities): WireCapabilities {
  const wire: WireCapabilities = {
    streaming: capabilities.streaming,
    pushNotifications: capabilities.pushNotifications,
    stateTransitionHistory: false,
  };
  if (capabilities.extensions.length > 0) wire.extensions = capabilities.extensions.map(encodeExtension);
  return wire;
}

function readCard(members: Members): AgentCard {
  const [main, ...others] = readInterfaces(members) as readonly [AgentInterface, ...AgentInterface[]];
  const isMain = ({ url, protocolBinding }: AgentInterface) =>
    url === main.url && protocolBinding === main.protocolBinding;
  return {
    ...readDescription(members),
    interfaces: [main, ...others.filter((entry) => !isMain(entry))],
    capabilities: readCapabilities(members),
  };
}

/** The main interface first, then all that are listed; it is usually among them once more. */
export function readInterfaces(members: Members): readonly AgentInterface[] {
  const main: AgentInterface = {
    url: members.requiredText('url'),
    protocolBinding: members.text('preferredTransport', SNAKE) ?? DEFAULT_TRANSPORT,
    protocolVersion: INTERFACE_VERSION,
  };
  return [main, ...members.list('additionalInterfaces', SNAKE, readInterface)];
}

function readInterface(members: Members): AgentInterface {
  return {
    url: members.requiredText('url'),
    protocolBinding: members.requiredText('transport'),
    protocolVersion: INTERFACE_VERSION,
  };
}

function readCapabilities(card: Members): AgentCapabilities {
  const extendedAgentCard = card.flag('supportsAuthenticatedExtendedCard', SNAKE);
  const read = (members: Members): AgentCapabilities => ({
    streaming: members.flag('streaming'),
    pushNotifications: members.flag('pushNotifications', SNAKE),
    extendedAgentCard,
    extensions: members.list('extensions', undefined, readExtension),
  });
  const none: AgentCapabilities = { streaming: false, pushNotifications: false, extendedAgentCard, extensions: [] };
  return card.object('capabilities', undefined, read) ?? none;
}
