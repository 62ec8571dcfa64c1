import { isPlainObject, type JsonObject } from '../basics/json.ts';
import type { FieldViolation } from '../errors/errors.ts';

/** Signed webhooks, and which events they are told of. */
export const PUSH_EXTENSION = 'urn:parley:ext:push:v1';

/** `changes`: status changes and finished artifacts. `all`: every event that a stream has. */
export const PUSH_EVENTS = ['changes', 'all'] as const;
export type PushEvents = (typeof PUSH_EVENTS)[number];

/** The wishes of a client for one webhook. */
export interface PushWishes {
  readonly events?: PushEvents | undefined;
  /** The task as it is comes first. */
  readonly snapshot?: boolean | undefined;
}

/** Reads the wishes that a send has in its metadata. What is wrong is added to the violations. */
export function pushWishesOf(metadata: JsonObject | undefined, violations: FieldViolation[]): PushWishes {
  const given = metadata?.[PUSH_EXTENSION];
  if (given === undefined) return {};
  const field = `metadata["${PUSH_EXTENSION}"]`;
  if (!isPlainObject(given)) {
    violations.push({ field, description: 'must be an object with events and snapshot' });
    return {};
  }
  const { events, snapshot } = given;
  if (events !== undefined && !isPushEvents(events)) {
    violations.push({ field: `${field}.events`, description: `must be ${PUSH_EVENTS.join(' or ')}` });
  }
  if (snapshot !== undefined && typeof snapshot !== 'boolean') {
    violations.push({ field: `${field}.snapshot`, description: 'must be true or false' });
  }
  return { events: isPushEvents(events) ? events : undefined, snapshot: snapshot === true };
}

export function isPushEvents(value: unknown): value is PushEvents {
  return PUSH_EVENTS.some((events) => events === value);
}
