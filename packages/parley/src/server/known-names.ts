import { type Advice, requireRight, unknownMember } from '../model/options/checks.ts';

/** Settings that have other names now, or other places. */
export const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ['cards', 'card.access'],
  ['cardMaxAge', 'card.maxAge'],
  ['lenient', 'inferVersion'],
  ['batch', 'jsonRpcBatches'],
  ['cardUrl', 'url'],
  ['statusMessage', 'statusMessageSource'],
  ['v03Files', 'fileEncoding'],
  ['limits.closeGrace', 'drainTimeout'],
  ['limits.taskRetention', 'retention.tasks'],
  ['limits.contextLifetime', 'retention.contexts'],
  ['limits.keyLifetime', 'retention.keys'],
  ['limits.answersBytes', 'limits.responsesBytes'],
]);

/** Settings of the address, which a server has only once it listens. */
const OF_LISTEN: ReadonlySet<string> = new Set(['port', 'host', 'tls']);

/** The sentence about a setting of a server that has another name now, or another place. */
export const formerName: Advice = (name) => {
  const now = FORMER_NAMES.get(name);
  if (now !== undefined) return `the option ${name} is ${now} now`;
  return OF_LISTEN.has(name) ? `the option ${name} is one of listen(): server.listen({ ${name}: … })` : undefined;
};

/**
 * Throws a TypeError for a member that nobody would read: a setting with a wrong name would leave a server without its
 * guard, or without its limit. `place`: the option that has these members; an empty one for the options themselves.
 */
export function requireKnown(place: string, given: object, known: readonly string[]): void {
  requireRight('', unknownMember(place, given, known, formerName));
}
