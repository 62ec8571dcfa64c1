/** What protobuf's own JSON readers allow. */
export const DEEPEST_NESTING = 100;

/**
 * Whether lists and objects are nested beyond `levels`. A few kilobytes of brackets parse well and then overflow the
 * stack of whoever writes or copies them, so opaque content is measured when it comes in.
 */
export function isNestedBeyond(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      if (isNestedBeyond(levels - 1, value[index])) return true;
    }
    return false;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    if (isNestedBeyond(levels - 1, members[name])) return true;
  }
  return false;
}
