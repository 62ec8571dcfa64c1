import { isDeepStrictEqual } from 'node:util';
import { CallFailed, type Calling, type Flow, type Hosting, type Sending, type Version } from '../calling.ts';
import { type SeenEvent, type SeenMessage, type SeenTask, textOf } from '../seen.ts';

/** Which side of the conversation the peer is. */
export type Role = 'client' | 'server';

/** One conversation that is under test. */
export interface Stage {
  readonly caller: Calling;
  readonly host: Hosting;
  readonly version: Version;
  /** What the peer is; the other side is ours. */
  readonly role: Role;
}

/** One row of the matrix: returns where the peer and we understood each other, throws where not. */
export interface Scenario {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<void>;
}

/** The two sides did not understand each other. */
export class Difference extends Error {}

export function say(text: string): Sending {
  return { parts: [{ kind: 'text', text }] };
}

export function check(isRight: boolean, problem: string): void {
  if (!isRight) throw new Difference(problem);
}

export function checkEqual(seen: unknown, wanted: unknown, what: string): void {
  if (isDeepStrictEqual(seen, wanted)) return;
  throw new Difference(`${what} is ${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`);
}

export function asTask(answer: SeenTask | SeenMessage): SeenTask {
  if (answer.kind === 'task') return answer;
  throw new Difference(`answered with the message "${answer.text}" instead of a task`);
}

/** Every event until the stream ends by itself. */
export async function allOf(flow: Flow): Promise<readonly SeenEvent[]> {
  const events: SeenEvent[] = [];
  for (let event = await flow.next(); event; event = await flow.next()) events.push(event);
  return events;
}

/** The same promise, which may fail before anybody looks at it. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Reads until an event is as wanted; that one is the last of them. */
export async function readUntil(flow: Flow, isWanted: (event: SeenEvent) => boolean): Promise<readonly SeenEvent[]> {
  const events: SeenEvent[] = [];
  for (;;) {
    const event = await flow.next();
    if (!event) throw new Difference(`the stream ended early, after ${told(events)}`);
    events.push(event);
    if (isWanted(event)) return events;
  }
}

/** The text that the artifacts of a stream come to, where there is one artifact at a time. */
export function textOfStream(events: readonly SeenEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.kind === 'task') text = textOf(event.parts);
    if (event.kind === 'artifact') text = event.append ? text + textOf(event.parts) : textOf(event.parts);
  }
  return text;
}

export function lastState(events: readonly SeenEvent[]): string | undefined {
  return events.flatMap((event) => (event.kind === 'task' || event.kind === 'status' ? [event.state] : [])).at(-1);
}

export function taskIdOf(events: readonly SeenEvent[]): string {
  for (const event of events) {
    if (event.kind === 'task') return event.id;
    if (event.kind === 'status' || event.kind === 'artifact') return event.taskId;
  }
  throw new Difference('no event names the task');
}

export function told(events: readonly SeenEvent[]): string {
  const names = events.map((event) => ('state' in event ? `${event.kind} ${event.state}` : event.kind));
  return names.length === 0 ? 'no event' : names.join(', ');
}

const PAUSE_MS = 25;

/** Opens the gates again and again until the work is done: a run may come to its gate late. */
export async function releasing<T>(host: Hosting, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) {
    await host.release();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return work;
}

/** Asks for the task until it is in this state. */
export async function settled(caller: Calling, taskId: string, state: string): Promise<SeenTask> {
  for (;;) {
    const task = await caller.get(taskId);
    if (task.state === state) return task;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The call has to fail with this code, or, where the kit keeps nothing else, with one of these statuses. */
export async function refused(
  call: Promise<unknown>,
  codes: readonly string[],
  statuses: readonly number[],
): Promise<void> {
  let answer: unknown;
  try {
    answer = await call;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const isRight =
      error.code === undefined
        ? error.status !== undefined && statuses.includes(error.status)
        : codes.includes(error.code);
    const seen = error.code ?? (error.status === undefined ? 'an error without a code' : `HTTP ${error.status}`);
    check(isRight, `refused with ${seen} instead of ${codes.join(' or ')} (${error.message})`);
    return;
  }
  throw new Difference(`answered with ${JSON.stringify(answer)} instead of ${codes.join(' or ')}`);
}
