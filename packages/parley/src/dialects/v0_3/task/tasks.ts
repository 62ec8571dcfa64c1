import { isTerminal, type TaskState } from '../../../model/states.ts';
import type { Task } from '../../../model/task.ts';
import { decode } from '../../wire/members.ts';
import { TASK_STATES } from '../enums.ts';
import { encodeArtifact } from './artifacts.ts';
import { encodeMessage, readReceivedMessage } from './messages.ts';
import { readPart } from './parts.ts';
import { type Readers, readersOf } from './readers.ts';
import { writersOf } from './writers.ts';

export type { WireTask, WireTaskStatus } from './writers.ts';

/** The readers of replies in this form. */
export const READERS: Readers = readersOf({ readPart, readMessage: readReceivedMessage, states: TASK_STATES });

/**
 * The last status of its stream: streams of sends close there (reference: mapping §6). A task that waits for
 * an authorization may go on by itself, so its stream stays open.
 */
export function isFinal(state: TaskState): boolean {
  return isTerminal(state) || state === 'input-required';
}

export const WRITERS = writersOf({ encodeMessage, encodeArtifact, isFinal });

export const { encodeStatus, encodeTask, encodeRequestedTask, encodeSendResult } = WRITERS;

export function decodeTask(value: unknown): Task {
  return decode(value, READERS.readTask, 'task');
}
