import type { JsonObject } from '../../model/basics/json.ts';
import { type InterruptedState, isTerminal, type TaskState } from '../../model/states.ts';
import type { Artifact } from '../../model/task.ts';
import type { StatusDetails } from '../log/events.ts';
import type { ArtifactEnd } from '../log/open-artifacts.ts';
import type { TaskLog } from '../log/task-log.ts';
import type { TaskWriter } from '../log/task-writer.ts';
import type { Clock } from '../ports.ts';
import type { ChunkDraft, MessageDraft, TurnEnd } from '../turn/runner.ts';
import { type FailureReason, failureText } from './failure-reasons.ts';
import type { Inbox } from './messages/inbox.ts';
import { agentMessage } from './messages/messages.ts';
import type { Opening } from './opening.ts';

/**
 * Everything that is appended to a task's log in the agent's name. The methods that a run calls make the task first, if
 * there is none yet, and return a promise only where the run must wait for a commit.
 */
export class TaskOutput {
  /** The first message, until it is known whether a task comes of it. */
  opening: Opening | undefined;
  /** Added to the metadata of every status of the turn; undefined where nothing is. */
  mark: JsonObject | undefined;
  /** Added to the metadata of the status with which the turn ends the task; undefined where nothing is. */
  endMetadata: JsonObject | undefined;
  readonly #log: TaskLog;
  readonly #writer: TaskWriter;
  readonly #inbox: Inbox;
  readonly #clock: Clock;
  readonly #newId: () => string;

  constructor(log: TaskLog, writer: TaskWriter, inbox: Inbox, clock: Clock, newId: () => string) {
    this.#log = log;
    this.#writer = writer;
    this.#inbox = inbox;
    this.#clock = clock;
    this.#newId = newId;
  }

  /** Makes the task, if there is none yet, and leaves it in this state. */
  makeTask(state: 'submitted' | 'working' = 'working'): void {
    const { opening } = this;
    if (!opening) return;
    this.opening = undefined;
    opening.open(state);
  }

  showStatus(
    state: 'working' | InterruptedState,
    message: MessageDraft | undefined,
    metadata?: JsonObject,
  ): Promise<void> | undefined {
    if (this.#log.asking) {
      // The question stays in sight; what the status would add to the task's metadata is kept.
      if (metadata) this.addMetadata(metadata);
      return this.#writer.markAndWait();
    }
    if (this.opening) this.makeTask(state === 'working' ? 'submitted' : 'working');
    this.appendStatus(state, message, { metadata });
    return this.#writer.markAndWait();
  }

  writeChunk(chunk: ChunkDraft): Promise<void> | undefined {
    if (this.opening) this.makeTask();
    this.#log.appendChunk(this.#clock.now(), chunk);
    return this.#writer.markChunkAndWait();
  }

  endArtifact(artifactId: string): Promise<void> | undefined {
    this.#log.endArtifact(this.#clock.now(), artifactId);
    return this.#writer.markAndWait();
  }

  addMetadata(metadata: JsonObject): void {
    this.makeTask();
    this.#log.appendNote(this.#clock.now(), { metadata });
    this.#writer.mark();
  }

  extendMetadata(metadata: JsonObject): void {
    this.makeTask();
    this.#log.appendNote(this.#clock.now(), { metadata, extends: true });
    this.#writer.mark();
  }

  /** Puts an artifact back to an earlier content. */
  resetArtifact({ artifactId, parts, name, description, extensions, metadata }: Artifact, end: ArtifactEnd): void {
    const content = { artifactId, parts, name, description, extensions, metadata };
    const shape = { append: false, streamed: end === 'streamed', lastChunk: end === 'ended' };
    this.#log.appendChunk(this.#clock.now(), { ...content, ...shape });
    this.#writer.mark();
  }

  // For the task itself: these neither make the task nor mark the writer.

  appendStatus(state: TaskState, message?: MessageDraft, details: StatusDetails = {}): void {
    const { id: taskId, contextId } = this.#log.identity;
    const complete = message && agentMessage(this.#newId(), message, { contextId, taskId });
    const added = this.endMetadata && isTerminal(state) ? { ...this.mark, ...this.endMetadata } : this.mark;
    const marked = added ? { ...details, metadata: { ...added, ...details.metadata } } : details;
    this.#log.appendStatus(this.#clock.now(), { state, message: complete, ...marked }, this.#inbox.consumed);
  }

  /** `said`: words that tell the caller more than the reason does. */
  appendFailure(reason: FailureReason, reference?: string, timeoutSeconds?: number, said?: string): void {
    const text = said === undefined ? failureText(reason, reference) : `${said} (${reason}).`;
    const metadata: JsonObject = {
      reason,
      ...(reference !== undefined && { reference }),
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    };
    this.appendStatus('failed', { parts: [{ kind: 'text', text }], metadata });
  }

  /** Ends the artifacts that a turn left open, and appends the status that it ends with. */
  appendEnd({ state, message, metadata }: TurnEnd): void {
    this.#log.endArtifacts(this.#clock.now());
    const { status, consumed } = this.#log;
    // A caller that waits for the response to a message taken since the last status needs another status.
    const isShown = state === status.state && !message && !metadata && consumed === this.#inbox.consumed;
    if (!isShown) this.appendStatus(state === 'reply' ? 'completed' : state, message, { metadata });
  }
}
