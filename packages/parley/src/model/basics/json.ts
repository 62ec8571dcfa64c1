export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

/** True for lists as well. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

/** `Array.isArray` for types whose lists are read only. */
export function isList<Value>(value: Value): value is Extract<Value, readonly unknown[]> {
  return Array.isArray(value);
}

/** A fault of a parsed value: it is nested too deep, or has a number that JSON cannot write again, such as 1e400. */
type JsonFault = 'depth' | 'number';

/** Looks for the first fault. Descends at most `levels` deep. */
export function faultOf(levels: number, value: unknown): JsonFault | undefined {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'number' && !Number.isFinite(value) ? 'number' : undefined;
  }
  if (levels === 0) return 'depth';
  if (Array.isArray(value)) {
    for (const item of value) {
      const fault = faultOf(levels - 1, item);
      if (fault) return fault;
    }
    return undefined;
  }
  for (const name in value) {
    const fault = faultOf(levels - 1, (value as Record<string, unknown>)[name]);
    if (fault) return fault;
  }
  return undefined;
}

/**
 * The path of the first number that is not finite, such as `message.metadata.n[2]`; undefined if there is none. It
 * is put together on the way back, so that all other values cost nothing.
 */
export function infinitePath(value: unknown): string | undefined {
  return pathBelow(value)?.replace(/^\./, '');
}

function pathBelow(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const below = pathBelow(value[index]);
      if (below !== undefined) return `[${index}]${below}`;
    }
    return undefined;
  }
  for (const name in value) {
    const below = pathBelow((value as Record<string, unknown>)[name]);
    if (below !== undefined) return `.${name}${below}`;
  }
  return undefined;
}
