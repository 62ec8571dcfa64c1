/** Stands for the name of a member in snake_case, as protos have it, where a second name is asked for. */
export const SNAKE = true;

/** The second name of a member: an alias, or its own in snake_case. */
export type SecondName = string | typeof SNAKE;

/** The names so far: they are those of the protocol, not of a message. */
const known: Record<string, string> = {};

/** A name in snake_case, taken from the key of an object: such a text is looked up faster than one that was just made. */
export function toSnakeCase(name: string): string {
  known[name] ??= Object.keys({ [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]: 0 }).join();
  return known[name];
}
