export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True where lists and objects are nested beyond so many levels. Never descends further than that. */
export function isNestedBeyond(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isNestedBeyond(levels - 1, item)) return true;
    return false;
  }
  for (const name in value) {
    if (isNestedBeyond(levels - 1, (value as Record<string, unknown>)[name])) return true;
  }
  return false;
}
