import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryRates } from '../../src/server/limits/rates/memory-rates.ts';

const NOW = Date.UTC(2030, 0, 1);

describe('rates in memory', () => {
  it('let at most `requests` into any window and at most `burst` into any second, and no fewer', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 300 });
    const limits = fc.record({
      requests: fc.integer({ min: 1, max: 40 }),
      window: fc.integer({ min: 1000, max: 10_000 }),
      burst: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(limits, steps, (limit, delays) => {
        const rates = new MemoryRates();
        const passed: number[] = [];
        let now = NOW;
        for (const delay of delays) {
          now += delay;
          const within = (length: number) => passed.filter((time) => time > now - length).length;
          const isFull = within(limit.window) >= limit.requests;
          const isBurst = limit.burst !== undefined && within(1000) >= limit.burst;
          const state = rates.take('one', limit, now);
          expect(state.exceeded === undefined).toBe(!isFull && !isBurst);
          if (!state.exceeded) passed.push(now);
          expect(state.remaining).toBe(Math.max(0, limit.requests - within(limit.window)));
          if (limit.burst !== undefined) expect(state.burstRemaining).toBe(Math.max(0, limit.burst - within(1000)));
          // Somebody who only looks sees the same, and counts for nothing.
          const { remaining, burstRemaining } = rates.look('one', limit, now);
          expect({ remaining, burstRemaining }).toEqual({
            remaining: state.remaining,
            burstRemaining: state.burstRemaining,
          });
          if (!state.exceeded) expect(rates.look('one', limit, now)).toEqual(state);
        }
      }),
    );
  });

  it('let a refused caller pass exactly when they said', () => {
    const limit = { requests: 5, window: 7000, burst: 2 };
    const rates = new MemoryRates();
    let now = NOW;
    for (let index = 0; index < 50; index += 1) {
      const state = rates.take('one', limit, now);
      if (!state.exceeded) continue;
      const wait = state.exceeded === 'burst' ? (state.burstReset ?? 0) : state.reset;
      expect(wait).toBeGreaterThan(0);
      expect(['burst', 'requests']).toContain(rates.take('one', limit, now + wait - 1).exceeded);
      now += wait;
      expect(rates.take('one', limit, now).exceeded).toBeUndefined();
    }
  });

  it('show whoever has asked for nothing the whole quota', () => {
    const limit = { requests: 5, window: 7000 };
    const rates = new MemoryRates();
    expect(rates.look('one', limit, NOW)).toEqual({ exceeded: undefined, remaining: 5, reset: 0 });
    expect(rates.look('one', { ...limit, burst: 2 }, NOW)).toMatchObject({ burstRemaining: 2, burstReset: 0 });
    expect(rates.size).toBe(0);
  });

  it('count each caller for itself', () => {
    const rates = new MemoryRates();
    const limit = { requests: 1, window: 1000 };
    expect(rates.take('one', limit, NOW).exceeded).toBeUndefined();
    expect(rates.take('other', limit, NOW).exceeded).toBeUndefined();
    expect(rates.take('one', limit, NOW).exceeded).toBe('requests');
  });

  it('make nobody wait for longer than the window, though the clock be set back', () => {
    const rates = new MemoryRates();
    const limit = { requests: 1, window: 60_000 };
    rates.take('one', limit, NOW);
    expect(rates.take('one', limit, NOW - 86_400_000).reset).toBe(60_000);
  });

  it('hold so many callers and no more, those who are idle not at all', () => {
    const rates = new MemoryRates(100);
    const limit = { requests: 2, window: 60_000 };
    for (let index = 0; index < 10_000; index += 1) rates.take(`busy ${index}`, limit, NOW);
    expect(rates.size).toBeLessThanOrEqual(100);
    // The latest ones are still counted.
    rates.take('busy 9999', limit, NOW);
    expect(rates.take('busy 9999', limit, NOW).exceeded).toBe('requests');
    for (let index = 0; index < 50; index += 1) rates.take(`later ${index}`, limit, NOW + 60_001);
    expect(rates.size).toBeLessThanOrEqual(50);
  });
});
