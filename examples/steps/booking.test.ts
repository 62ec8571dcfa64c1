import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { A2AClient, A2AServer, textOf } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { type BookingService, tripAgent } from './booking.ts';

/** A service that knows what it has booked, and does not answer while it is told not to. */
class Bookings implements BookingService {
  readonly booked = new Map<string, string>();
  asked = 0;
  answers = true;

  async book(what: string, key: string): Promise<string> {
    this.asked += 1;
    const number = this.booked.get(key) ?? `${what.split(' ')[0]}-${this.booked.size + 1}`;
    this.booked.set(key, number);
    if (!this.answers && what.startsWith('hotel')) await new Promise(() => {});
    return number;
  }
}

it('books a trip once, although the server stops in the middle', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-trips-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const service = new Bookings();
  const start = () =>
    new A2AServer({
      agents: [tripAgent(service)],
      store: sqlite(join(folder, 'trips.db')),
      drainTimeout: 0,
    }).listen({ port: 0 });

  service.answers = false;
  const first = await start();
  const before = await A2AClient.connect(first.url ?? '');
  const begun = await before.sendMessage('Lisbon', { returnImmediately: true });
  if (!('status' in begun)) throw new Error('A task was expected');
  await expect.poll(() => service.asked).toBe(2);
  await first.close();

  service.answers = true;
  const second = await start();
  onTestFinished(() => second.close());
  const client = await A2AClient.connect(second.url ?? '');
  await expect.poll(async () => (await client.getTask(begun.id)).status.state).toBe('input-required');
  const task = await client.sendMessageStream('Ann', { taskId: begun.id }).task;
  expect(textOf(task)).toBe('A trip to Lisbon.\nFlight flight-1, hotel hotel-2.\nConfirmed for Ann: confirmation-3.');
  // The hotel was asked for twice, with the same key.
  expect([...service.booked.values()]).toEqual(['flight-1', 'hotel-2', 'confirmation-3']);
});
