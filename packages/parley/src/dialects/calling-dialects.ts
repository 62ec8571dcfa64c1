import type { CallingDialect } from './calling.ts';
import { type DialectDefinition, withVariants } from './definition.ts';
import { callV0_3 } from './v0_3/calling/index.ts';
import { callV1_0 } from './v1_0/calling/index.ts';

export { decodeAgentCard, type ReceivedCard } from './agent-card.ts';

/** The official versions as clients speak them, newest first. */
export const CALLING_DIALECTS: readonly CallingDialect[] = [callV1_0, callV0_3];

/** Finds the dialect of an interface by Major.Minor of its version; undefined where it is not spoken here. */
export function callingDialectOf(version: string): CallingDialect | undefined {
  const majorMinor = version.trim().split('.').slice(0, 2).join('.');
  return CALLING_DIALECTS.find((dialect) => dialect.version === majorMinor);
}

/** The calling halves of definitions and their variants, under the names that settings have for them; the first one of a name counts. */
export function callingHalves(definitions: readonly DialectDefinition[]): readonly CallingDialect[] {
  const byName = new Map<string, CallingDialect>();
  for (const { name, calling } of definitions.flatMap(withVariants)) {
    if (calling && !byName.has(name)) byName.set(name, calling.name === name ? calling : { ...calling, name });
  }
  return [...byName.values()];
}

/**
 * Finds an informal dialect by its name. Undefined for an official version: cards say where that is spoken. Throws a
 * TypeError that lists the names.
 */
export function dialectNamed(name: string, informal: readonly CallingDialect[]): CallingDialect | undefined {
  if (CALLING_DIALECTS.some(({ version }) => version === name)) return undefined;
  const dialect = informal.find((one) => one.name === name);
  if (dialect) return dialect;
  const names = [...CALLING_DIALECTS.map(({ version }) => version), ...informal.map((one) => one.name)];
  const hint = informal.length === 0 ? '; others are handed to the client in dialects' : '';
  throw new TypeError(`There is no protocol "${String(name)}". There are: ${names.join(', ')}${hint}`);
}
