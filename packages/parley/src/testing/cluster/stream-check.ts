import { isInterrupted, isTerminal } from '../../model/states.ts';
import { type ClusterFault, type FindingList, MOST_POSITIONS } from './findings.ts';
import type { EndedEntry, EventEntry, OpenedEntry } from './log-entry.ts';
import { comparePositions, type Position, positionOf, showPosition } from './position.ts';
import type { TaskReference } from './reference.ts';

const BEGINNING: Position = [0, 0];

/** Checks one client's stream: each event once, in order, none left out from its first to its last. */
export class StreamCheck {
  readonly #client: string;
  readonly #findings: FindingList;
  #reached: Position | undefined;
  /** The client has named its position to the server, so that it is to go on there. */
  #asksAfter = false;
  /** The client has come to its end, or has given up. */
  isOver = false;

  constructor(client: string, findings: FindingList) {
    this.#client = client;
    this.#findings = findings;
  }

  open({ after }: OpenedEntry): void {
    this.#asksAfter = after !== undefined;
    if (after !== undefined) this.#reached ??= positionOf(after);
  }

  see(entry: EventEntry, reference: TaskReference): void {
    const { taskId, position: id } = entry;
    const position = positionOf(id);
    if (!position) {
      this.#add('position-unreadable', taskId, `was sent a frame with the id ${JSON.stringify(id)}`);
      return;
    }
    if (entry.what === 'task') this.#begin(taskId, position);
    else this.#goOn(entry, position, reference);
    this.#reached = position;
  }

  end({ taskId, state }: EndedEntry, reference: TaskReference): void {
    const reached = this.#reached ?? BEGINNING;
    if (!isTerminal(state)) {
      if (!isInterrupted(state)) this.#add('stream-incomplete', taskId, `took its stream for complete while ${state}`);
      return;
    }
    const { last } = reference;
    if (!last || comparePositions(reached, last) >= 0) return;
    const text = `took its stream for complete at ${showPosition(reached)}, but the log ends at ${showPosition(last)}`;
    this.#add('stream-incomplete', taskId, text, [last]);
  }

  #begin(taskId: string, position: Position): void {
    const reached = this.#reached;
    // Clients that asked for the whole log are shown the task where its beginning was dropped.
    if (!reached || comparePositions(reached, BEGINNING) === 0) return;
    const [from, to] = [showPosition(reached), showPosition(position)];
    // Clients that ask for no position are shown the task, which must include what they saw.
    if (this.#asksAfter) {
      const text = `asked for what follows ${from} and was shown the task at ${to}`;
      this.#add('stream-restarted', taskId, text, [reached, position]);
    } else if (comparePositions(position, reached) < 0) {
      this.#add('stream-restarted', taskId, `had seen ${from} and was shown the task at ${to}`, [reached, position]);
    }
  }

  #goOn({ taskId, position: id, digest }: EventEntry, position: Position, reference: TaskReference): void {
    const reached = this.#reached ?? BEGINNING;
    if (comparePositions(position, reached) <= 0) {
      this.#add('event-repeated', taskId, `saw ${id} after ${showPosition(reached)}`, [position]);
      return;
    }
    const missed = reference.between(reached, position);
    if (missed.length > 0) {
      const text = `went from ${showPosition(reached)} to ${id} without ${listOf(missed)}`;
      this.#add('event-missing', taskId, text, missed);
    }
    const other = reference.at(id);
    if (!other || other.digest === digest) return;
    this.#add('event-differs', taskId, `saw another event at ${id} than ${other.client}`, [position]);
  }

  #add(fault: ClusterFault, taskId: string, what: string, positions: readonly Position[] = []): void {
    this.#findings.add({
      fault,
      text: `Client ${this.#client} ${what} of task ${taskId}`,
      taskId,
      client: this.#client,
      positions: positions.slice(0, MOST_POSITIONS).map(showPosition),
    });
  }
}

function listOf(positions: readonly Position[]): string {
  const shown = positions.slice(0, MOST_POSITIONS).map(showPosition).join(', ');
  return positions.length > MOST_POSITIONS ? `${shown} and ${positions.length - MOST_POSITIONS} more` : shown;
}
