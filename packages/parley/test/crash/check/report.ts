import type { Journal } from './journal.ts';

/** Throws with what is known to be wrong, if anything is, and with the settings that lead there again. */
export function throwProblems({ problems }: Journal, round: number, settings: string): void {
  if (problems.length === 0) return;
  const [shown, more] = [problems.slice(0, 5), problems.length - 5];
  throw new Error(`Round ${round}: ${shown.join('\n')}\n${more > 0 ? `and ${more} more\n` : ''}Again with ${settings}`);
}

/** How many tasks ended in which way: by the reason, or else by the state. */
export function endsOf({ ended }: Journal): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { status } of ended.values()) {
    const end: string = status.message?.metadata?.reason ?? status.state;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}
