import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';
import { textOf } from '../../model/parts.ts';
import { isInterrupted } from '../../model/states.ts';
import type { Artifact, Message, TaskStatus } from '../../model/task.ts';
import type { StatusEvent } from '../log/events.ts';
import type { ArtifactEnd } from '../log/open-artifacts.ts';
import { TaskFold } from '../log/task-fold.ts';
import type { JournalEntry, ReadLimit, Store, Vault } from '../ports.ts';
import type { TurnRequest } from '../turn/runner.ts';
import type { RecordedStep } from './replay-order.ts';
import { openSecret, type SecretContent } from './sealed-secret.ts';

/** A record of the journal. Steps and questions are named by how often their name came before, e.g. `fetch 2`. */
export type JournalBody =
  | { readonly kind: 'turn'; readonly messageSeq: number; readonly request: Omit<TurnRequest, 'owner'> }
  | {
      readonly kind: 'step';
      readonly step: string;
      readonly result?: JsonValue | undefined;
      /** The result as JSON, encrypted, in its place: it has a secret in it. */
      readonly sealed?: string | undefined;
      readonly called?: number | undefined;
      /** The open artifacts, where the step itself wrote output. */
      readonly left?: Readonly<Record<string, ArtifactEnd>> | undefined;
      /** In milliseconds since the epoch, for operators; earlier releases did not record them. */
      readonly begunAt?: number | undefined;
      readonly endedAt?: number | undefined;
    }
  | {
      readonly kind: 'asked';
      readonly step: string;
      readonly answerBy?: number | undefined;
      /** The question's name, by which an answer may tell that it is for this one. */
      readonly id?: string | undefined;
    }
  | {
      readonly kind: 'answered';
      readonly step: string;
      readonly messageSeq: number;
      /** For how long, in milliseconds. */
      readonly waited?: number | undefined;
    }
  | { readonly kind: 'unanswered'; readonly step: string }
  /** The answer to a question that a resumed run asked again, because the secret that was its answer was lost. */
  | { readonly kind: 'answered-again'; readonly step: string; readonly messageSeq: number }
  /** The content of a message whose content the log does not have. */
  | { readonly kind: 'secret'; readonly messageSeq: number; readonly sealed: string }
  /** Messages that the run took while it worked; `take`: how often it had looked by then. */
  | { readonly kind: 'taken'; readonly take: number; readonly seqs: readonly number[] }
  | { readonly kind: 'resumed' };

/** The state of the output at a record. */
export interface OutputMark {
  /** The amount that the turn has written. */
  readonly written?: number | undefined;
  /** The seq up to which the log has it, where that is not the log's last one. */
  readonly upTo?: number | undefined;
}

const READ_LIMIT: ReadLimit = { events: 2048, bytes: 1024 * 1024 };

export interface OpenQuestion {
  readonly step: string;
  readonly id?: string | undefined;
  /** When the answer is no longer waited for. */
  readonly answerBy: number | undefined;
}

/** The answer to the question is no longer waited for. */
export function isOverdue({ answerBy }: { readonly answerBy?: number | undefined }, now: number): boolean {
  return answerBy !== undefined && now >= answerBy;
}

/** A turn that a process has left unfinished: its records and output, for the run that takes its place. */
export interface Replay {
  readonly messageSeq: number;
  readonly message: Message;
  readonly request: Omit<TurnRequest, 'owner'>;
  /** Results of finished steps. */
  readonly results: Map<string, JsonValue | undefined>;
  /** Answers to questions. */
  readonly answers: Map<string, Message>;
  /** Questions that were not answered in time. */
  readonly unanswered: Set<string>;
  /** The questions that were open, oldest first. */
  readonly openQuestions: readonly OpenQuestion[];
  /** The names of those that were answered, or given up. */
  readonly closedIds: ReadonlySet<string>;
  /** Steps and questions in the order of their records, with how much was written by then. */
  readonly order: readonly RecordedStep[];
  /** Messages that the run took, by how often it had looked. */
  readonly takes: ReadonlyMap<number, readonly Message[]>;
  /** The last message that is an answer or was taken; 0 = none. */
  readonly consumed: number;
  /** For how long the turn waited for answers, in milliseconds. */
  readonly waited: number;
  /** The last seq of the log when the turn began. */
  readonly beginSeq: number;
  /** The last seq of the log at the last record. */
  readonly upTo: number;
  /** Messages after the turn's own that no run has read. */
  readonly unread: readonly { readonly seq: number; readonly message: Message; readonly isSecret: boolean }[];
  /** Artifacts that were written after the last record, as they were at it. */
  readonly resets: readonly Artifact[];
  /** The texts of artifacts that the turn had begun by then. */
  readonly texts: ReadonlyMap<string, string>;
  /** Artifacts that were there before the turn. */
  readonly earlier: ReadonlySet<string>;
  /** Artifacts that were begun after it. */
  readonly begun: readonly string[];
  /** Status messages that were appended after it. */
  readonly said: readonly StatusEvent[];
  /** Messages whose content is a secret. */
  readonly secrets: readonly Message[];
  /** The number of times that the turn was resumed since its last record. */
  readonly attempts: number;
  /** The number of runs that the turn has had so far. */
  readonly runs: number;
}

