import type { CallingDialect } from './calling.ts';
import { callJaf } from './jaf/calling.ts';
import { callBanterop } from './v0_3/banterop/calling.ts';
import { callV0_3 } from './v0_3/calling.ts';
import { callCogitator } from './v0_3/cogitator/calling.ts';
import { callRxjs, callRxjsOlder } from './v0_3/rxjs/calling.ts';
import { callV1_0 } from './v1_0/calling.ts';
import { callV1Draft } from './v1_draft/calling.ts';

export { decodeAgentCard, type ReceivedCard } from './agent-card.ts';

/** What can be spoken to others, newest first. */
export const CALLING_DIALECTS: readonly CallingDialect[] = [callV1_0, callV0_3];

/** The dialect of an interface, by Major.Minor of its version; undefined where it is not spoken here. */
export function callingDialectOf(version: string): CallingDialect | undefined {
  const majorMinor = version.trim().split('.').slice(0, 2).join('.');
  return CALLING_DIALECTS.find((dialect) => dialect.version === majorMinor);
}

/** What clients call the ways to speak: the official versions, the draft of 1.0, JAF, and variants of 0.3. */
export type ProtocolName = '1.0' | '0.3' | InformalProtocol;
export type InformalProtocol = 'v1_draft' | 'jaf' | 'rxjs' | 'rxjs-older' | 'cogitator' | 'banterop';

const INFORMAL: Readonly<Record<InformalProtocol, CallingDialect>> = {
  v1_draft: callV1Draft,
  jaf: callJaf,
  rxjs: callRxjs,
  'rxjs-older': callRxjsOlder,
  cogitator: callCogitator,
  banterop: callBanterop,
};

export const PROTOCOL_NAMES: readonly ProtocolName[] = ['1.0', '0.3', ...(Object.keys(INFORMAL) as InformalProtocol[])];

/** Undefined for an official version: cards say where that is spoken. Throws a TypeError that lists the names. */
export function informalDialect(name: ProtocolName): CallingDialect | undefined {
  if (name === '1.0' || name === '0.3') return undefined;
  if (Object.hasOwn(INFORMAL, name)) return INFORMAL[name];
  throw new TypeError(`There is no protocol "${String(name)}". There are: ${PROTOCOL_NAMES.join(', ')}`);
}
