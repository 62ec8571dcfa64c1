import { isPlainObject } from '../../../model/basics/json.ts';
import type { AgentCard, AgentSkill, CardRateLimit } from '../../../model/card.ts';
import type { WireCard } from '../../calling/calling.ts';
import { readPlainSecurity } from '../../wire/cards/plain-security.ts';
import { decodeLeniently, type Members } from '../../wire/members.ts';
import { readInteger } from '../../wire/request-members.ts';

/** Kinds of parts, by which modes are called (seed S1.7). */
const MODES: ReadonlyMap<string, string> = new Map([
  ['text', 'text/plain'],
  ['data', 'application/json'],
]);

/** Reads the members that only cards of JAF have, and of the time before 0.3. */
export function completeCard(published: WireCard, card: AgentCard): AgentCard {
  return decodeLeniently(published, (members) => readMore(members, card), 'card').result;
}

function readMore(members: Members, card: AgentCard): AgentCard {
  const security = card.securitySchemes ? undefined : members.object('authentication', undefined, readPlainSecurity);
  return {
    ...card,
    skills: withExamples(card.skills, members.list('skills', undefined, readExamples)),
    defaultInputModes: readModes(members, 'inputModes', card.defaultInputModes),
    defaultOutputModes: readModes(members, 'outputModes', card.defaultOutputModes),
    ...security,
    rateLimit: members.object('rateLimit', 'rate_limit', readRateLimit),
  };
}

function withExamples(
  skills: readonly AgentSkill[],
  examples: readonly AgentSkill['examples'][],
): readonly AgentSkill[] {
  return skills.map((skill, index) => (examples[index] ? { ...skill, examples: examples[index] } : skill));
}

/** Texts, and what the agent answers beside them; undefined if there are none. */
function readExamples(members: Members): AgentSkill['examples'] {
  const values = members.value('examples');
  if (!Array.isArray(values) || !values.some(isPlainObject)) return undefined;
  return values.flatMap((value: unknown) => {
    const { input, output } = isPlainObject(value) ? value : { input: value };
    if (typeof input !== 'string') return [];
    return [typeof output === 'string' && output !== '' ? { input, output } : input];
  });
}

function readModes(members: Members, name: string, known: readonly string[]): readonly string[] {
  return known.length > 0 ? known : (members.texts(name) ?? []).map((mode) => MODES.get(mode) ?? mode);
}

function readRateLimit(members: Members): CardRateLimit {
  const burst = readInteger(members, 'burst', undefined, 0);
  const [requests = 0, window = 0] = [
    readInteger(members, 'requests', undefined, 0),
    readInteger(members, 'window', undefined, 0),
  ];
  return burst === undefined ? { requests, window } : { requests, window, burst };
}
