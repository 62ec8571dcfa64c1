import type { AgentCard, AgentSkill, CardRateLimit, SkillExample } from '../../model/card.ts';
import { A2AError } from '../../model/errors/errors.ts';
import {
  encodeExtension,
  encodeProvenance,
  encodeSkill,
  type WireExtension,
  type WireProvenance,
  type WireSkill,
} from '../wire/cards/card-members.ts';
import { isRequired, schemeNames } from '../wire/cards/plain-security.ts';

interface WireCapabilities {
  streaming: boolean;
  pushNotifications: boolean;
  stateTransitionHistory: boolean;
  contextAccumulation: boolean;
  extensions?: WireExtension[];
}

/** In the order of the document (seed S1, Agent Card Format). */
interface WireCard extends WireProvenance {
  name: string;
  description: string;
  version: string;
  protocolVersion: string;
  url: string;
  capabilities: WireCapabilities;
  skills: readonly (Omit<WireSkill, 'examples'> & { examples?: readonly SkillExample[] })[];
  inputModes: readonly string[];
  outputModes: readonly string[];
  authentication: { required: boolean; schemes: readonly string[] };
  rateLimit?: CardRateLimit;
}

const PROTOCOL_VERSION = '0.3.0';
const INTERFACE_VERSION = '0.3';

/** Extensions of Parley's own say nothing to clients of JAF, whose streams cannot be resumed by position. */
const OUR_EXTENSIONS = 'urn:parley:ext:';

/** Throws VERSION_NOT_SUPPORTED where the agent has no address. */
export function encodeCard(card: AgentCard): WireCard {
  const main = card.interfaces.find(({ protocolVersion }) => protocolVersion === INTERFACE_VERSION);
  if (!main) throw new A2AError('VERSION_NOT_SUPPORTED', 'This agent is not reachable in the dialect of JAF');
  const { name, description, version, rateLimit } = card;
  const wire: WireCard = {
    name,
    description,
    version,
    protocolVersion: PROTOCOL_VERSION,
    url: main.url,
    capabilities: encodeCapabilities(card),
    skills: card.skills.map(encodeSkillWithExamples),
    inputModes: modesOf(card.defaultInputModes),
    outputModes: modesOf(card.defaultOutputModes),
    authentication: { required: isRequired(card), schemes: schemeNames(card) },
  };
  if (rateLimit) wire.rateLimit = encodeRateLimit(rateLimit);
  return Object.assign(wire, encodeProvenance(card));
}

/** Every state is in the log, and agents have at hand what was said in the context before. */
function encodeCapabilities({ capabilities }: AgentCard): WireCapabilities {
  const wire: WireCapabilities = {
    streaming: capabilities.streaming,
    pushNotifications: capabilities.pushNotifications,
    stateTransitionHistory: true,
    contextAccumulation: true,
  };
  const extensions = capabilities.extensions.filter(({ uri }) => !uri.startsWith(OUR_EXTENSIONS));
  if (extensions.length > 0) wire.extensions = extensions.map(encodeExtension);
  return wire;
}

function encodeSkillWithExamples(skill: AgentSkill): WireCard['skills'][number] {
  const { examples: inputs, ...wire } = encodeSkill(skill);
  if (!inputs) return wire;
  const { id, name, description, tags, ...modes } = wire;
  const examples = (skill.examples ?? []).map((example) =>
    typeof example === 'string' ? { input: example, output: '' } : { input: example.input, output: example.output },
  );
  return { id, name, description, tags, examples, ...modes };
}

/** Kinds of parts where the document has them; other media types by their names. */
function modesOf(mediaTypes: readonly string[]): readonly string[] {
  return [...new Set(mediaTypes.map((type) => (isText(type) ? 'text' : isJson(type) ? 'data' : type)))];
}

function isText(type: string): boolean {
  return type === 'text/plain' || type === 'text/*' || type === 'text';
}

function isJson(type: string): boolean {
  return type === 'application/json' || type === 'data';
}

function encodeRateLimit({ requests, window, burst }: CardRateLimit): CardRateLimit {
  return burst === undefined ? { requests, window } : { requests, window, burst };
}
