import { isPlainObject, type JsonObject, type JsonValue } from '../model/json.ts';
import type { Artifact, Message } from '../model/task.ts';
import type { JournalEntry, ReadLimit, Store } from './ports.ts';
import { TaskFold } from './reduce.ts';
import type { TurnRequest } from './runner.ts';

/** What a run records. Steps and questions are named by how often their name came before, e.g. `fetch 2`. */
export type JournalBody =
  | { readonly kind: 'turn'; readonly messageSeq: number; readonly request: Omit<TurnRequest, 'owner'> }
  | { readonly kind: 'step'; readonly step: string; readonly result?: JsonValue | undefined }
  | { readonly kind: 'asked'; readonly step: string }
  | { readonly kind: 'answered'; readonly step: string; readonly messageSeq: number }
  | { readonly kind: 'resumed' };

const READ_LIMIT: ReadLimit = { events: 2048, bytes: 1024 * 1024 };

/** A turn that a process has left unfinished: what it had behind it, for the run that takes its place. */
export interface Replay {
  readonly messageSeq: number;
  readonly message: Message;
  readonly request: Omit<TurnRequest, 'owner'>;
  /** Results of finished steps. */
  readonly results: Map<string, JsonValue | undefined>;
  /** Answers to questions. */
  readonly answers: Map<string, Message>;
  /** The question that was open. */
  readonly openQuestion: string | undefined;
  /** Messages behind the turn's own that were not answers. */
  readonly unread: readonly { readonly seq: number; readonly message: Message }[];
  /** Artifacts that were written behind the last record, as they were then. */
  readonly resets: readonly Artifact[];
  /** How often the turn was resumed since it last recorded something. */
  readonly attempts: number;
}

/** What the journal of a task comes to. */
export interface LoadedReplay {
  /** Undefined where no turn was recorded. */
  readonly replay: Replay | undefined;
  /** How many entries there are. */
  readonly recorded: number;
}

export const NO_REPLAY: LoadedReplay = { replay: undefined, recorded: 0 };

export async function loadReplay(store: Store, taskId: string): Promise<LoadedReplay> {
  const entries = (await store.journal(taskId)).map(readEntry);
  return { replay: await replayOf(store, taskId, entries), recorded: entries.length };
}

interface ReadEntry {
  readonly seq: number;
  readonly body: JournalBody;
}

async function replayOf(store: Store, taskId: string, entries: readonly ReadEntry[]): Promise<Replay | undefined> {
  const begin = entries.findLastIndex(({ body }) => body.kind === 'turn');
  const turn = entries[begin]?.body;
  if (turn?.kind !== 'turn') return undefined;
  const ofTurn = entries.slice(begin);
  const last = ofTurn.findLastIndex(({ body }) => body.kind !== 'resumed');
  const { messages, resets } = await readLog(store, taskId, ofTurn[last]?.seq ?? 0);
  const message = messages.get(turn.messageSeq);
  if (!message) return undefined;
  const results = new Map<string, JsonValue | undefined>();
  const answers = new Map<string, Message>();
  const answerSeqs = new Set<number>();
  let openQuestion: string | undefined;
  for (const { body } of ofTurn) {
    if (body.kind === 'step') results.set(body.step, body.result);
    if (body.kind === 'asked') openQuestion = body.step;
    if (body.kind !== 'answered') continue;
    const answer = messages.get(body.messageSeq);
    if (answer) answers.set(body.step, answer);
    answerSeqs.add(body.messageSeq);
    openQuestion = undefined;
  }
  const unread = [...messages]
    .filter(([seq]) => seq > turn.messageSeq && !answerSeqs.has(seq))
    .map(([seq, unreadMessage]) => ({ seq, message: unreadMessage }));
  const { messageSeq, request } = turn;
  const attempts = ofTurn.length - 1 - last;
  return { messageSeq, message, request, results, answers, openQuestion, unread, resets, attempts };
}

function readEntry({ seq, body }: JournalEntry): ReadEntry {
  if (!isPlainObject(body) || typeof body.kind !== 'string') throw new Error('The journal of the task is damaged');
  return { seq, body: body as JournalBody & JsonObject };
}

/** All messages, and the artifacts that were touched behind a seq with the content that they had at it. */
async function readLog(
  store: Store,
  taskId: string,
  recorded: number,
): Promise<{ readonly messages: ReadonlyMap<number, Message>; readonly resets: readonly Artifact[] }> {
  const fold = new TaskFold(taskId, '');
  const messages = new Map<number, Message>();
  const touched = new Set<string>();
  for (let position = 0; ; ) {
    const events = await store.read(taskId, position, READ_LIMIT);
    if (events.length === 0) break;
    for (const event of events) {
      position = event.seq;
      if (event.kind === 'message') messages.set(event.seq, event.message);
      if (event.seq <= recorded) fold.apply(event);
      else if (event.kind === 'artifact') touched.add(event.artifact.artifactId);
    }
  }
  return { messages, resets: [...touched].map((artifactId) => contentOf(fold, artifactId)) };
}

/** An artifact has at least one part, so one that was not there yet is left with an empty text. */
function contentOf(fold: TaskFold, artifactId: string): Artifact {
  const artifact = fold.preview(artifactId, []);
  return artifact.parts.length > 0 ? artifact : { ...artifact, parts: [{ kind: 'text', text: '' }] };
}
