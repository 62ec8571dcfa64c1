import { type Given, ORIGINS } from './given.ts';
import { SETTINGS } from './settings.ts';

/** The settings in force, by their names. */
export type Resolved = ReadonlyMap<string, Given>;

/**
 * The settings in force: flags win over the environment, and that over the file. A value for a group as a whole, such
 * as `push: false`, and values for its members replace each other in the same order.
 */
export function resolveSettings(given: readonly Given[]): Resolved {
  const ranked = given.toSorted((one, other) => rankOf(one) - rankOf(other));
  const values = new Map<string, Given>();
  for (const one of ranked) values.set(one.setting.name, one);
  for (const [name, whole] of [...values]) {
    // A group that is on, or has a shape, goes along with its members.
    if (whole.value !== false && typeof whole.value !== 'object') continue;
    const members = [...values].filter(([other]) => other.startsWith(`${name}.`));
    const isReplaced = members.some(([, member]) => rankOf(member) > rankOf(whole));
    if (isReplaced) values.delete(name);
    for (const [other, member] of members) if (rankOf(member) <= rankOf(whole)) values.delete(other);
  }
  return values;
}

/** The same with the defaults of all others. */
export function withDefaults(resolved: Resolved): Resolved {
  const all = new Map<string, Given>();
  for (const [name, setting] of SETTINGS) {
    const set = resolved.get(name);
    if (set) all.set(name, set);
    else if (setting.default !== undefined && !isReplaced(name, resolved)) {
      all.set(name, { setting, value: setting.default, origin: 'default', by: 'default' });
    }
  }
  return all;
}

/** The group around it, or what is in it, is set. */
function isReplaced(name: string, resolved: Resolved): boolean {
  return [...resolved.keys()].some((other) => name.startsWith(`${other}.`) || other.startsWith(`${name}.`));
}

function hasMembers(name: string, resolved: Resolved): boolean {
  return [...resolved.keys()].some((other) => other.startsWith(`${name}.`));
}

function rankOf({ origin }: Given): number {
  return ORIGINS.indexOf(origin);
}

/** The values as an object: `limits.runs` is `{ limits: { runs } }`. */
export function nested(resolved: Resolved): Readonly<Record<string, unknown>> {
  const root: Record<string, unknown> = {};
  for (const [name, { value }] of resolved) {
    const path = name.split('.');
    const last = path.pop() ?? '';
    let place = root;
    for (const step of path) {
      const below = place[step];
      // The members of a group replace a word that turns it on.
      place[step] = typeof below === 'object' && below !== null ? below : {};
      place = place[step] as Record<string, unknown>;
    }
    if (!hasMembers(name, resolved)) place[last] = value;
  }
  return root;
}