/** The journal of a task, as it was read. */
interface LoadedReplay {
  /** Undefined where no turn was recorded. */
  readonly replay: Replay | undefined;
  /** The status that asked for the message which began the turn, where that was a secret and cannot be had any more. */
  readonly asksAgain?: TaskStatus | undefined;
  /** The number of entries. */
  readonly recorded: number;
}

export const NO_REPLAY: LoadedReplay = { replay: undefined, recorded: 0 };

export async function loadReplay(store: Store, taskId: string, vault?: Vault): Promise<LoadedReplay> {
  const entries = (await store.journal(taskId)).map(readEntry);
  const secrets = new Map<number, SecretContent>();
  for (const { body } of entries) {
    if (body.kind !== 'secret') continue;
    const content = await openSecret(vault, taskId, body.sealed);
    if (content) secrets.set(body.messageSeq, content);
  }
  const opened = await withOpenSteps(entries, taskId, vault);
  return { ...(await replayOf(store, taskId, opened, secrets)), recorded: entries.length };
}

/** The journal of a task, with what it has encrypted of its steps. */
export async function openedEntries(store: Store, taskId: string, vault?: Vault): Promise<readonly ReadEntry[]> {
  return withOpenSteps((await store.journal(taskId)).map(readEntry), taskId, vault);
}

async function withOpenSteps(
  entries: readonly ReadEntry[],
  taskId: string,
  vault: Vault | undefined,
): Promise<readonly ReadEntry[]> {
  const opened: ReadEntry[] = [];
  for (const entry of entries) {
    const isSealed = entry.body.kind === 'step' && entry.body.sealed !== undefined;
    const step = isSealed ? await openStep(entry, vault, taskId) : entry;
    // An unreadable entry counts as not recorded.
    if (step) opened.push(step);
  }
  return opened;
}

async function openStep(entry: ReadEntry, vault: Vault | undefined, taskId: string): Promise<ReadEntry | undefined> {
  if (entry.body.kind !== 'step') return entry;
  const { sealed = '', ...body } = entry.body;
  const text = await vault?.open(sealed, taskId);
  return text === undefined ? undefined : { ...entry, body: { ...body, result: JSON.parse(text) as JsonValue } };
}

interface ReadEntry {
  readonly seq: number;
  readonly body: JournalBody & OutputMark;
}

/** Records that say nothing of how far the run had come. */
const ASIDE: ReadonlySet<JournalBody['kind']> = new Set(['resumed', 'taken', 'secret', 'answered-again']);

async function replayOf(
  store: Store,
  taskId: string,
  entries: readonly ReadEntry[],
  secrets: ReadonlyMap<number, SecretContent>,
): Promise<Omit<LoadedReplay, 'recorded'>> {
  const begin = entries.findLastIndex(({ body }) => body.kind === 'turn');
  const turn = entries[begin];
  if (turn?.body.kind !== 'turn') return NO_REPLAY;
  const ofTurn = entries.slice(begin);
  const last = ofTurn.findLast(({ body }) => !ASIDE.has(body.kind)) ?? turn;
  const upTo = last.body.upTo ?? last.seq;
  const { messages, statuses, ...artifacts } = await readLog(store, taskId, turn.seq, upTo, secrets);
  const { messageSeq } = turn.body;
  const message = messages.get(messageSeq);
  // A turn that has ended is not taken up, whatever came after it without a journal.
  const hasEnded = statuses.some(({ seq, status, asking }) => seq > turn.seq && isInterrupted(status.state) && !asking);
  if (hasEnded) return NO_REPLAY;
  if (!message) {
    const asked = statuses.findLast(({ seq, status }) => seq < messageSeq && isInterrupted(status.state));
    return { replay: undefined, asksAgain: asked?.status };
  }
  const secret = secrets.get(messageSeq);
  const request = secret ? { ...turn.body.request, metadata: secret.metadata } : turn.body.request;
  const read = readTurn(ofTurn, messages);
  const unread = [...messages]
    .filter(([seq]) => seq > messageSeq && !read.seqs.has(seq))
    .map(([seq, unreadMessage]) => ({ seq, message: unreadMessage, isSecret: secrets.has(seq) }));
  const replay: Replay = {
    ...read,
    ...artifacts,
    messageSeq,
    message,
    request,
    unread,
    secrets: [...secrets.values()].map(({ message: told }) => told),
    upTo,
    consumed: Math.max(0, ...read.seqs),
    beginSeq: turn.seq,
    said: statuses.filter(({ seq, status }) => seq > upTo && status.state === 'working' && status.message),
    runs: 1 + ofTurn.filter(({ body }) => body.kind === 'resumed').length,
    attempts: ofTurn.length - 1 - ofTurn.findLastIndex(({ body }) => body.kind !== 'resumed'),
  };
  return { replay };
}

