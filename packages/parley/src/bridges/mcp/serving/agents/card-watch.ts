import { CARD_INTERVAL } from '../limits.ts';
import type { Roster } from './roster.ts';

/** Looks at the cards now and every minute. Returns what ends it. */
export function watchCards(roster: Roster, interval = CARD_INTERVAL): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    await roster.look();
    if (!isOver) timer = setTimeout(() => void look(), interval);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
