import { expect } from 'vitest';
import { type RawAnswer, type RawRequest, sendRaw } from './raw-request.ts';
import type { Target } from './recorded.ts';
import type { Victim } from './victim.ts';

/** A task that never was, with ids of the same form. */
export function neverWas({ taskId, contextId }: Target): Target {
  return { taskId: otherId(taskId), contextId: otherId(contextId) };
}

function otherId(id: string): string {
  const end = id.endsWith('0000') ? '1111' : '0000';
  return `${id.slice(0, -end.length)}${end}`;
}

export interface Observed {
  readonly answer: RawAnswer;
  /** What the server looked up in its store. */
  readonly lookups: readonly string[];
}

/** Everything that the sender of a request can observe. */
export async function observe({ url, lookups }: Victim, request: RawRequest): Promise<Observed> {
  lookups.length = 0;
  const answer = await sendRaw(url, request);
  return { answer, lookups: lookups.splice(0) };
}

const TIME = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;

/** The observation without the ids that the sender named itself, and without the time. */
export function impersonal({ answer, lookups }: Observed, ...named: readonly string[]): unknown {
  const spellings = named.flatMap((id) => [id, encodeURIComponent(id), JSON.stringify(id).slice(1, -1)]);
  const plain = (text: string) =>
    spellings.reduce((rest, id) => rest.replaceAll(id, 'ID'), text).replaceAll(TIME, 'TIME');
  return { status: answer.status, headers: answer.headers, body: plain(answer.body), lookups };
}

/** Asks for a task of somebody else and for one that never was: nothing tells them apart. `write` is the form of the ids. */
export async function expectNoDifference(
  victim: Victim,
  title: string,
  ask: (target: Target) => RawRequest,
  foreign: Target,
  write: (id: string) => string = (id) => id,
): Promise<Observed> {
  const seenOf = async ({ taskId, contextId }: Target) => {
    const written = { taskId: write(taskId), contextId: write(contextId) };
    const observed = await observe(victim, ask(written));
    return { observed, plain: impersonal(observed, written.taskId, written.contextId, taskId, contextId) };
  };
  const { observed, plain } = await seenOf(foreign);
  expect(plain, title).toEqual((await seenOf(neverWas(foreign))).plain);
  return observed;
}
