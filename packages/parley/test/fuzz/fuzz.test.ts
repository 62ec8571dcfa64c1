import { expect, it } from 'vitest';
import { fuzz } from './fuzzer.ts';

/** Megabytes: what the collector leaves behind differs from run to run by so much. */
const SPREAD = 8;
/** Of the requests; where fewer are carried out, the fuzzer looks at nothing but refusals. */
const LEAST_SERVED = 0.05;
const FIRST_SEED = 20_261_116;
const TENTH = 10_000;

/** 100,000 requests in all, a tenth of them over sockets. */
it.each(
  Array.from(
    { length: 10 },
    (_, index) => ({ seed: FIRST_SEED + index, over: index === 9 ? 'sockets' : 'fetch' }) as const,
  ),
)('changed requests of every dialect and binding get well-formed responses, none an internal error: $seed, $over', async (tenth) => {
  const { requests, served, templates, problems, heap } = await fuzz({ ...tenth, requests: TENTH });
  expect(problems).toEqual([]);
  expect(requests).toBe(TENTH);
  expect(templates).toBeGreaterThan(100);
  expect(served).toBeGreaterThan(TENTH * LEAST_SERVED);
  expect(heap[1] - heap[0]).toBeLessThan(SPREAD);
});
