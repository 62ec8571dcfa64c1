import type { SendInput } from '../model/operations.ts';
import { endsTurn, type TaskState } from '../model/states.ts';
import type { Message, Part, StreamEvent } from '../model/task.ts';

/**
 * One thing that a fake agent does: a piece of text or a part of its artifact, an event as it stands, a state (with what
 * it says), a pause, or an error. An A2AError is told to the caller; any other breaks the connection. `close` ends the
 * connection properly, though the turn goes on.
 */
export type FakeStep =
  | string
  | Part
  | StreamEvent
  | { readonly state: TaskState; readonly message?: string | undefined }
  | { readonly wait: number | PromiseLike<unknown> }
  | { readonly close: true }
  | Error;

/** A message that a fake agent responds to. */
export interface FakeMessage {
  readonly text: string;
  readonly message: Message;
  readonly input: SendInput;
  /** 1, 2, … */
  readonly number: number;
}

/**
 * The response to a message: a text, which completes a task; a message without a task; steps, which complete the task
 * unless they end otherwise; or an error instead of any response.
 */
export type FakeResponse =
  | string
  | Message
  | readonly FakeStep[]
  | Error
  | ((message: FakeMessage) => FakeResponse | PromiseLike<FakeResponse>);

export function isMessage(response: unknown): response is Message {
  return typeof response === 'object' && response !== null && 'messageId' in response;
}

export function isSteps(response: FakeResponse): response is readonly FakeStep[] {
  return Array.isArray(response);
}

/** The steps, with the end that they leave open. */
export function completed(steps: readonly FakeStep[]): readonly FakeStep[] {
  const last = steps.at(-1);
  const isOpen = last === undefined || typeof last === 'string' || !isEnd(last);
  return isOpen ? [...steps, { state: 'completed' }] : steps;
}

function isEnd(step: Exclude<FakeStep, string>): boolean {
  if (step instanceof Error || 'close' in step || 'wait' in step) return true;
  if ('state' in step) return endsTurn(step.state);
  if (step.kind === 'status') return endsTurn(step.status.state);
  if (step.kind === 'task') return endsTurn(step.task.status.state);
  return step.kind === 'message';
}
