import { describe, expect, it } from 'vitest';
import { HostSlots, type ReleaseSlot } from '../../src/server/push/delivery/host-slots.ts';

/** Takes a place, and tells when it has one. */
function taking(slots: HostSlots, host: string) {
  const place: { release: ReleaseSlot | undefined } = { release: undefined };
  void slots.take(host).then((release) => {
    place.release = release;
  });
  return place;
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the requests to webhooks', () => {
  it('are bounded for one host and in all, and hosts take turns', async () => {
    const slots = new HostSlots({ total: 3, perHost: 2 });
    const many = Array.from({ length: 4 }, () => taking(slots, 'many'));
    const one = taking(slots, 'one');
    const late = taking(slots, 'late');
    await settle();
    expect([...many, one, late].map(({ release }) => release !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
    one.release?.(true);
    await settle();
    expect(late.release).toBeTypeOf('function');
    many[0]?.release?.(true);
    await settle();
    expect(many[2]?.release).toBeTypeOf('function');
  });

  it('to hosts that gave no answer take half of the places, and none from those that answer [rule:push.isolated]', async () => {
    const slots = new HostSlots({ total: 4, perHost: 8 });
    const dead = Array.from({ length: 20 }, (_, index) => `dead-${index}`);
    for (const host of dead) (await slots.take(host))(false);
    const hanging = dead.map((host) => taking(slots, host));
    await settle();
    expect(hanging.filter(({ release }) => release).length).toBe(2);
    const well = [taking(slots, 'well'), taking(slots, 'too')];
    await settle();
    expect(well.every(({ release }) => release)).toBe(true);
    // One that answers again is like any other.
    hanging[0]?.release?.(true);
    well[0]?.release?.(true);
    const again = taking(slots, dead[0] ?? '');
    await settle();
    expect(again.release).toBeTypeOf('function');
  });

  it('leave nothing behind', async () => {
    const slots = new HostSlots({ total: 1, perHost: 1 });
    for (let round = 0; round < 3; round += 1) {
      const places = ['a', 'b', 'a'].map((host) => taking(slots, host));
      for (const _ of places) {
        await settle();
        const open = places.filter(({ release }) => release);
        expect(open.length).toBe(1);
        open[0]?.release?.(round % 2 === 0);
        if (open[0]) open[0].release = undefined;
      }
    }
  });
});
