import type { CallingDialect } from './calling.ts';
import { type DialectDefinition, withVariants } from './definition.ts';
import { callJaf } from './jaf/calling/index.ts';
import { callBanterop } from './v0_3/banterop/calling.ts';
import { callCogitator } from './v0_3/cogitator/calling.ts';
import { callRxjs, callRxjsOlder } from './v0_3/rxjs/calling.ts';
import { callV1Draft } from './v1_draft/calling/index.ts';

/** The names of dialects that clients speak: the official versions, the draft of 1.0, JAF, and variants of 0.3. */
export type ProtocolName = '1.0' | '0.3' | InformalProtocol;
export type InformalProtocol = 'v1_draft' | 'jaf' | 'rxjs' | 'rxjs-older' | 'cogitator' | 'banterop';

/** The built-in informal dialects as clients speak them, without their serving halves. */
export const INFORMAL_DIALECTS: readonly CallingDialect[] = [
  callV1Draft,
  callJaf,
  callRxjs,
  callRxjsOlder,
  callCogitator,
  callBanterop,
];

export const PROTOCOL_NAMES: readonly ProtocolName[] = [
  '1.0',
  '0.3',
  ...INFORMAL_DIALECTS.map(({ name }) => name as InformalProtocol),
];

/** The calling halves of definitions and their variants, under the names that settings have for them. */
export function callingHalves(definitions: readonly DialectDefinition[]): readonly CallingDialect[] {
  return definitions
    .flatMap(withVariants)
    .flatMap(({ name, calling }) => (calling ? [calling.name === name ? calling : { ...calling, name }] : []));
}

/**
 * Finds an informal dialect by its name. Undefined for an official version: cards say where that is spoken. Throws a
 * TypeError that lists the names.
 */
export function informalDialect(
  name: string,
  spoken: readonly CallingDialect[] = INFORMAL_DIALECTS,
): CallingDialect | undefined {
  if (name === '1.0' || name === '0.3') return undefined;
  const dialect = spoken.find((one) => one.name === name);
  if (dialect) return dialect;
  const names = ['1.0', '0.3', ...spoken.map((one) => one.name)];
  throw new TypeError(`There is no protocol "${String(name)}". There are: ${names.join(', ')}`);
}
