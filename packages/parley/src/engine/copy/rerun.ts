import { A2AError, invalidParams, quoted } from '../../model/errors/errors.ts';
import { copyMark } from '../../model/extensions/copies.ts';
import type { Message } from '../../model/task.ts';
import type { TaskEvent } from '../log/events.ts';
import type { JournalEntry, Store, TaskCommit, TaskHead } from '../ports.ts';
import type { SendCall } from '../send/sends.ts';
import type { MessageDraft } from '../turn/runner.ts';
import { commitOfCopy } from './copied-log.ts';
import { readWholeLog, requireSmallJournal } from './whole-log.ts';

/** The names of steps that an error lists. */
const MOST_NAMES = 20;

export interface RerunOptions {
  /** Replaces the message that began the task. */
  readonly message?: MessageDraft | undefined;
  /** Keeps what was recorded before this step. */
  readonly fromStep?: string | undefined;
}

interface NewTask {
  readonly id: string;
  readonly messageId: string;
  readonly now: number;
  /** The node that runs it. */
  readonly node: string;
}

/** The send that does again what a task did: its first message once more, or another one, in the same context and for the same caller. */
export async function sendOfRerun(
  store: Pick<Store, 'load'>,
  { id, agent, owner, contextId }: TaskHead,
  { message: other }: RerunOptions,
  messageId: string,
): Promise<SendCall> {
  const [stored] = await store.load([id], { history: true, artifacts: false });
  const first = stored?.events.find((event) => event.kind === 'message');
  if (!first && !other)
    throw new A2AError('UNSUPPORTED_OPERATION', 'The message that began the task is gone; give another one');
  const {
    parts,
    metadata,
    extensions,
    referenceTaskIds = [],
  } = other ?? (first as { readonly message: Message }).message;
  const message: Message = {
    messageId,
    role: 'user',
    parts,
    contextId,
    extensions,
    referenceTaskIds: [...new Set([...referenceTaskIds, id])],
    metadata: { ...metadata, ...copyMark({ taskId: id }) },
  };
  return {
    scope: { agent, owner },
    input: { tenant: owner.tenant, message, acceptedOutputModes: [], returnImmediately: true, asTask: true },
    extensions: extensions ?? [],
  };
}

/** The commit of a task that goes on from a step of another one: its log and its journal up to there. */
export async function commitFromStep(
  store: Pick<Store, 'read' | 'journal'>,
  head: TaskHead,
  fromStep: string,
  { id, messageId, now, node }: NewTask,
): Promise<TaskCommit> {
  const all = (await store.journal(head.id)).filter(({ body }) => body.kind !== 'resumed');
  const at = placeOf(all, fromStep);
  const kept = all.slice(0, at);
  if (kept.some(({ body }) => body.kind === 'secret' || body.sealed !== undefined)) {
    throw new A2AError(
      'UNSUPPORTED_OPERATION',
      'The run was told a secret before that step, which no other task may have; run it again from the start',
    );
  }
  requireSmallJournal(head.id, kept);
  const upTo = Math.max(...kept.map(({ seq }) => seq));
  const events = await readWholeLog(store, head.id, upTo);
  const turn = kept.findLast(({ body }) => body.kind === 'turn');
  const messageSeq = Number(turn?.body.messageSeq ?? 0);
  return commitOfCopy({
    identity: { id, agent: head.agent, contextId: head.contextId, owner: head.owner, createdAt: now },
    events: events.map((event) => marked(event, { of: head.id, fromStep, messageId })),
    journal: kept.map((entry) => ({ ...entry, body: withoutDeadline(entry.body) })),
    consumed: messageSeq,
    lease: { number: 1, node },
  });
}

/** The deadline of the caller of then has passed. */
function withoutDeadline(body: JournalEntry['body']): JournalEntry['body'] {
  if (body.kind !== 'turn' || typeof body.request !== 'object' || body.request === null) return body;
  const { deadline: _, ...request } = body.request as Readonly<Record<string, never>>;
  return { ...body, request };
}

interface Mark {
  readonly of: string;
  readonly fromStep: string;
  readonly messageId: string;
}

/** The task and its first message tell what they are a copy of. */
function marked(event: TaskEvent, { of, fromStep, messageId }: Mark): TaskEvent {
  const mark = copyMark({ taskId: of, fromStep });
  if (event.kind === 'created') return { ...event, metadata: { ...event.metadata, ...mark } };
  if (event.kind !== 'message' || event.seq !== 2) return event;
  const { metadata, referenceTaskIds = [] } = event.message;
  const message = {
    ...event.message,
    messageId,
    referenceTaskIds: [...new Set([...referenceTaskIds, of])],
    metadata: { ...metadata, ...mark },
  };
  return { ...event, message };
}

function placeOf(entries: readonly JournalEntry[], wanted: string): number {
  const names = entries.flatMap(({ body }) =>
    body.kind === 'step' && typeof body.step === 'string' ? [body.step] : [],
  );
  if (names.length === 0) {
    throw new A2AError(
      'UNSUPPORTED_OPERATION',
      'The task has no recorded steps: only runs of a resumable agent have any',
    );
  }
  // A name alone is the first step of that name.
  for (const name of [wanted, `${wanted} 1`]) {
    const at = entries.findLastIndex(({ body }) => body.kind === 'step' && body.step === name);
    if (at > 0) return at;
  }
  const known = [...new Set(names)].slice(0, MOST_NAMES).map(quoted).join(', ');
  throw invalidParams({ field: 'fromStep', description: `must be one of the recorded steps: ${known}` });
}