function readTurn(entries: readonly ReadEntry[], messages: ReadonlyMap<number, Message>) {
  const results = new Map<string, JsonValue | undefined>();
  const answers = new Map<string, Message>();
  const unanswered = new Set<string>();
  const takes = new Map<number, readonly Message[]>();
  const seqs = new Set<number>();
  const order = new Map<string, RecordedStep>();
  const open = new Map<string, OpenQuestion>();
  const closedIds = new Set<string>();
  let waited = 0;
  for (const { body } of entries) {
    if (body.kind === 'turn' || body.kind === 'resumed' || body.kind === 'secret') continue;
    if (body.kind === 'taken') {
      takes.set(body.take, messagesAt(body.seqs, messages));
      for (const seq of body.seqs) seqs.add(seq);
      continue;
    }
    if (body.kind === 'answered-again') {
      const [answer] = messagesAt([body.messageSeq], messages);
      if (answer) answers.set(body.step, answer);
      seqs.add(body.messageSeq);
      continue;
    }
    const { step, written } = body;
    // The record that ends a question replaces it: the run went on then.
    order.delete(step);
    const { called, left } = body.kind === 'step' ? body : { called: written };
    order.set(step, { step, called, written, left });
    if (body.kind === 'step') results.set(step, body.result);
    else if (body.kind === 'asked') open.set(step, { step, id: body.id, answerBy: body.answerBy });
    else {
      const { id } = open.get(step) ?? {};
      if (id !== undefined) closedIds.add(id);
      open.delete(step);
    }
    if (body.kind === 'unanswered') unanswered.add(step);
    if (body.kind !== 'answered') continue;
    const [answer] = messagesAt([body.messageSeq], messages);
    if (answer) answers.set(step, answer);
    seqs.add(body.messageSeq);
    waited += body.waited ?? 0;
  }
  const openQuestions = [...open.values()];
  return { results, answers, unanswered, takes, seqs, order: [...order.values()], openQuestions, closedIds, waited };
}

function messagesAt(seqs: readonly number[], messages: ReadonlyMap<number, Message>): readonly Message[] {
  return seqs.flatMap((seq) => messages.get(seq) ?? []);
}

function readEntry({ seq, body }: JournalEntry): ReadEntry {
  if (!isPlainObject(body) || typeof body.kind !== 'string') throw new Error('The journal of the task is damaged');
  return { seq, body: body as JournalBody & OutputMark & JsonObject };
}

/** Reads the messages, and the artifacts that were touched after a seq with the content that they had at it. */
async function readLog(
  store: Store,
  taskId: string,
  beginSeq: number,
  upTo: number,
  secrets: ReadonlyMap<number, SecretContent>,
) {
  const fold = new TaskFold(taskId, '');
  const messages = new Map<number, Message>();
  const statuses: StatusEvent[] = [];
  const touched = new Set<string>();
  const before = new Set<string>();
  for (let position = 0; ; ) {
    const events = await store.read(taskId, position, READ_LIMIT);
    if (events.length === 0) break;
    for (const event of events) {
      position = event.seq;
      const message =
        event.kind !== 'message' ? undefined : event.secret ? secrets.get(event.seq)?.message : event.message;
      if (message) messages.set(event.seq, message);
      if (event.kind === 'status') statuses.push(event);
      if (event.seq <= upTo) fold.apply(event);
      if (event.seq === beginSeq) for (const { artifactId } of fold.snapshot().artifacts) before.add(artifactId);
      else if (event.kind === 'artifact') touched.add(event.artifact.artifactId);
    }
  }
  const isOld = (artifactId: string) => fold.positionOf(artifactId) !== undefined;
  const resets = [...touched].filter(isOld).map((artifactId) => fold.preview(artifactId, []));
  const ofTurn = fold.snapshot().artifacts.filter(({ artifactId }) => !before.has(artifactId));
  const texts = new Map(ofTurn.map((artifact) => [artifact.artifactId, textOf(artifact)]));
  return {
    messages,
    statuses,
    resets,
    texts,
    earlier: before,
    begun: [...touched].filter((artifactId) => !isOld(artifactId)),
  };
}
