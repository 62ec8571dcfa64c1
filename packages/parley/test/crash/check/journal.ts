import type { RpcFrame, Wire } from '../../support/rpc.ts';

/** One connection's view of a task's log. */
export interface Reading {
  readonly taskId: string;
  /** Frames after this position were asked for; undefined if the first frame is the task itself. */
  readonly after: number | undefined;
  readonly frames: RpcFrame[];
}

/** A message that a client sent. */
export interface Sent {
  readonly method: 'SendMessage' | 'SendStreamingMessage';
  readonly params: Wire;
  readonly key: string | undefined;
  /** The task or message that the server has answered with, once it has. */
  answer?: { readonly taskId: string } | { readonly reply: Wire };
}

/** All that clients did and saw, across all crashes of one file. */
export class Journal {
  /** By the message's id. */
  readonly sent = new Map<string, Sent>();
  readonly readings: Reading[] = [];
  /** Tasks as they ended, by id: from then on they must stay as they are. */
  readonly ended = new Map<string, Wire>();
  /** Tasks that a client has seen by any way, with the state that it saw last. */
  readonly known = new Map<string, string>();
  /** All different statuses that answers and lists showed, by task. */
  readonly statuses = new Map<string, Map<string, Wire>>();
  readonly cancelled = new Set<string>();
  /** What was touched since the last check. */
  readonly touched = new Set<string>();
  readonly problems: string[] = [];
  /** Whether the disk may refuse to be written, so that calls and tasks may fail for it. */
  readonly storeMayFail: boolean;
  /** How many calls failed for it. */
  unavailable = 0;
  /** Tasks whose streams ended for it. */
  readonly dropped = new Set<string>();
  /** Counts everything that reached a client. */
  observations = 0;

  constructor(options: { readonly storeMayFail?: boolean } = {}) {
    this.storeMayFail = options.storeMayFail ?? false;
  }

  saw(task: Wire): void {
    this.observations += 1;
    this.#see(task.id, task.status.state);
    const statuses = this.statuses.get(task.id) ?? new Map<string, Wire>();
    this.statuses.set(task.id, statuses.set(JSON.stringify(task.status), task.status));
  }

  /** An answer that brings the whole task. */
  sawWhole(task: Wire): void {
    this.saw(task);
    if (!isEnded(task.status.state)) return;
    const before = this.ended.get(task.id);
    if (before === undefined) this.ended.set(task.id, task);
    else if (JSON.stringify(before) !== JSON.stringify(task)) {
      this.problems.push(`${task.id} changed after its end: ${JSON.stringify(before)} ${JSON.stringify(task)}`);
    }
  }

  /** Reads a stream until it ends, or its connection. */
  read(taskId: string, after: number | undefined): Reading {
    const reading: Reading = { taskId, after, frames: [] };
    this.readings.push(reading);
    return reading;
  }

  sawFrame(reading: Reading, frame: RpcFrame): void {
    this.observations += 1;
    reading.frames.push(frame);
    const { task, statusUpdate } = frame.result ?? {};
    const state = (task ?? statusUpdate)?.status.state;
    if (state) this.#see(reading.taskId, state);
    else this.touched.add(reading.taskId);
  }

  /** The tasks that were last seen in one of the states. */
  inState(...states: readonly string[]): string[] {
    return [...this.known].filter(([, state]) => states.includes(state)).map(([id]) => id);
  }

  #see(id: string, state: string): void {
    this.touched.add(id);
    // Answers overtake each other, but nothing follows an end.
    if (!isEnded(this.known.get(id) ?? '')) this.known.set(id, state);
  }
}

export const WAITING = 'TASK_STATE_INPUT_REQUIRED';
export const RUNNING = ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'] as const;

export function isEnded(state: string): boolean {
  return ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED'].includes(state);
}
