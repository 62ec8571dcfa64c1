import type { QueueFacet } from '../ports.ts';

/** Every method of a queue. The type refuses a list that lacks one. */
const METHODS: Readonly<Record<keyof QueueFacet, true>> = {
  claim: true,
  queuedTurn: true,
  overdueTurns: true,
  queueState: true,
  liveNodes: true,
};

/** The names of all methods of a queue, for wrappers that treat them alike. */
export const QUEUE_METHODS: readonly (keyof QueueFacet)[] = Object.keys(METHODS) as (keyof QueueFacet)[];
