import type { Content } from '../../client/message/content.ts';
import { fingerprintOf } from '../../model/basics/fingerprint.ts';

/** The features by which a call is recognised. */
export interface NamedCall {
  /** The agent of this server that is called; undefined for another one. */
  readonly hostedAs: string | undefined;
  /** The address of another one, where it is called by that. */
  readonly address: string | undefined;
  readonly content: Content;
  readonly skill: string | undefined;
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
}

/**
 * The name under which a run records a call. Branches that run side by side may come to their calls in another order when the
 * run is resumed, so calls are told apart by what they send; only equal ones are counted as they come.
 */
export function callName({ hostedAs, ...call }: NamedCall): string {
  const digest = fingerprintOf(JSON.stringify({ hostedAs, ...call }, withFiles) ?? '');
  return hostedAs === undefined ? `call ${digest}` : `call ${hostedAs} ${digest}`;
}

/** Files of browsers have no JSON: their size and type tell most of them apart. */
function withFiles(_: string, value: unknown): unknown {
  return value instanceof Blob ? { size: value.size, type: value.type } : value;
}
