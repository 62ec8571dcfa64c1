import { expect } from 'vitest';
import { impersonal, type Observed, observe } from './compared.ts';
import type { RawRequest } from './raw-request.ts';
import type { Victim } from './victim.ts';

export const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** An observation without any id: those that a send makes are new each time. */
export function withoutIds(observed: Observed, ...named: readonly string[]): unknown {
  return JSON.parse(JSON.stringify(impersonal(observed, ...named)).replaceAll(UUID, 'NEW'));
}

/** What is observed of a send that succeeds, without any id. */
export async function seenOfSend(victim: Victim, request: RawRequest, ...named: readonly string[]): Promise<unknown> {
  const observed = await observe(victim, request);
  expect(observed.answer.status).toBe(200);
  return withoutIds(observed, ...named);
}
