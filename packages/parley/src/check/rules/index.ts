import type { Rule } from '../rule.ts';
import { CARD_CONTENT } from './card/content.ts';
import { EXTENDED_CARD } from './card/extended.ts';
import { SERVED_CARD } from './card/served.ts';
import { CARD_TRUTH } from './card/truth.ts';
import { SEND_REFUSALS } from './send/refusals.ts';
import { SEND_RESULTS } from './send/results.ts';

/** Every check, in no particular order: the table of the reference has the order. */
export const RULES: readonly Rule[] = [
  ...SERVED_CARD,
  ...CARD_CONTENT,
  ...CARD_TRUTH,
  ...EXTENDED_CARD,
  ...SEND_RESULTS,
  ...SEND_REFUSALS,
];
