import type { JsonObject } from '../../model/json.ts';
import type { TaskState } from '../../model/states.ts';
import type { Artifact } from '../../model/task.ts';
import type { TaskLog } from '../log/task-log.ts';
import type { Clock } from '../ports.ts';
import type { ArtifactEnd } from '../replay/turn-journal.ts';
import type { MessageDraft } from '../turn/runner.ts';
import { type FailureReason, failureText } from './failure-reasons.ts';
import { agentMessage } from './messages.ts';

export interface StatusDetails {
  readonly metadata?: JsonObject | undefined;
  readonly asking?: boolean;
  readonly answerBy?: number | undefined;
}

/** What is appended to a task's log in the agent's name: that it has a state, and what is said about it. */
export class TaskVoice {
  /** The seq of the last message that the agent has taken, which a status answers. */
  consumed: number;
  readonly #log: TaskLog;
  readonly #clock: Clock;
  readonly #newId: () => string;

  constructor(log: TaskLog, clock: Clock, newId: () => string) {
    this.#log = log;
    this.#clock = clock;
    this.#newId = newId;
    this.consumed = log.consumed;
  }

  status(state: TaskState, message?: MessageDraft, details: StatusDetails = {}): void {
    const { id: taskId, contextId } = this.#log.identity;
    const said = message && agentMessage(this.#newId(), message, { contextId, taskId });
    this.#log.appendStatus(this.#clock.now(), { state, message: said, ...details }, this.consumed);
  }

  failed(reason: FailureReason, reference?: string, timeoutSeconds?: number): void {
    const text = failureText(reason, reference);
    const metadata: JsonObject = {
      reason,
      ...(reference !== undefined && { reference }),
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    };
    this.status('failed', { parts: [{ kind: 'text', text }], metadata });
  }

  /** Puts an artifact back to an earlier content. */
  reset({ artifactId, parts, name, description, extensions, metadata }: Artifact, end: ArtifactEnd): void {
    const content = { artifactId, parts, name, description, extensions, metadata };
    const shape = { append: false, streamed: end === 'streamed', lastChunk: end === 'ended' };
    this.#log.appendChunk(this.#clock.now(), { ...content, ...shape });
  }
}
