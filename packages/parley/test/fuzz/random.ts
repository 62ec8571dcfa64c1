/** Random choices that a seed repeats. */
export interface Random {
  /** A whole number from 0 up to, and without, this one. */
  below(end: number): number;
  /** True once in so many times. */
  once(inTimes: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** The generator "mulberry32": 32 bits of state are enough for choices. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    once: (inTimes) => below(inTimes) === 0,
    pick(items) {
      if (items.length === 0) throw new Error('There is nothing to pick from');
      return items[below(items.length)] as (typeof items)[number];
    },
  };
}
