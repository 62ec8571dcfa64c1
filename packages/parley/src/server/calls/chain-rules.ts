import { A2AError, invalidParams } from '../../model/errors/errors.ts';
import { CALLS_EXTENSION, type CallChain } from '../../model/extensions/calls.ts';
import type { SendInput } from '../../model/operations.ts';

/** The longest name of an agent, a trace or an address in a chain: it goes on to each further agent. */
const LONGEST_NAME = 1024;

export interface ChainRules {
  /** The agent's own name in lists of hops. */
  readonly hop: () => string;
  readonly mostHops: number;
  readonly now: () => number;
}

/** Refuses calls that go in circles, came too far or come too late; returns the time at which the caller stops waiting. */
export function admitChain(chain: CallChain | undefined, { hop, mostHops, now }: ChainRules): number | undefined {
  if (!chain) return undefined;
  const { hops } = chain;
  if (hops.includes(hop())) {
    throw refused('loop', 'This agent is already part of the chain of calls: agents call each other in a circle');
  }
  if (hops.length > mostHops) {
    throw refused('hops', `The chain of calls is ${hops.length} agents long; at most ${mostHops} are allowed`);
  }
  if ([chain.trace, chain.caller ?? '', ...hops].some(({ length }) => length > LONGEST_NAME)) {
    const description = `must have no names of more than ${LONGEST_NAME} characters`;
    throw invalidParams({ field: `message.metadata.${CALLS_EXTENSION}`, description });
  }
  if (chain.deadline === undefined) return undefined;
  const deadline = Date.parse(chain.deadline);
  if (deadline <= now()) throw refused('deadline', 'The caller has stopped waiting: its deadline has passed');
  return deadline;
}

/** Tells whether a run of this same server, of any of its agents, waits at the other end. */
export function comesBack({ hops }: CallChain, { hop }: ChainRules): boolean {
  const own = hop();
  const server = own.slice(0, own.indexOf('/') + 1);
  return hops.some((other) => other.startsWith(server));
}

/** Applies the bounds of the chain to one part of its work: the smaller number of turns, and the priority. */
export function withChain(input: SendInput, chain: CallChain | undefined): SendInput {
  if (chain?.maxTurns === undefined && chain?.priority === undefined) return input;
  const turns = [input.maxTurns, chain.maxTurns].filter((limit) => limit !== undefined);
  return {
    ...input,
    ...(turns.length > 0 && { maxTurns: Math.min(...turns) }),
    ...(chain.priority && { priority: input.priority ?? chain.priority }),
  };
}

function refused(problem: string, message: string): A2AError {
  return new A2AError('UNSUPPORTED_OPERATION', message, { metadata: { problem } });
}
