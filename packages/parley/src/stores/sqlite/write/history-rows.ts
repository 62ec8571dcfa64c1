/** `log.kinds` of rows that hold messages and statuses alone. */
export const KIND_TALK = 1;

/** Added to a seq, gives a place before the beginning of any log, in order. */
const BEFORE_ALL = -(2 ** 40);

/** The place of a row that only histories have, by the seq of its first event: its log has dropped its beginning. */
export function historyPlace(seq: number): number {
  return seq + BEFORE_ALL;
}
