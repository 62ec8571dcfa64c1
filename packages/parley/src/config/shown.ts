import type { Given } from './given.ts';
import { HIDDEN, withoutPasswords } from './hidden.ts';
import type { Resolved } from './resolve.ts';

/** Stands for a value that only a program has. */
const OF_PROGRAM = '(set by a program)';

/** A value as operators may see it: without secrets, and without what is no JSON. */
function shownValue({ setting, value }: Given): unknown {
  if (setting.isSecret) return HIDDEN;
  if (setting.isProgramValue || !isJson(value)) return OF_PROGRAM;
  return shown(value);
}

/** Addresses may have passwords in them, however deep they are. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return withoutPasswords(value);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}

/** The source of a value, in words. */
export function sourceOf({ origin, by }: Given): string {
  return origin === 'default' ? 'default' : by;
}

/** All settings in force, one line each. `clean` takes what a terminal must not get out of a text. */
export function settingLines(resolved: Resolved, clean: (text: string) => string): readonly string[] {
  const rows = [...resolved].map(([name, given]) => [
    name,
    clean(JSON.stringify(shownValue(given)) ?? ''),
    clean(sourceOf(given)),
  ]);
  const [names = 0, values = 0] = [0, 1].map((column) =>
    Math.min(48, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  return rows.map(
    ([name = '', value = '', source = '']) => `${name.padEnd(names)}  ${value.padEnd(values)}  ${source}`,
  );
}

/** The same for programs. */
export function settingObject(resolved: Resolved): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...resolved].map(([name, given]) => [name, { value: shownValue(given), from: given.origin, by: sourceOf(given) }]),
  );
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (Array.isArray(value)) return value.every(isJson);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
}
