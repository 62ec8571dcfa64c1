/** The way to a place in a JSON value: member names and positions. */
export type Place = readonly (string | number)[];

/** A place as errors name it: `message.parts[0].text`. */
export function nameOf(place: Place): string {
  return place.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');
}

/** A copy with another value at a place; with `undefined` the place is gone. */
export function changed(value: unknown, place: Place, to: unknown): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return to;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => (index === step ? changed(item, rest, to) : item));
    return to === undefined && rest.length === 0 ? items.filter((_, index) => index !== step) : items;
  }
  const members = entriesOf(value).filter(([name]) => name !== step || rest.length > 0 || to !== undefined);
  if (!members.some(([name]) => name === step) && to !== undefined) members.push([String(step), undefined]);
  return objectOf(members.map(([name, member]) => [name, name === step ? changed(member, rest, to) : member]));
}

/** What stands at a place. */
export function valueAt(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)?.[step], value);
}

/** All places of a value, the whole first. */
export function placesIn(value: unknown, place: Place = []): Place[] {
  const steps: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : entriesOf(value);
  return [place, ...steps.flatMap(([step, inner]) => placesIn(inner, [...place, step]))];
}

/** An object with exactly these members, also with one that is called `__proto__`. */
export function objectOf(members: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [name, value] of members) {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The text of lists in lists, so many of them. */
export function nestedLists(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}
