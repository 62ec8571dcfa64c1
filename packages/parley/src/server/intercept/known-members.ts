import type { ServerHooks } from '../follow/hooks.ts';
import { requireKnown } from '../known-names.ts';
import type { ServerInterceptor } from './interceptors.ts';

/** The compiler holds that none is missing. */
const MEMBERS: Readonly<Record<keyof (ServerHooks & ServerInterceptor), true>> = {
  operation: true,
  run: true,
  commit: true,
  step: true,
  call: true,
  webhook: true,
  event: true,
  transform: true,
  onEvent: true,
};
const NAMES: readonly string[] = Object.keys(MEMBERS);

/**
 * Throws a TypeError for an interceptor that would do nothing, or lacks a member because its name is wrong: one that
 * refuses calls would leave a server open. Instances of classes and members that are no functions may have other names.
 */
export function requireInterceptor(place: string, given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${place} must be an object with functions: ${NAMES.join(', ')}`);
  }
  const prototype: unknown = Object.getPrototypeOf(given);
  const isPlain = prototype === Object.prototype || prototype === null;
  const own = Object.entries(given);
  if (isPlain) {
    requireKnown(place, Object.fromEntries(own.filter(([, value]) => typeof value === 'function')), NAMES);
    if (own.length === 0) return;
  }
  if (!NAMES.some((name) => name in given)) throw new TypeError(`${place} has none of: ${NAMES.join(', ')}`);
}
