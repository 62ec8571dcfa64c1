/**
 * The rounds of a loop that the store is to end. After as many as a store that works could need, it throws an error with the
 * likely fault: the loop of a store in memory would else go on for ever, and no time limit of a test runner could strike.
 */
export function* rounds(most: number, fault: string): Generator<number> {
  for (let round = 0; round < most; round += 1) yield round;
  throw new Error(`After ${most} calls there is still no end: ${fault}`);
}
