import { isPlainObject, type JsonObject } from '../../../model/basics/json.ts';
import {
  type AgentCard,
  type AgentExtension,
  type AgentProvider,
  type AgentSkill,
  exampleInput,
  type RateLimit,
  type SkillExample,
} from '../../../model/card.ts';
import type { Members } from '../members.ts';
import { readPlainSecurity } from './plain-security.ts';
import { readRequirements, readSecurity } from './security.ts';

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

/**
 * The members that do not depend on the version. Of a published card only what a client cannot do without is demanded,
 * an interface to call; texts and lists that are missing are empty.
 */
export function readDescription(members: Members): Omit<AgentCard, 'interfaces' | 'capabilities'> {
  return {
    name: members.text('name') ?? '',
    description: members.text('description') ?? '',
    version: members.text('version') ?? '',
    defaultInputModes: readModes(members, 'defaultInputModes', 'default_input_modes', 'inputModes'),
    defaultOutputModes: readModes(members, 'defaultOutputModes', 'default_output_modes', 'outputModes'),
    skills: members.list('skills', undefined, readSkill),
    provider: members.object('provider', undefined, readProvider),
    documentationUrl: members.text('documentationUrl', 'documentation_url'),
    iconUrl: members.text('iconUrl', 'icon_url'),
    ...readAllSecurity(members),
    rateLimit: members.object('rateLimit', 'rate_limit', readRateLimit),
  };
}

/** Cards of JAF call them by kinds of parts (seed S1.7). */
const MODES: ReadonlyMap<string, string> = new Map([
  ['text', 'text/plain'],
  ['data', 'application/json'],
]);

function readModes(members: Members, name: string, snakeName: string, plainName: string): readonly string[] {
  const modes = members.texts(name, snakeName);
  return modes ?? (members.texts(plainName) ?? []).map((mode) => MODES.get(mode) ?? mode);
}

function readAllSecurity(members: Members): ReturnType<typeof readSecurity> {
  const found = readSecurity(members);
  if (found.securitySchemes || !members.has('authentication')) return found;
  return { ...found, ...members.object('authentication', undefined, readPlainSecurity) };
}

function readRateLimit(members: Members): RateLimit {
  const burst = members.integer('burst', undefined, 0);
  const [requests = 0, window = 0] = [
    members.integer('requests', undefined, 0),
    members.integer('window', undefined, 0),
  ];
  return burst === undefined ? { requests, window } : { requests, window, burst };
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
    examples: readExamples(members),
    inputModes: members.texts('inputModes', 'input_modes'),
    outputModes: members.texts('outputModes', 'output_modes'),
    ...(members.has('inputSchema') && { inputSchema: members.struct('inputSchema') }),
    security: readRequirements(members),
  };
}

function readExamples(members: Members): AgentSkill['examples'] {
  const values = members.value('examples');
  if (!Array.isArray(values) || values.every((value) => typeof value === 'string')) return members.texts('examples');
  return values.flatMap((value: unknown, index) => {
    if (typeof value === 'string') return [value];
    if (isPlainObject(value) && typeof value.input === 'string') {
      return [typeof value.output === 'string' && value.output !== '' ? pair(value.input, value.output) : value.input];
    }
    members.reject(`examples[${index}]`, 'must be a string, or have input and output');
    return [];
  });
}

function pair(input: string, output: string): SkillExample {
  return { input, output };
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
