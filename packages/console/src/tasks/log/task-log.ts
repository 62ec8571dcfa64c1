import type { LogEntry } from '../../../../parley/src/server/operator/console-api.ts';
import { stateOf } from '../states.ts';
import { type ArtifactAt, ArtifactGrowth, type Look } from './artifact-growth.ts';
import { countUpTo } from './find-place.ts';
import { eventOf, type WireMessage } from './wire-events.ts';

export interface StatusAt {
  readonly seq: number;
  readonly state: string;
  readonly message: WireMessage | undefined;
}

export interface LoggedMessage {
  readonly seq: number;
  readonly time: string;
  readonly message: WireMessage;
}

/** A task as it was at an event of its log. */
export interface TaskAt {
  readonly status: StatusAt | undefined;
  /** The last messages; `hiddenMessages` come before them. */
  readonly messages: readonly LoggedMessage[];
  readonly hiddenMessages: number;
  /** The last artifacts; `hiddenArtifacts` come before them. */
  readonly artifacts: readonly ArtifactAt[];
  readonly hiddenArtifacts: number;
}

/** What one look at a task shows at most. */
export const USUAL_LOOK = { messages: 100, artifacts: 20, blocks: 50, characters: 20_000 } as const;

/**
 * The log of a task, read once from the front. Each event leaves its mark where it belongs, so that the task at any event is found
 * by halving and not by folding the log again: to drag over 50,000 events costs as much as over 50.
 */
export class TaskLog {
  readonly entries: LogEntry[] = [];
  readonly #seqs: number[] = [];
  readonly #statuses: StatusAt[] = [];
  readonly #statusSeqs: number[] = [];
  readonly #messages: LoggedMessage[] = [];
  readonly #messageSeqs: number[] = [];
  readonly #artifacts = new Map<string, ArtifactGrowth>();
  readonly #artifactOrder: ArtifactGrowth[] = [];
  readonly #artifactSeqs: number[] = [];

  /** Adds the next page; events that are there already are left out. */
  append(page: readonly LogEntry[]): void {
    for (const entry of page) {
      if (entry.seq <= this.lastSeq) continue;
      this.entries.push(entry);
      this.#seqs.push(entry.seq);
      this.#apply(entry);
    }
  }

  get lastSeq(): number {
    return this.#seqs.at(-1) ?? 0;
  }

  /** The state after all events that are there. */
  get state(): string | undefined {
    return this.#statuses.at(-1)?.state;
  }

  /** The first message of the caller: what a rerun sends again. */
  get firstMessage(): WireMessage | undefined {
    return this.#messages.find(({ message }) => message.role !== 'ROLE_AGENT')?.message;
  }

  /** The place in `entries` of the last event up to `seq`; 0 where there is none. */
  indexOf(seq: number): number {
    return Math.max(0, countUpTo(this.#seqs, seq) - 1);
  }

  statusAt(seq: number): StatusAt | undefined {
    return this.#statuses[countUpTo(this.#statusSeqs, seq) - 1];
  }

  at(seq: number, look: Look & { readonly messages: number; readonly artifacts: number } = USUAL_LOOK): TaskAt {
    const messages = countUpTo(this.#messageSeqs, seq);
    const artifacts = countUpTo(this.#artifactSeqs, seq);
    const firstMessage = Math.max(0, messages - look.messages);
    const firstArtifact = Math.max(0, artifacts - look.artifacts);
    return {
      status: this.statusAt(seq),
      messages: this.#messages.slice(firstMessage, messages),
      hiddenMessages: firstMessage,
      artifacts: this.#artifactOrder
        .slice(firstArtifact, artifacts)
        .map((growth) => growth.at(seq, look))
        .filter((artifact) => artifact !== undefined),
      hiddenArtifacts: firstArtifact,
    };
  }

  #apply(entry: LogEntry): void {
    const { task, message, statusUpdate, artifactUpdate } = eventOf(entry);
    const { seq } = entry;
    if (task) {
      for (const old of task.history ?? []) this.#addMessage(entry, old);
      for (const artifact of task.artifacts ?? [])
        this.#growthOf(artifact.artifactId, seq).add(seq, artifact, false, true);
      if (task.status) this.#addStatus(entry, task.status.state, task.status.message);
    }
    if (message) this.#addMessage(entry, message);
    if (statusUpdate) this.#addStatus(entry, statusUpdate.status.state, statusUpdate.status.message);
    if (artifactUpdate) {
      const { artifact, append = false, lastChunk = false } = artifactUpdate;
      this.#growthOf(artifact.artifactId, seq).add(seq, artifact, append, lastChunk);
    }
  }

  #addStatus(entry: LogEntry, wireState: string, message: WireMessage | undefined): void {
    this.#statuses.push({ seq: entry.seq, state: stateOf(wireState), message });
    this.#statusSeqs.push(entry.seq);
    if (message) this.#addMessage(entry, message);
  }

  #addMessage({ seq, time }: LogEntry, message: WireMessage): void {
    this.#messages.push({ seq, time, message });
    this.#messageSeqs.push(seq);
  }

  #growthOf(id: string, seq: number): ArtifactGrowth {
    const known = this.#artifacts.get(id);
    if (known) return known;
    const growth = new ArtifactGrowth(id);
    this.#artifacts.set(id, growth);
    this.#artifactOrder.push(growth);
    this.#artifactSeqs.push(seq);
    return growth;
  }
}
