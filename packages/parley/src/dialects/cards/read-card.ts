import { isPlainObject } from '../../model/basics/json.ts';
import type { AgentCapabilities, AgentCard, AgentInterface } from '../../model/card.ts';
import { A2AError, wordsOf } from '../../model/errors/errors.ts';
import type { CallingDialect } from '../calling/calling.ts';
import { readInterfaces } from '../v0_3/card.ts';
import { readCapabilities, readInterface } from '../v1_0/card.ts';
import { readDescription } from '../wire/cards/card-members.ts';
import { decodeLeniently, type Members } from '../wire/members.ts';
import { SNAKE } from '../wire/snake-case.ts';

export interface ReceivedCard {
  readonly card: AgentCard;
  /** Faults of the card, each in a sentence for its publisher. */
  readonly complaints: readonly string[];
  /** The informal dialect that it is written in. */
  readonly dialect?: CallingDialect | undefined;
}

/** Finds what a card lacks, beside what was wrong when it was read: sentences for its publisher. */
export type CardCheck = (published: Readonly<Record<string, unknown>>, card: AgentCard) => readonly string[];

/**
 * Verifies a published card, as parsed, before it is read. Returns the members that are to be believed; throws UNTRUSTED_CARD,
 * and UNREACHABLE where the keys cannot be had.
 */
export type CardVerifier = (published: unknown, signal?: AbortSignal) => Promise<unknown>;

/**
 * Reads a published card of 1.0, of 0.3 or of both at once (reference: mapping §1). What is wrong is left out and
 * complained of; only what is no card at all throws INVALID_RESPONSE.
 *
 * @param informal the informal dialects that the card may be in
 */
export function readAgentCard(
  json: unknown,
  informal: readonly CallingDialect[] = [],
  check: CardCheck = () => [],
): ReceivedCard {
  const complaints: string[] = [];
  const value = Array.isArray(json) ? firstOf(json, complaints) : json;
  if (!isPlainObject(value)) throw notACard('it must be a JSON object');
  if (!LOOKS_LIKE_CARD.some((name) => value[name] !== undefined)) throw notACard('it has none of the members of one');
  const { result, violations } = decodeLeniently(value, readCard, 'card');
  const card = informal.reduce((read, { completeCard }) => completeCard?.(value, read) ?? read, result);
  complaints.push(...wordsOf(violations));
  complaints.push(...check(value, card));
  return { card, complaints, dialect: informal.find(({ isCard }) => isCard?.(value)) };
}

const LOOKS_LIKE_CARD = [
  'name',
  'url',
  'supportedInterfaces',
  'supported_interfaces',
  'skills',
  'capabilities',
  'protocolVersion',
];

/** A host of several agents may list all their cards where one is expected. */
function firstOf(cards: readonly unknown[], complaints: string[]): unknown {
  if (cards.length === 0) throw notACard('it is an empty list');
  complaints.push(`the address has a list of ${cards.length} cards, of which the first is taken`);
  return cards[0];
}

function notACard(problem: string): A2AError {
  return new A2AError('INVALID_RESPONSE', `This is not an agent card: ${problem}`);
}

function readCard(members: Members): AgentCard {
  return {
    ...readDescription(members),
    interfaces: readAllInterfaces(members),
    capabilities: readAllCapabilities(members),
  };
}

/** Those of 1.0 first. A merged card names those of 0.3 twice, once in each shape. */
function readAllInterfaces(members: Members): readonly AgentInterface[] {
  // Cards of the draft name the version once, for all of them (seed S2).
  const [version] = members.texts('protocolVersions') ?? [];
  const newer = members.list('supportedInterfaces', SNAKE, (entry) => readInterface(entry, version));
  const older = hasOlderInterfaces(members, newer.length > 0) ? readInterfaces(members) : [];
  const found: AgentInterface[] = [];
  for (const entry of [...newer, ...older]) {
    const { url, protocolBinding, protocolVersion } = entry;
    if (url === '' || protocolBinding === '' || protocolVersion === '') continue;
    if (!found.some((other) => isSame(other, entry))) found.push(entry);
  }
  return found;
}

/** Beside interfaces of 1.0, a `url` means 0.3 only where the card says that it is one of that version too. */
function hasOlderInterfaces(members: Members, isNewer: boolean): boolean {
  if (!members.has('url', 'additionalInterfaces', 'additional_interfaces')) return false;
  if (!isNewer) return true;
  const version = members.value('protocolVersion', SNAKE);
  return typeof version === 'string' && version.startsWith('0.');
}

function isSame(one: AgentInterface, other: AgentInterface): boolean {
  if (one.url !== other.url || one.protocolBinding !== other.protocolBinding || one.tenant !== other.tenant)
    return false;
  return majorMinor(one.protocolVersion) === majorMinor(other.protocolVersion);
}

/** Major.Minor of a version. */
export function majorMinor(version: string): string {
  return version.trim().split('.').slice(0, 2).join('.');
}

function readAllCapabilities(members: Members): AgentCapabilities {
  const newer = readCapabilities(members);
  const flag = members.flag('supportsAuthenticatedExtendedCard', SNAKE);
  return { ...newer, extendedAgentCard: newer.extendedAgentCard || flag };
}
