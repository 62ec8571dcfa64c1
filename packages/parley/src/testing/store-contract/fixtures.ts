import type { ArtifactEvent, MessageEvent, StatusEvent, TaskEvent } from '../../engine/log/events.ts';
import type {
  ArtifactBody,
  CommitEntry,
  CommitResult,
  KeyRecord,
  KeyScope,
  Owner,
  Store,
  TaskCommit,
  TaskHead,
} from '../../engine/ports.ts';
import type { TaskState } from '../../model/states.ts';
import type { Message } from '../../model/task.ts';

export const ALICE: Owner = { tenant: '', subject: 'alice' };
export const BOB: Owner = { tenant: '', subject: 'bob' };
export const AGENT = 'agent';
export const NODE = 'node-1';
export const NO_LIMIT = { events: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };
export const ALL = { history: true, artifacts: true };

export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

export function message(text: string): Message {
  return { messageId: `message of ${text}`, role: 'user', parts: [{ kind: 'text', text }] };
}

export function messageEvent(seq: number, text = `message ${seq}`): MessageEvent {
  return { kind: 'message', seq, time: seq, message: message(text) };
}

export function statusEvent(seq: number, state: TaskState, time = seq): StatusEvent {
  return { kind: 'status', seq, time, status: { state, timestamp: isoTime(time) }, consumed: 0 };
}

export function chunkEvent(seq: number, artifactId = 'result', text = `chunk ${seq}`): ArtifactEvent {
  const artifact = { artifactId, parts: [{ kind: 'text' as const, text }] };
  return { kind: 'artifact', seq, time: seq, artifact, append: true, lastChunk: false };
}

export function body(artifactId: string, position: number, seq: number, text = 'whole'): ArtifactBody {
  return { artifact: { artifactId, parts: [{ kind: 'text', text }] }, position, seq };
}

export function keyRecord(key: string, changes: Partial<KeyRecord> = {}): KeyRecord {
  const scope: KeyScope = { agent: AGENT, ...ALICE };
  return { scope, key, digest: 'digest', expiresAt: 1_000, ...changes };
}

export interface NewTask {
  readonly agent?: string;
  readonly owner?: Owner;
  readonly contextId?: string;
  readonly time?: number;
  readonly state?: TaskState;
  readonly node?: string | null;
  readonly keys?: readonly KeyRecord[];
}

/** The commit that creates a task: its first event and the message of the caller. */
export function creation(id: string, options: NewTask = {}): TaskCommit {
  const { owner = ALICE, time = 1, state = 'submitted', node = NODE } = options;
  const head: TaskHead = {
    id,
    agent: options.agent ?? AGENT,
    contextId: options.contextId ?? `context of ${id}`,
    owner,
    createdAt: time,
    status: { state, timestamp: isoTime(time) },
    statusTime: time,
    seq: 2,
    lease: { number: 1, node },
    consumed: 0,
    asking: false,
    openFrom: 0,
  };
  const events: readonly TaskEvent[] = [{ kind: 'created', seq: 1, time }, messageEvent(2)];
  return { kind: 'task', head, expectedSeq: 0, expectedLease: 0, events, bodies: [], keys: options.keys };
}

export interface Change {
  readonly head?: Partial<TaskHead>;
  readonly bodies?: readonly ArtifactBody[];
  readonly keys?: readonly KeyRecord[];
}

/** The commit that appends events to a task whose head is known. A status event among them becomes the head's. */
export function append(head: TaskHead, events: readonly TaskEvent[], change: Change = {}): TaskCommit {
  const status = events.findLast((event) => event.kind === 'status');
  const moved = status ? { status: status.status, statusTime: status.time } : {};
  return {
    kind: 'task',
    head: { ...head, ...moved, seq: head.seq + events.length, ...change.head },
    expectedSeq: head.seq,
    expectedLease: head.lease.number,
    events,
    bodies: change.bodies ?? [],
    keys: change.keys,
  };
}

/** Commits one entry and gives the result. */
export async function commitOne(store: Store, entry: CommitEntry): Promise<CommitResult | undefined> {
  return (await store.commit([entry]))[0];
}

/** Commits one entry that must be accepted and gives the head after it. */
export async function accept(store: Store, entry: TaskCommit): Promise<TaskHead> {
  const result = await commitOne(store, entry);
  if (result !== 'ok') throw new Error(`The commit was refused: ${result}`);
  return entry.head;
}
