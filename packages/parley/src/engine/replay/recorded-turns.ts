import type { JsonValue } from '../../model/basics/json.ts';
import type { Message, Task } from '../../model/task.ts';
import type { Store, Vault } from '../ports.ts';
import { openedEntries } from './replay.ts';

/** A recorded act of a run: a finished step, or messages that it took. Answers are read where the question is asked again. */
export type RecordedEntry =
  | { readonly kind: 'step'; readonly step: string; readonly result: JsonValue | undefined }
  | { readonly kind: 'messages'; readonly messages: readonly Message[] };

/** The records of one turn, in their order. */
export interface RecordedTurn {
  /** The message that began the turn; undefined where the log does not have its content. */
  readonly message: Message | undefined;
  readonly entries: readonly RecordedEntry[];
}

/** A task of a context with what its turns have recorded; without its artifacts, where there are records. */
export interface RecordedTask {
  readonly task: Task;
  readonly turns: readonly RecordedTurn[];
}

export interface RecordedTurnsQuery {
  /** The messages of the task by their seqs. */
  readonly messages: ReadonlyMap<number, Message>;
  /** Only turns that began with a message before this seq. */
  readonly before: number;
  readonly vault?: Vault | undefined;
}

/** Reads what the turns of a task have recorded, oldest first. Empty where the task's runs record nothing. */
export async function readTurns(
  store: Store,
  taskId: string,
  { messages, before, vault }: RecordedTurnsQuery,
): Promise<readonly RecordedTurn[]> {
  const turns: { readonly message: Message | undefined; readonly entries: RecordedEntry[] }[] = [];
  const given = (seqs: readonly number[]): RecordedEntry => {
    return { kind: 'messages', messages: seqs.flatMap((seq) => messages.get(seq) ?? []) };
  };
  for (const { body } of await openedEntries(store, taskId, vault)) {
    if (body.kind === 'turn') {
      if (body.messageSeq >= before) break;
      turns.push({ message: messages.get(body.messageSeq), entries: [] });
    }
    const entries = turns.at(-1)?.entries;
    if (body.kind === 'step') entries?.push({ kind: 'step', step: body.step, result: body.result });
    if (body.kind === 'taken') entries?.push(given(body.seqs));
  }
  return turns;
}
