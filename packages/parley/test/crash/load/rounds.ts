import { countOf, IS_FULL } from '../../support/full.ts';

const { CRASH_ROUNDS } = process.env;
const FULL_ROUNDS = 300;

/** How often a server is killed, or the like: `CRASH_ROUNDS` if it is set. */
export function roundsOf(usual: number): number {
  return Number(CRASH_ROUNDS ?? countOf(usual, FULL_ROUNDS));
}

/** Prints what was seen, where somebody asked for more rounds than the usual ones. */
export function report(text: string): void {
  if (CRASH_ROUNDS !== undefined || IS_FULL) console.log(text);
}
