import { isPlainObject } from '../basics/json.ts';
import type { SecurityScheme } from '../card.ts';
import type { Message } from '../task.ts';

/** Authorizations that programs can read: what a task needs stands in its status message's metadata under this URI. */
export const TASK_AUTH_EXTENSION = 'urn:parley:ext:task-auth:v1';

/** The authorization that a task waits for. */
export interface TaskAuthInfo {
  /** Accepted schemes, one of which is needed: names, as on a card, or whole schemes. */
  readonly schemes?: readonly (string | SecurityScheme)[] | undefined;
  /** Scopes that the authorization must have, all of them. */
  readonly scopes?: readonly string[] | undefined;
  /** The address at which the caller authorizes. */
  readonly url?: string | undefined;
}

/** Reads the authorization that a status message asks for under the extension's URI. */
export function taskAuthOf(message: Message): TaskAuthInfo | undefined {
  const value = message.metadata?.[TASK_AUTH_EXTENSION];
  if (!isPlainObject(value)) return undefined;
  const { schemes, scopes, url } = value;
  return {
    ...(Array.isArray(schemes) && { schemes: schemes.filter(isScheme) }),
    ...(Array.isArray(scopes) && { scopes: scopes.filter((scope) => typeof scope === 'string') }),
    ...(typeof url === 'string' && { url }),
  };
}

function isScheme(value: unknown): value is string | SecurityScheme {
  return typeof value === 'string' || (isPlainObject(value) && typeof value.type === 'string');
}
