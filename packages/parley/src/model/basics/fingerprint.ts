/** Four lanes, each with a multiplier of its own, so that 128 bits take part. */
const MULTIPLIERS = [0x01000193, 0x5bd1e995, 0x1b873593, 0x2c1b3c6d] as const;
const SEEDS = [0x811c9dc5, 0x9747b28c, 0x3c6ef372, 0x510e527f] as const;

/**
 * A short text that is the same for equal texts, and for nothing else by chance. It is easy to make two texts with the same
 * one on purpose: it proves nothing about who made it.
 */
export function fingerprintOf(text: string): string {
  let first: number = SEEDS[0];
  let second: number = SEEDS[1];
  let third: number = SEEDS[2];
  let fourth: number = SEEDS[3];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, MULTIPLIERS[0]);
    second = Math.imul(second ^ code ^ (first >>> 15), MULTIPLIERS[1]);
    third = Math.imul(third ^ code ^ (second >>> 13), MULTIPLIERS[2]);
    fourth = Math.imul(fourth ^ code ^ (third >>> 16), MULTIPLIERS[3]);
  }
  return written(first) + written(second) + written(third) + written(fourth);
}

function written(lane: number): string {
  return (mixed(lane) >>> 0).toString(36).padStart(7, '0');
}

/** Lets every bit of a lane reach all others. */
function mixed(lane: number): number {
  let bits = lane;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
