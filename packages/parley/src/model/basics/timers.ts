/** The longest time that `setTimeout` can hold, in milliseconds: about 24 days. */
export const LONGEST_TIMER = 2 ** 31 - 1;
