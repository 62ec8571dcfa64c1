import { expect, it } from 'vitest';
import { fuzzGrpc } from './fuzzer.ts';

/** Of the calls; where fewer are carried out, the fuzzer looks at nothing but refusals. */
const LEAST_SERVED = 0.05;
const CALLS = 2_000;

it('changed calls of both versions over gRPC end with a status of their own, none an internal error', async () => {
  const { requests, served, templates, problems } = await fuzzGrpc({ seed: 20_261_116, requests: CALLS });
  expect(problems).toEqual([]);
  expect(requests).toBe(CALLS);
  expect(templates).toBe(21);
  expect(served).toBeGreaterThan(CALLS * LEAST_SERVED);
});
