import { defineAgent } from 'parley-a2a';

/** Something that must not happen twice. The same key books the same thing, however often it is asked. */
export interface BookingService {
  book(what: string, key: string): Promise<string>;
}

/** Books a trip in steps: a crash in the middle leaves no trip half booked, and none booked twice. */
export function tripAgent(service: BookingService) {
  return defineAgent({
    name: 'trips',
    description: 'Books a flight and a hotel',
    version: '1.0.0',
    resumable: true,
    async *run(task) {
      const book = (what: string) =>
        task.step(what, ({ idempotencyKey }) => service.book(`${what} to ${task.text}`, idempotencyKey), {
          retry: { attempts: 3, firstDelay: 100 },
        });
      yield `A trip to ${task.text}.\n`;
      const [flight, hotel] = await Promise.all([book('flight'), book('hotel')]);
      yield `Flight ${flight}, hotel ${hotel}.\n`;
      const who = await task.ask('In whose name?');
      yield `Confirmed for ${who}: ${await book('confirmation')}.`;
    },
  });
}
