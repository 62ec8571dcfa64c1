import type { JsonObject } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { text } from '../../model/parts.ts';
import { type InterruptedState, isInterrupted, isTerminal } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import { complete, type MessageContent, type Outcome, reply } from '../outcomes.ts';
import { agentResult } from '../result.ts';
import { chunk, type TaskContext } from '../task-context.ts';
import type { Published } from './published.ts';
import { contentOf } from './shapes.ts';

type StatusEvent = Published & { readonly kind: 'status' };
type ArtifactEvent = Published & { readonly kind: 'artifact' };
type TaskEvent = Published & { readonly kind: 'task' };

/** Writes what an executor publishes to its task, and knows what it comes to. */
export class TurnOutput {
  readonly #task: TaskContext;
  /** The outcome of the turn unless another event changes it. */
  #outcome: Outcome | undefined;
  #hasOutput = false;
  /** Ids of messages that the task has: an executor may publish them again, with the task that it was given. */
  readonly #said = new Set<string | undefined>();
  /** The artifacts and the metadata that it was given. */
  readonly #given = new Map<string, string>();
  #givenMetadata: string | undefined;
  /** Each artifact's attributes as JSON, by its id. */
  readonly #heads = new Map<string, string>();

  constructor(task: TaskContext) {
    this.#task = task;
    for (const { messageId } of task.history) this.#said.add(messageId);
  }

  /** The task as the executor is given it. */
  knows({ artifacts, metadata }: Task): void {
    for (const { artifactId, parts, ...head } of artifacts) {
      this.#given.set(artifactId, canonical({ ...head, artifactId, parts }));
      this.#heads.set(artifactId, canonical(head));
    }
    this.#givenMetadata = canonical(metadata);
  }

  write(published: Published): Promise<void> | void {
    this.#hasOutput = true;
    switch (published.kind) {
      case 'artifact':
        return this.#artifact(published);
      case 'status':
        return this.#status(published);
      case 'task':
        return this.#wholeTask(published);
      case 'message':
        this.#outcome = this.#answer(contentOf(published.message));
    }
  }

  /** The outcome that the published events imply so far; undefined where none does. */
  get said(): Outcome | undefined {
    return this.#outcome;
  }

  /** The outcome of the turn. */
  outcome(): Outcome {
    if (this.#outcome) return this.#outcome;
    if (!this.#hasOutput) throw new A2AError('INVALID_AGENT_RESPONSE', 'The executor has published nothing');
    if (!this.#task.signal.aborted) this.#task.warn('An executor ended without a final status: its task is completed');
    return complete();
  }

  /** The executor's message about its cancellation. */
  get cancelMessage(): MessageContent | undefined {
    return this.#outcome?.outcome === 'canceled' ? this.#outcome.message : undefined;
  }

  /**
   * The turn has come to a question, but a message is there to go on with: what it says is said, and nobody is kept from
   * waiting for the end. Returns the state that it would have ended in; undefined if it has ended.
   */
  async goOn(): Promise<InterruptedState | undefined> {
    const outcome = this.#outcome;
    if (outcome?.outcome !== 'input-required' && outcome?.outcome !== 'auth-required') return undefined;
    this.#outcome = undefined;
    await this.#task.status(outcome.message, { metadata: outcome.metadata });
    return outcome.outcome;
  }

  /** A bare message does not end a task that waits for its caller: the official server leaves such a task as it is. */
  #answer(message: MessageContent): Outcome {
    const state = this.#task.previousStatus?.state;
    return state && isInterrupted(state) ? { outcome: state, message } : reply(message);
  }

  async #status({ state, message, metadata, isLast }: StatusEvent): Promise<void> {
    if (this.#hasEnded && !isTerminal(state)) {
      this.#task.warn('An executor published a status after a final one; it is dropped', { state });
      return;
    }
    const isRepeated = message !== undefined && this.#said.has(message.messageId);
    this.#said.add(message?.messageId);
    if (metadata) await this.#note(metadata);
    const content = message && contentOf(message);
    if (state === 'working' || state === 'submitted') {
      this.#outcome = undefined;
      // A task starts as submitted.
      if (state === 'submitted' && !content && !metadata) return;
      await this.#task.status(isRepeated ? undefined : content, { metadata });
    } else if (isInterrupted(state) && !isLast && !isRepeated) {
      // It may go on without the run once the authorization, or a message, has come to it.
      this.#outcome = { outcome: state };
      await this.#task.status(content, { metadata, state });
    } else {
      this.#outcome = { outcome: state === 'completed' ? 'complete' : state, message: content, metadata };
    }
  }

  /** With a whole task, or with a status of 0.3 that was not the last. */
  get #hasEnded(): boolean {
    const outcome = this.#outcome?.outcome;
    return outcome === 'complete' || (outcome !== undefined && outcome !== 'reply' && isTerminal(outcome));
  }

  async #artifact({ artifact, append, lastChunk, metadata }: Omit<ArtifactEvent, 'kind'>): Promise<void> {
    if (metadata) await this.#note(metadata);
    const { artifactId, parts, ...head } = artifact;
    const known = this.#heads.get(artifactId);
    if (parts.length === 0 && append && known !== undefined) {
      if (lastChunk) await this.#task.artifact({ artifactId }).end();
      return;
    }
    const current = canonical(head);
    this.#heads.set(artifactId, current);
    const news = append && known === current ? {} : head;
    // The protocol wants at least one part.
    await this.#task.write(chunk(parts.length > 0 ? parts : text(''), { artifactId, ...news, append, lastChunk }));
  }

  /** Writes the news in a whole task: a turn may begin by publishing the task that the executor was given. */
  async #wholeTask({ state, message, history, artifacts, metadata }: TaskEvent): Promise<void> {
    for (const said of history) {
      if (said.isUsers || said.messageId === message?.messageId || this.#said.has(said.messageId)) continue;
      this.#said.add(said.messageId);
      await this.#task.status(contentOf(said));
    }
    for (const artifact of artifacts) {
      const { artifactId } = artifact;
      if (this.#given.get(artifactId) === canonical(artifact)) continue;
      await this.#artifact({ artifact, append: false, lastChunk: true, metadata: undefined });
    }
    if (metadata && canonical(metadata) !== this.#givenMetadata) await this.#note(metadata);
    await this.#status({ kind: 'status', state, message, metadata: undefined, isLast: false });
  }

  /** The official server keeps the metadata of updates with the task. */
  #note(metadata: JsonObject): Promise<void> {
    return this.#task.write(agentResult({ metadata }));
  }
}

/** The same text for the same content, whatever order its members have and whether they are missing or undefined. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
        : member,
    ) ?? ''
  );
}
