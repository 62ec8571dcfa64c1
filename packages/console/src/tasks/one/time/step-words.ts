/**
 * A call of another agent, as runs record it: `call AGENT DIGEST`, without a name for an agent of another server. What the run settles
 * before it sends has `chain` after the digest; all have a number.
 */
const CALL = /^call (?:(.+) )?[0-9a-z]{28}( chain)?(?: (\d+))?$/;

interface RecordedCall {
  readonly agent: string | undefined;
  /** The first of the two entries of a call: a run that begins here makes all of it anew. */
  readonly isBeginning: boolean;
  readonly number: number;
}

/** The call that a step of this name is part of; undefined for the steps of the agent's own code. */
export function callOf(name: string): RecordedCall | undefined {
  const found = CALL.exec(name);
  if (found === null) return undefined;
  const [, agent, chain, number = '1'] = found;
  return { agent, isBeginning: chain !== undefined, number: Number(number) };
}

/** The name of a step for a person: digests tell nothing. */
export function stepWords(name: string): string {
  const call = callOf(name);
  if (call === undefined) return `Step ${name}`;
  const words = `Call of ${call.agent ?? 'another server'}`;
  return call.number > 1 ? `${words}, number ${call.number}` : words;
}
