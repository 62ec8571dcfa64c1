import { type ClientOptions, cardFaults, clientCredentials, httpJson } from 'parley-a2a/client';
import { banterop, cogitator, draft, jaf, rxjs } from 'parley-a2a/dialects';

/** The values that make a client of the browser speak every dialect over every binding. */
export const EVERY_DIALECT = {
  dialects: [jaf, draft, rxjs, cogitator, banterop],
  bindings: [httpJson],
  checkCard: cardFaults,
  oauth: clientCredentials(),
} as const satisfies ClientOptions;
