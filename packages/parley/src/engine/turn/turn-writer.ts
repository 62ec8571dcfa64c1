import type { JsonObject } from '../../model/basics/json.ts';
import { textOf } from '../../model/parts.ts';
import type { InterruptedState } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import type { TurnJournal } from '../replay/turn-journal.ts';
import { amountOf, tailOf } from '../replay/written-amount.ts';
import type { RunLife } from './run-life.ts';
import type { ChunkDraft, MessageDraft, RunOutput } from './runner.ts';
import type { TurnTask } from './turn-task.ts';

const ALREADY_WRITTEN = Promise.resolve();

/** Writes a run's output to its task. In a run that takes the place of another, output that the log has is dropped. */
export class TurnWriter implements RunOutput {
  readonly #task: TurnTask;
  readonly #life: RunLife;
  readonly #journal: TurnJournal | undefined;

  constructor(task: TurnTask, life: RunLife, journal: TurnJournal | undefined) {
    this.#task = task;
    this.#life = life;
    this.#journal = journal;
  }

  status(
    message: MessageDraft | undefined,
    metadata?: JsonObject,
    state: 'working' | InterruptedState = 'working',
  ): Promise<void> | undefined {
    const { output } = this.#task;
    return this.#write(1, undefined, () =>
      message && this.#journal?.repeats(message, metadata) ? undefined : output.showStatus(state, message, metadata),
    );
  }

  chunk(chunk: ChunkDraft): Promise<void> | undefined {
    const journal = this.#journal;
    const { output } = this.#task;
    if (!journal) return this.#life.refusal() ?? output.writeChunk(chunk);
    const amount = amountOf(chunk);
    const { artifactId } = chunk;
    if (journal.isReplaying) {
      journal.compare(artifactId, textOf(chunk.parts));
      journal.repeated.addChunk(artifactId, (isFirst) => {
        void output.writeChunk(isFirst ? { ...chunk, append: false } : chunk)?.catch(() => {});
      });
    }
    return this.#write(
      amount,
      artifactId,
      (fresh) => output.writeChunk(journal.begins(tailOf(chunk, amount - fresh))),
      () => journal.leave(artifactId, chunk.lastChunk ? 'ended' : chunk.streamed ? 'streamed' : 'separate'),
    );
  }

  endArtifact(artifactId: string): Promise<void> | undefined {
    const { output } = this.#task;
    if (this.#journal?.isReplaying) {
      this.#journal.repeated.addEnd(artifactId, () => void output.endArtifact(artifactId)?.catch(() => {}));
    }
    return this.#write(
      1,
      artifactId,
      () => output.endArtifact(artifactId),
      () => this.#journal?.leave(artifactId, 'ended'),
    );
  }

  get metadata(): JsonObject {
    return this.#task.log.metadata ?? {};
  }

  addMetadata(metadata: JsonObject): void {
    if (this.#life.phase !== 'over') this.#task.output.addMetadata(metadata);
  }

  extendMetadata(metadata: JsonObject): void {
    if (this.#life.phase !== 'over') this.#task.output.extendMetadata(metadata);
  }

  async committedTask(): Promise<Task | undefined> {
    const { output, writer, log } = this.#task;
    if (output.opening) return undefined;
    await writer.whenWritten(log.seq);
    return log.snapshot();
  }

  /** The run is where the one before it was: from now on its output counts. */
  catchUp(journal: TurnJournal): void {
    const { resets, ends, repeated } = journal;
    const { output, log } = this.#task;
    if (journal.isMixed) {
      repeated.writeAgain();
      journal.settleMixed();
      return;
    }
    repeated.forget();
    const ids = new Set(resets.map(({ artifactId }) => artifactId));
    for (const [artifactId, end] of ends) if (!ids.has(artifactId)) log.continueText(artifactId, end === 'streamed');
    // Artifacts that this turn had not touched were left by the turns before it.
    for (const artifact of resets) output.resetArtifact(artifact, ends.get(artifact.artifactId) ?? 'ended');
  }

  /** The run has returned: its output counts, whether or not it came to all that was recorded. */
  settle(): void {
    for (const artifactId of this.#journal?.finish() ?? []) {
      this.#task.output.resetArtifact({ artifactId, parts: [{ kind: 'text', text: '' }] }, 'ended');
    }
  }

  /** `write` gets the amount that the log does not have yet, and is called when it is its turn. */
  #write(
    amount: number,
    artifactId: string | undefined,
    write: (fresh: number) => Promise<void> | undefined,
    skipped?: () => void,
  ): Promise<void> | undefined {
    const refusal = this.#life.refusal();
    if (refusal || !this.#journal) return refusal ?? write(amount);
    const { isReplaying } = this.#journal;
    const fresh = this.#journal.wrote(amount);
    if (!isReplaying) return write(amount);
    if (fresh < amount) skipped?.();
    if (fresh > 0) this.#journal.hold(() => void write(fresh)?.catch(() => {}), artifactId);
    return ALREADY_WRITTEN;
  }
}
