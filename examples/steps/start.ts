import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { tripAgent } from './booking.ts';

/** A service that takes its time, so that the server can be killed in the middle: `parley serve examples/steps/start.ts --db trips.db`. */
export const trips = tripAgent({
  async book(what, key) {
    await pause(2_000);
    console.error(`booked: ${what}`);
    // The same key is the same booking.
    return createHash('sha256').update(key).digest('hex').slice(0, 6).toUpperCase();
  },
});
