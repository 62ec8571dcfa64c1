import { isObject } from '../../model/basics/json.ts';
import type { Artifact, ArtifactUpdate, Message, Part, StatusUpdate, StreamEvent, Task } from '../../model/task.ts';
import { isPlainText } from './collect.ts';

/**
 * The events that a reader with `received` lacks of `snapshot`: folding them in gives the snapshot's artifacts and
 * status, and nothing comes twice. The missing end of an artifact comes as an appended chunk, or the whole artifact
 * where what was received is not its beginning. Agent messages that have got into the history meanwhile were said with
 * a status that was missed: they come as status updates. New metadata comes with the last status. `sent` is the message
 * that began the turn: earlier turns stand before it.
 */
export function missingEvents(received: Task | undefined, snapshot: Task, sent?: Message): readonly StreamEvent[] {
  if (!received) return [{ kind: 'task', task: snapshot }];
  const ids = { taskId: snapshot.id, contextId: snapshot.contextId };
  const events: StreamEvent[] = [];
  for (const message of missedMessages(received, snapshot, sent)) {
    const status = { state: 'working', message, timestamp: snapshot.status.timestamp } as const;
    events.push({ kind: 'status', ...ids, status } satisfies StatusUpdate);
  }
  const known = new Map(received.artifacts.map((artifact) => [artifact.artifactId, artifact]));
  for (const artifact of snapshot.artifacts) {
    const update = missingOf(known.get(artifact.artifactId), artifact);
    if (update) events.push({ kind: 'artifact', ...ids, ...update });
  }
  if (!isSame(received.status, snapshot.status) || events.some(({ kind }) => kind === 'status')) {
    const metadata = newMembers(received.metadata, snapshot.metadata);
    events.push({ kind: 'status', ...ids, status: snapshot.status, ...(metadata && { metadata }) });
  }
  return events;
}

function missedMessages(received: Task, snapshot: Task, sent: Message | undefined): readonly Message[] {
  const known = new Set(received.history.map(({ messageId }) => messageId));
  for (const message of [received.status.message, sent]) if (message) known.add(message.messageId);
  const { history, status } = snapshot;
  const since = history.findLastIndex(({ messageId }) => known.has(messageId)) + 1;
  return history
    .slice(since)
    .filter(({ role, messageId }) => role === 'agent' && messageId !== status.message?.messageId);
}

function newMembers(received: Task['metadata'], whole: Task['metadata']): Task['metadata'] {
  const members = Object.entries(whole ?? {}).filter(([name, value]) => !isSame(received?.[name], value));
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

type Chunk = Pick<ArtifactUpdate, 'artifact' | 'append' | 'lastChunk'>;

function missingOf(received: Artifact | undefined, whole: Artifact): Chunk | undefined {
  const anew: Chunk = { artifact: whole, append: false, lastChunk: false };
  if (!received || !isSame(attributesOf(received), attributesOf(whole))) return anew;
  const tail = tailAfter(received.parts, whole.parts);
  if (tail === undefined) return anew;
  // Empty texts are no content: a reader that joins texts has lost them, and would lack them for ever.
  return joined(tail).length === 0
    ? undefined
    : { artifact: { artifactId: whole.artifactId, parts: tail }, append: true, lastChunk: false };
}

/** The rest of `whole` after `beginning`; undefined where it does not begin so. */
function tailAfter(beginning: readonly Part[], whole: readonly Part[]): readonly Part[] | undefined {
  const isWholeParts = beginning.every((part, index) => index < whole.length && isSame(part, whole[index]));
  if (isWholeParts) return whole.slice(beginning.length);
  return textTailAfter(beginning, whole);
}

/** The same where parts of text are cut differently: some servers join the chunks of a text, others keep them apart. */
function textTailAfter(beginning: readonly Part[], whole: readonly Part[]): readonly Part[] | undefined {
  const [had, has] = [joined(beginning), joined(whole)];
  const last = had.length - 1;
  if (last < 0) return whole;
  if (!isSame(had.slice(0, last), has.slice(0, last))) return undefined;
  const [ours, theirs] = [had[last], has[last]];
  if (isSame(ours, theirs)) return has.slice(last + 1);
  if (!isPlainText(ours) || !isPlainText(theirs) || !theirs.text.startsWith(ours.text)) return undefined;
  return [{ kind: 'text', text: theirs.text.slice(ours.text.length) }, ...has.slice(last + 1)];
}

/** Neighbouring plain texts as one, empty ones left out. */
export function joined(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (!isPlainText(part)) result.push(part);
    else if (isPlainText(last)) result[result.length - 1] = { kind: 'text', text: last.text + part.text };
    else if (part.text) result.push({ kind: 'text', text: part.text });
  }
  return result;
}

/** Tells whether both hold the same artifacts, however their texts are cut into parts. */
export function hasSameArtifacts(one: Task, other: Task): boolean {
  const content = ({ artifacts }: Task) =>
    artifacts.map((artifact) => ({ ...artifact, parts: joined(artifact.parts) }));
  return isSame(content(one), content(other));
}

function attributesOf(artifact: Artifact): object {
  return { ...artifact, parts: undefined };
}

/** Deep equality of JSON values; a member that is undefined counts as absent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  return Object.keys({ ...one, ...other }).every((name) => isSame(one[name], other[name]));
}
