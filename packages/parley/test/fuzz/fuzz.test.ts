import { expect, it } from 'vitest';
import { type FuzzOptions, fuzz } from './fuzzer.ts';

/** Megabytes: what the collector leaves behind differs from run to run by so much. */
const SPREAD = 8;
/** Of the requests; where fewer are carried out, the fuzzer looks at nothing but refusals. */
const LEAST_SERVED = 0.05;

async function expectWell(options: FuzzOptions): Promise<void> {
  const { requests, served, templates, problems, heap } = await fuzz(options);
  expect(problems).toEqual([]);
  expect(requests).toBe(options.requests);
  expect(templates).toBeGreaterThan(100);
  expect(served).toBeGreaterThan(requests * LEAST_SERVED);
  expect(heap[1] - heap[0]).toBeLessThan(SPREAD);
}

it('100,000 changed requests of every dialect and binding get a well-formed response, none of them an internal error', () =>
  expectWell({ seed: 20_261_116, requests: 90_000, over: 'fetch' }));

it('the last tenth of them goes over sockets', () =>
  expectWell({ seed: 20_261_117, requests: 10_000, over: 'sockets' }));
