import { majorMinor } from '../cards/read-card.ts';
import { type DialectDefinition, withVariants } from '../definition.ts';
import { plainV0_3 } from '../v0_3/calling/plain.ts';
import { restV0_3 } from '../v0_3/calling/rest.ts';
import { plainV1_0 } from '../v1_0/calling/plain.ts';
import type { CallingDialect, CallingRest } from './calling.ts';

/** The dialects that a client speaks. */
export interface ClientDialects {
  /** The versions that cards name, newest first. */
  readonly official: readonly CallingDialect[];
  /** Those that no card can name. */
  readonly informal: readonly CallingDialect[];
}

/** The names of the official versions in settings and on cards. */
export const OFFICIAL_VERSIONS = ['1.0', '0.3'] as const;

export function isOfficial(name: string): boolean {
  return (OFFICIAL_VERSIONS as readonly string[]).includes(name);
}

/**
 * The official versions, which every client speaks over both bindings. Clients of `parley-a2a/client` have no operations on
 * webhooks, and so never ask these dialects for one.
 */
const PLAIN = [plainV1_0, plainV0_3] as readonly unknown[] as readonly CallingDialect[];

/**
 * The dialects of a client that was handed these definitions, under the names that settings have for them; the first one
 * of a name counts. One under the name of an official version takes the place of the plain one.
 */
export function clientDialects(definitions: readonly DialectDefinition[]): ClientDialects {
  const handed = callingHalves(definitions);
  return {
    official: PLAIN.map((plain) => handed.find(({ name }) => name === plain.version) ?? plain),
    informal: handed.filter(({ name }) => !isOfficial(name)),
  };
}

function callingHalves(definitions: readonly DialectDefinition[]): readonly CallingDialect[] {
  const byName = new Map<string, CallingDialect>();
  for (const { name, calling } of definitions.flatMap(withVariants)) {
    if (calling && !byName.has(name)) byName.set(name, calling.name === name ? calling : { ...calling, name });
  }
  return [...byName.values()];
}

/** Finds the dialect of an interface by Major.Minor of its version; undefined where it is not spoken. */
export function officialDialect(
  version: string,
  { official }: Pick<ClientDialects, 'official'>,
): CallingDialect | undefined {
  const wanted = majorMinor(version);
  return official.find((dialect) => dialect.version === wanted);
}

/**
 * Finds an informal dialect by its name. Undefined for an official version: cards say where that is spoken. Throws a
 * TypeError that lists the names.
 */
export function dialectNamed(name: string, { informal }: Pick<ClientDialects, 'informal'>): CallingDialect | undefined {
  if (isOfficial(name)) return undefined;
  const dialect = informal.find((one) => one.name === name);
  if (dialect) return dialect;
  const names = [...OFFICIAL_VERSIONS, ...informal.map((one) => one.name)];
  const hint = informal.length === 0 ? '; hand in others as dialects' : '';
  throw new TypeError(`There is no protocol "${name}". There are: ${names.join(', ')}${hint}`);
}

/** The forms of a dialect over HTTP+JSON; where it has none itself, those of its version, without webhooks. */
export function restOf({ rest, version }: CallingDialect): CallingRest | undefined {
  if ('encodeRequest' in rest) return rest;
  return version === '0.3' ? (restV0_3() as CallingRest) : undefined;
}
