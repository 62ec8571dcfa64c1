import type { Message } from '../../model/task.ts';
import type { TaskEvent } from '../log/events.ts';
import { TaskFold } from '../log/task-fold.ts';
import type { TaskIdentity } from '../log/task-log.ts';
import type { ArtifactBody, JournalEntry, Lease, TaskCommit } from '../ports.ts';

interface LogCopy {
  readonly identity: TaskIdentity;
  /** From the first one on, of another task. */
  readonly events: readonly TaskEvent[];
  readonly lease: Lease;
  readonly journal?: readonly JournalEntry[] | undefined;
  readonly context?: TaskCommit['context'];
  /** The last message that the runs had taken, where the events do not tell. */
  readonly consumed?: number | undefined;
}

/** The commit that makes a task of a log, or of the beginning of one. */
export function commitOfCopy({ identity, events, lease, journal, context, consumed = 0 }: LogCopy): TaskCommit {
  const { id, contextId } = identity;
  const own = events.map((event) => readdressed(event, identity));
  const fold = new TaskFold(id, contextId);
  for (const event of own) fold.apply(event);
  const { bodies, openFrom } = artifactsOf(own, fold);
  const { metadata } = fold.snapshot();
  return {
    kind: 'task',
    head: {
      ...identity,
      status: fold.status,
      statusTime: fold.statusTime,
      seq: fold.seq,
      lease,
      consumed: Math.max(fold.consumed, consumed),
      asking: fold.asking,
      openFrom,
      metadata,
    },
    expectedSeq: 0,
    expectedLease: 0,
    events: own,
    bodies,
    ...(journal && { journal: journal.map((entry, index) => ({ ...entry, number: index + 1 })) }),
    ...(context && { context }),
  };
}

/** Artifacts that have ended are stored whole; the others are loaded from their first chunk on. */
function artifactsOf(
  events: readonly TaskEvent[],
  fold: TaskFold,
): { bodies: readonly ArtifactBody[]; openFrom: number } {
  const begun = new Map<string, number>();
  const ended = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'artifact') continue;
    const { artifactId } = event.artifact;
    if (!event.append || !begun.has(artifactId)) begun.set(artifactId, event.seq);
    if (event.lastChunk) ended.set(artifactId, event.seq);
    else ended.delete(artifactId);
  }
  const bodies = [...ended].map(([artifactId, seq]) => ({
    artifact: fold.preview(artifactId, []),
    position: fold.positionOf(artifactId) ?? 0,
    seq,
  }));
  const open = [...begun].filter(([artifactId]) => !ended.has(artifactId)).map(([, seq]) => seq);
  return { bodies, openFrom: open.length === 0 ? 0 : Math.min(...open) };
}

/** Messages tell which task and context they are in. */
function readdressed(event: TaskEvent, { id, contextId }: TaskIdentity): TaskEvent {
  const address = (message: Message): Message => ({ ...message, taskId: id, contextId });
  if (event.kind === 'message') return { ...event, message: address(event.message) };
  if (event.kind !== 'status' || !event.status.message) return event;
  return { ...event, status: { ...event.status, message: address(event.status.message) } };
}
