import { callJaf } from '../jaf/calling/index.ts';
import { callBanterop } from '../v0_3/banterop/calling.ts';
import { callCogitator } from '../v0_3/cogitator/calling.ts';
import { callRxjs, callRxjsOlder } from '../v0_3/rxjs/calling.ts';
import { callV1Draft } from '../v1_draft/calling/index.ts';
import type { CallingDialect } from './calling.ts';
import { dialectNamed } from './spoken.ts';

/** The names of dialects that clients speak: the official versions, the draft of 1.0, JAF, and variants of 0.3. */
export type ProtocolName = '1.0' | '0.3' | InformalProtocol;
type InformalProtocol = 'v1_draft' | 'jaf' | 'rxjs' | 'rxjs-older' | 'cogitator' | 'banterop';

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

/** Finds one of the built-in informal dialects by its name; undefined for an official version. */
export function informalDialect(name: string): CallingDialect | undefined {
  return dialectNamed(name, { informal: INFORMAL_DIALECTS });
}
