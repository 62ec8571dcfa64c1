import type { Figures } from '../server/figures.ts';

interface Bound {
  readonly figure: keyof Figures;
  /** What a server at rest may have more than after the warm-up: this, and this for each message in between. */
  readonly slack: number;
  readonly perMessage: number;
}

/**
 * A list that is still growing, or a cache that is not full yet, is told apart from a leak by its size: what is left of each
 * message would be an object at least.
 */
const BOUNDS: readonly Bound[] = [
  { figure: 'heapBytes', slack: 4_194_304, perMessage: 100 },
  { figure: 'sockets', slack: 2, perMessage: 0 },
  { figure: 'responses', slack: 1, perMessage: 0 },
  { figure: 'timers', slack: 32, perMessage: 0 },
  { figure: 'signals', slack: 8, perMessage: 0 },
  { figure: 'functions', slack: 1_000, perMessage: 0.2 },
];

/** Compares what a server holds at rest with what it held after its warm-up. */
export function findLeaks(warm: Figures, last: Figures, messages: number): string[] {
  return BOUNDS.filter(
    ({ figure, slack, perMessage }) => last[figure] > warm[figure] + slack + perMessage * messages,
  ).map(({ figure }) => `After ${messages} messages ${figure} went from ${warm[figure]} to ${last[figure]}`);
}
