import { nearest } from '../model/basics/nearest.ts';

/** Settings that have other names now, or other places. */
export const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ['cards', 'card.access'],
  ['cardMaxAge', 'card.maxAge'],
  ['lenient', 'inferVersion'],
  ['batch', 'jsonRpcBatches'],
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

/** The most of a name that an error repeats. */
const SHOWN = 64;

/**
 * Throws a TypeError for a member that nobody would read: a setting with a wrong name would leave a server without its
 * guard, or without its limit. `place`: the option that has these members; an empty one for the options themselves.
 */
export function requireKnown(place: string, given: object, known: readonly string[]): void {
  for (const [member, value] of Object.entries(given)) {
    if (value !== undefined && !known.includes(member)) throw new TypeError(unknownName(place, member, known));
  }
}

function unknownName(place: string, member: string, known: readonly string[]): string {
  const within = place === '' ? '' : `${place}.`;
  const name = `${within}${member}`.slice(0, SHOWN);
  const now = FORMER_NAMES.get(name);
  if (now !== undefined) return `The option ${name} is ${now} now`;
  if (OF_LISTEN.has(name)) return `The option ${name} is one of listen(): server.listen({ ${name}: … })`;
  const meant = nearest(member.slice(0, SHOWN), known);
  return `There is no option ${name}; ${meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${within}${meant}?`}`;
}
