import type { Awaitable } from '../../../engine/ports.ts';
import type { AuthTools } from '../authenticator.ts';
import type { KeyRing } from './key-ring.ts';

/** Milliseconds between two looks whether keys have changed. */
export const KEYS_FRESHNESS = 100;

/** The source of an authenticator's keys. */
export interface KeySource {
  /** Called before the first request. */
  open?(tools: AuthTools): Awaitable<unknown>;
  /** The keys among which a text is looked for; another ring whenever they have changed. */
  ringFor(text: string, tools: AuthTools): Awaitable<KeyRing>;
}
