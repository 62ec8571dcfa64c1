import { isReasoning } from '../../../model/reasoning.ts';
import { isTerminal } from '../../../model/states.ts';
import type {
  Artifact,
  ArtifactUpdate,
  Part,
  StatusUpdate,
  StreamEvent,
  Task,
  TaskStatus,
} from '../../../model/task.ts';
import type { StreamEncoder, StreamFrame, WireValue } from '../../dialect.ts';
import { failureIn } from '../errors.ts';
import {
  type Answered,
  aboutOf,
  addPart,
  partialAnswer,
  partsOf,
  shownArtifacts,
  statusMessage,
  turnOf,
} from './answers.ts';
import { encodeAnswer, encodeMessage, type WireMessage } from './messages.ts';
import { completionMessage, encodeStatus, encodeTask, type WireStatus } from './tasks.ts';

/** The frames of the document have the task's id alone (seed S1, Streaming Protocol). */
interface WireStatusUpdate {
  kind: 'status-update';
  taskId: string;
  status: WireStatus;
  final: boolean;
}

interface WireStreamedAnswer {
  kind: 'partial-completion' | 'completion';
  taskId: string;
  message: WireMessage;
  final: boolean;
}

/**
 * The frames of one stream: what the task does, its answer so far, and the answer. Chunks that are ready at once make one
 * partial completion, for each of those holds all of the text.
 */
export class AnswerStream implements StreamEncoder {
  readonly joins = true;
  readonly #beginsWithTask: boolean;
  #task: Pick<Task, 'id' | 'contextId' | 'status'> = NO_TASK;
  #turn = 1;
  /** By artifact, in the order of their first chunks. */
  readonly #parts = new Map<string, Part[]>();
  readonly #about = new Map<string, Pick<Artifact, 'extensions' | 'metadata'>>();
  /** Artifacts with the reasoning of a model, which is no part of the answer. */
  readonly #apart = new Set<string>();
  #hasPartial = false;

  /** `beginsWithTask`: the task is a frame of its own, for clients that join later. */
  constructor({ beginsWithTask }: { readonly beginsWithTask: boolean }) {
    this.#beginsWithTask = beginsWithTask;
  }

