/** Readers of JSON from strangers: whatever is not there, or of another type, is undefined. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member at a path, such as `memberOf(card, 'capabilities', 'streaming')`. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found: unknown = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = memberOf(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = memberOf(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] | undefined {
  const found = memberOf(value, ...path);
  return Array.isArray(found) ? found : undefined;
}

export function objectAt(value: unknown, ...path: readonly (string | number)[]): JsonObject | undefined {
  const found = memberOf(value, ...path);
  return isObject(found) ? found : undefined;
}

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than any document of the protocol; a hostile one must not overflow the stack. */
const DEEPEST = 60;

export interface Visited {
  /** The path of the value, such as `task.status.state`. */
  readonly path: string;
  /** The member's name; undefined in a list. */
  readonly name?: string | undefined;
  readonly value: unknown;
  /** The object or list that holds it. */
  readonly parent: unknown;
}

/** Every value inside a document, outside in. Free-form members (`metadata`, `data`, `params`) are not entered. */
export function* valuesIn(document: unknown, path = '', depth = 0): Generator<Visited> {
  if (typeof document !== 'object' || document === null || depth > DEEPEST) return;
  for (const [name, value] of Object.entries(document)) {
    const isList = Array.isArray(document);
    const here = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    yield { path: here, name: isList ? undefined : name, value, parent: document };
    if (isList || !FREE_FORM.has(name)) yield* valuesIn(value, here, depth + 1);
  }
}

const FREE_FORM: ReadonlySet<string> = new Set(['metadata', 'data', 'params', 'header']);

/** Compares two JSON values without regard to the order of members. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one, 0)) === JSON.stringify(sorted(other, 0));
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, item]) => [name, sorted(item, depth + 1)]);
}
