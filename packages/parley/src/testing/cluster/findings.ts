/**
 * The fault that a finding tells of:
 *
 * - `message-lost`: a task lacks a message that a client was told it has
 * - `message-doubled`: a message is in two tasks, or twice in one
 * - `task-missing`: a task that a client was told of does not exist
 * - `task-unfinished`: a task neither ended nor waits for its caller
 * - `event-missing`: a client did not see an event that others saw, between two that it did see
 * - `event-repeated`: a client saw an event twice, or an earlier one after a later one
 * - `event-differs`: two clients saw different events at one position
 * - `position-unreadable`: the id of a frame is no position
 * - `stream-restarted`: a stream did not go on after the position that its client asked for
 * - `stream-incomplete`: a client took its stream for complete before its last event
 * - `state-differs`: a client saw a task end in another state than it is in
 * - `text-differs`: the text that a client was given, or expected, is not that of the task
 * - `client-gave-up`: a client failed for good
 * - `client-unfinished`: a client had a stream and never came to an end
 * - `two-writers`: two nodes wrote the same place of a task, or under the same lease number
 * - `stale-writer`: a node wrote under a lease number after a later one was taken
 */
export type ClusterFault =
  | 'message-lost'
  | 'message-doubled'
  | 'task-missing'
  | 'task-unfinished'
  | 'event-missing'
  | 'event-repeated'
  | 'event-differs'
  | 'position-unreadable'
  | 'stream-restarted'
  | 'stream-incomplete'
  | 'state-differs'
  | 'text-differs'
  | 'client-gave-up'
  | 'client-unfinished'
  | 'two-writers'
  | 'stale-writer';

/** A promise that a cluster has broken. */
export interface ClusterFinding {
  readonly fault: ClusterFault;
  /** The task, the client and the positions, in one sentence. */
  readonly text: string;
  readonly taskId?: string | undefined;
  readonly client?: string | undefined;
  /** The frames that it is about, at most ten. */
  readonly positions?: readonly string[] | undefined;
}

/** The most findings that are kept; more are counted. */
const MOST_FINDINGS = 1000;
/** The positions that a finding names. */
export const MOST_POSITIONS = 10;

/** Keeps what is found, within a bound. */
export class FindingList {
  readonly kept: ClusterFinding[] = [];
  count = 0;

  add(finding: ClusterFinding): void {
    this.count += 1;
    if (this.kept.length < MOST_FINDINGS) this.kept.push(finding);
  }
}
