import type { CallChain } from '../model/calls.ts';
import { A2AError } from '../model/errors.ts';

export interface ChainRules {
  /** The agent's own name in lists of hops. */
  readonly hop: string;
  readonly mostHops: number;
  readonly now: () => number;
}

/** Refuses calls that go in circles, came too far or come too late; gives the time at which the caller stops waiting. */
export function admitChain(chain: CallChain | undefined, { hop, mostHops, now }: ChainRules): number | undefined {
  if (!chain) return undefined;
  const { hops } = chain;
  if (hops.includes(hop)) {
    throw refused('loop', 'This agent is already part of the chain of calls: agents call each other in a circle');
  }
  if (hops.length > mostHops) {
    throw refused('hops', `The chain of calls is ${hops.length} agents long; at most ${mostHops} are allowed`);
  }
  if (chain.deadline === undefined) return undefined;
  const deadline = Date.parse(chain.deadline);
  if (deadline <= now()) throw refused('deadline', 'The caller has stopped waiting: its deadline has passed');
  return deadline;
}

function refused(problem: string, message: string): A2AError {
  return new A2AError('UNSUPPORTED_OPERATION', message, { metadata: { problem } });
}
