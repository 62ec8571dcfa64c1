import type { TrafficLimits } from '../../model/traffic-limits.ts';
import type { EngineLimits } from '../limits.ts';

const NAMES = ['runTimeout', 'inactivityTimeout', 'askTimeout', 'messagesPerTask'] as const;

type Name = (typeof NAMES)[number];

/** The limits that a request brings for its turn, where they are not those of the server. JSON: 0 means no limit. */
export type OwnTurnLimits = { readonly [name in Name]?: number | undefined };

/** Undefined where the address and the caller have none of their own, as in most requests. */
export function ownTurnLimits(traffic: TrafficLimits | undefined): OwnTurnLimits | undefined {
  if (!traffic || NAMES.every((name) => traffic[name] === undefined)) return undefined;
  const own: { [name in Name]?: number } = {};
  for (const name of NAMES) {
    const limit = traffic[name];
    if (limit !== undefined) own[name] = Number.isFinite(limit) ? limit : 0;
  }
  return own;
}

/** The limits of a turn: those that its request brought before those of the server. */
export function limitsOfTurn(own: OwnTurnLimits | undefined, usual: EngineLimits): EngineLimits {
  if (!own) return usual;
  const given = NAMES.flatMap((name) =>
    own[name] === undefined ? [] : [[name, own[name] || Number.POSITIVE_INFINITY]],
  );
  return { ...usual, ...(Object.fromEntries(given) as Partial<EngineLimits>) };
}