  encode(events: readonly StreamEvent[]): readonly StreamFrame[] {
    const frames: StreamFrame[] = [];
    /** A state that the batch itself takes further is not worth a frame. */
    let begun: StreamFrame | undefined;
    let hasGrown = false;
    for (const event of events) {
      if (event.kind === 'artifact') {
        if (this.#extend(event)) hasGrown = true;
      } else if (event.kind === 'status') {
        begun = undefined;
        this.#task = { id: event.taskId, contextId: event.contextId, status: event.status };
        frames.push(...this.#statusFrames(hasGrown));
        if (isEnd(event.status)) hasGrown = false;
      } else if (event.kind === 'task') {
        hasGrown = this.#adopt(event.task);
        const { status } = event.task;
        if (this.#beginsWithTask) frames.push({ event: 'task', result: encodeTask(event.task) });
        else begun = isTerminal(status.state) ? undefined : this.#statusFrame(status, false);
        if (!isTerminal(status.state)) continue;
        frames.push(...this.#statusFrames(false));
        hasGrown = false;
      } else {
        frames.push({ event: 'message', result: encodeMessage(event.message) });
      }
    }
    if (begun) frames.push(begun);
    if (hasGrown) frames.push(this.#partialFrame());
    return frames;
  }

  get #answered(): Answered {
    const parts = [...this.#parts.values()].flat();
    return { ...this.#task, parts, about: aboutOf(this.#about.values()), turn: this.#turn };
  }

  /** Returns true where the task has a part of the reply already. */
  #adopt(task: Task): boolean {
    this.#task = task;
    this.#turn = turnOf(task);
    this.#parts.clear();
    this.#about.clear();
    const artifacts = shownArtifacts(task);
    for (const artifact of task.artifacts) if (isReasoning(artifact)) this.#apart.add(artifact.artifactId);
    for (const artifact of artifacts) {
      this.#parts.set(artifact.artifactId, [...partsOf(artifact)]);
      this.#note(artifact);
    }
    return this.#beginsWithTask && artifacts.length > 0;
  }

  /** Returns true where there is something new to show: the end of an artifact is not. */
  #extend({ taskId, contextId, artifact, append }: ArtifactUpdate): boolean {
    if (this.#task === NO_TASK) this.#task = { ...NO_TASK, id: taskId, contextId };
    // Chunks after the first one need not repeat the name.
    if (isReasoning(artifact)) this.#apart.add(artifact.artifactId);
    if (this.#apart.has(artifact.artifactId)) return false;
    const known = append ? this.#parts.get(artifact.artifactId) : undefined;
    const parts = known ?? [];
    for (const part of artifact.parts) addPart(parts, part);
    this.#parts.set(artifact.artifactId, parts);
    this.#note(artifact);
    return !append || artifact.parts.some((part) => part.kind !== 'text' || part.text !== '');
  }

  /** Most artifacts say nothing of themselves. */
  #note({ artifactId, extensions, metadata }: Artifact): void {
    if (!extensions && !metadata) return;
    this.#about.set(artifactId, aboutOf([this.#about.get(artifactId) ?? {}, { extensions, metadata }]) ?? {});
  }

  #statusFrames(hasGrown: boolean): readonly StreamFrame[] {
    const { status } = this.#task;
    switch (status.state) {
      case 'completed':
      case 'input-required':
        // Every answer that was streamed is seen growing at least once.
        return [...(hasGrown && !this.#hasPartial ? [this.#partialFrame()] : []), this.#completionFrame()];
      case 'failed':
      case 'rejected':
        return [...this.#rest(hasGrown), this.#statusFrame(status, false), this.#errorFrame()];
      case 'canceled':
        return [...this.#rest(hasGrown), this.#statusFrame(status, true)];
      case 'submitted':
      case 'working':
      case 'auth-required':
      case 'unknown':
        return [this.#statusFrame(status, false)];
    }
  }

  /** The last status message, where no reply will hold it. */
  #rest(hasGrown: boolean): readonly StreamFrame[] {
    return hasGrown ? [this.#partialFrame()] : [];
  }

  #errorFrame(): StreamFrame {
    return { event: 'error', error: failureIn(this.#task) };
  }

  #statusFrame(status: TaskStatus, final: boolean): StreamFrame {
    return { event: 'status-update', result: encodeStatusUpdate({ ...this.#update, status }, final) };
  }

  get #update(): Omit<StatusUpdate, 'status'> {
    const { id, contextId } = this.#task;
    return { kind: 'status', taskId: id, contextId };
  }

  #partialFrame(): StreamFrame {
    this.#hasPartial = true;
    const message = encodeAnswer(partialAnswer(this.#answered));
    return answerFrame('partial-completion', this.#task.id, message, false);
  }

  #completionFrame(): StreamFrame {
    const { id, status } = this.#task;
    return answerFrame('completion', id, completionMessage(this.#answered), status.state === 'completed');
  }
}

const NO_TASK: Pick<Task, 'id' | 'contextId' | 'status'> = {
  id: '',
  contextId: '',
  status: { state: 'working', timestamp: '' },
};

function isEnd({ state }: TaskStatus): boolean {
  return isTerminal(state) || state === 'input-required';
}

function answerFrame(
  kind: WireStreamedAnswer['kind'],
  taskId: string,
  message: WireMessage,
  final: boolean,
): StreamFrame {
  return { event: kind, result: { kind, taskId, message, final } satisfies WireStreamedAnswer };
}

/** The agent's message about the state alone: its reply has frames of its own. */
function encodeStatusUpdate({ taskId, contextId, status }: StatusUpdate, final: boolean): WireStatusUpdate {
  const answered: Answered = { id: taskId, contextId, status, parts: [], turn: 1 };
  return { kind: 'status-update', taskId, status: encodeStatus(answered, statusMessage(answered)), final };
}

/** One event alone: what a frame would show of it. */
export function encodeEvent(event: StreamEvent): WireValue {
  const [frame] = new AnswerStream({ beginsWithTask: true }).encode([event]);
  return frame && 'result' in frame ? frame.result : undefined;
}
