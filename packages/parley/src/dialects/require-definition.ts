import { isPlainObject } from '../model/basics/json.ts';
import type { DialectDefinition } from './definition.ts';

/** Throws a TypeError for what is no dialect, as programs without types hand it over. */
export function requireDefinition(definition: unknown): DialectDefinition {
  const { name, serving, calling } = isPlainObject(definition) ? definition : {};
  if (typeof name !== 'string' || name === '') {
    throw new TypeError('A dialect is an object with a name, and with serving, calling or both');
  }
  if (serving === undefined && calling === undefined)
    throw new TypeError(`The dialect "${name}" needs serving or calling`);
  return definition as DialectDefinition;
}

/** Throws a TypeError that names the first member that its serving half lacks. */
export function requireServing({ name, serving }: Pick<DialectDefinition, 'name' | 'serving'>): void {
  if (serving === undefined) return;
  for (const [member, kind, isRight] of SERVING) {
    const value = (serving as unknown as Readonly<Record<string, unknown>> | null)?.[member];
    if (!isRight(value)) throw new TypeError(`The dialect "${name}" needs serving.${member}: ${kind}`);
  }
}

type Need = readonly [member: string, kind: string, isRight: (value: unknown) => boolean];

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isFunction = (value: unknown): boolean => typeof value === 'function';

const SERVING: readonly Need[] = [
  ['name', 'a text that no other dialect has', isText],
  ['version', 'the version of the protocol that it is based on', isText],
  ['methods', 'a Map from its methods to operations', (value) => value instanceof Map],
  ['decode', 'the readers of requests, by operation', isObject],
  ['encode', 'the writers of results, by operation', isObject],
  ['encodeEvent', 'a function', isFunction],
  ['encodeCard', 'a function', isFunction],
  ['errorDetails', 'a function', isFunction],
  ['errorOf', 'a function', isFunction],
  ['errorsInStream', "a Set of operations, or 'accepted'", (value) => value instanceof Set || value === 'accepted'],
  ['webhooks', 'its members and media type of webhooks', isObject],
  ['rest', 'its paths and bodies over HTTP+JSON', isObject],
];
