import type { Bus, Store } from 'parley-a2a/ports';
import { expect, it } from 'vitest';
import { begin, hasText, idsOf, twoServers, whenWorking } from './two-servers.ts';

export interface Outage {
  readonly bus: () => Bus;
  /** Default: a store in memory that both servers share. */
  readonly store?: (() => Store) | undefined;
  /** Breaks the bus. Resolves when it is broken. */
  readonly begin: () => Promise<void>;
  /** Mends it. */
  readonly end: () => Promise<void>;
}

const NEVER = 3_600_000;
const LONG = 60_000;

/** What must be true of two servers on a bus that is down for a while. */
export function describeOutage(outage: Outage): void {
  it('streams go on by polling while it is down, and lack nothing afterwards', async () => {
    const { a, b, write, end } = twoServers(outage.bus, { pollInterval: 30, commandTimeout: LONG }, outage.store);
    const { id } = await begin(a, 'gated');
    await write('before');
    const stream = await b.open('SubscribeToTask', { id }, { 'last-event-id': '0' });
    const frames = await stream.until(hasText('before'));
    await outage.begin();
    await write('during');
    frames.push(...(await stream.until(hasText('during'))));
    await outage.end();
    await write('after');
    frames.push(...(await stream.until(hasText('after'))));
    end();
    frames.push(...(await stream.rest()));
    const log = await a.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
    expect(idsOf(frames)).toEqual(idsOf(log));
  });

  it('watches look into the store when it is back, without any poll', async () => {
    const { a, b, write, end } = twoServers(outage.bus, { pollInterval: NEVER, commandTimeout: LONG }, outage.store);
    const { id } = await begin(a, 'gated');
    await write('before');
    const stream = await b.open('SubscribeToTask', { id }, { 'last-event-id': '0' });
    await stream.until(hasText('before'));
    await outage.begin();
    await write('during');
    await outage.end();
    await stream.until(hasText('during'));
    end();
    expect((await stream.rest()).at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('a cancel that is sent while it is down is carried out when it is back', async () => {
    const { a, b } = twoServers(outage.bus, { pollInterval: 30, commandTimeout: LONG, cancelGrace: 50 }, outage.store);
    const { id } = await begin(a, 'wait');
    await whenWorking(b, id);
    await outage.begin();
    const canceled = b.call('CancelTask', { id });
    await outage.end();
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
  });
}
