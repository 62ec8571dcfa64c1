import type { JsonObject } from '../../../model/basics/json.ts';
import { textOf } from '../../../model/parts.ts';
import { isReasoning } from '../../../model/reasoning.ts';
import { isInterrupted, type TaskState } from '../../../model/states.ts';
import type { Artifact, Message, Part, Task, TaskStatus } from '../../../model/task.ts';
import { notesOf, withNotes, withoutNotes } from './notes.ts';
import { UNNAMED_STATES } from './states.ts';

/** The material of a reply: a task, or as much of one as a stream has brought. */
export interface Answered extends Pick<Task, 'id' | 'contextId' | 'status'> {
  /** The artifacts' parts, each artifact's texts joined. */
  readonly parts: readonly Part[];
  /** The artifacts' extensions and metadata. */
  readonly about?: About | undefined;
  /** The number of the caller's messages: the id of a reply is that of its turn. */
  readonly turn: number;
}

export function answeredBy(task: Task): Answered {
  const { id, contextId, status } = task;
  const artifacts = shownArtifacts(task);
  return { id, contextId, status, parts: artifacts.flatMap(partsOf), about: aboutOf(artifacts), turn: turnOf(task) };
}

/** JAF has one message for all that an agent writes, so the reasoning of its model would be read as a part of the answer. */
export function shownArtifacts({ artifacts }: Pick<Task, 'artifacts'>): readonly Artifact[] {
  return artifacts.some(isReasoning) ? artifacts.filter((artifact) => !isReasoning(artifact)) : artifacts;
}

type About = Pick<Message, 'extensions' | 'metadata'>;

/** Joins the extensions and metadata of artifacts and messages. */
export function aboutOf(sources: Iterable<About>): About | undefined {
  let extensions: readonly string[] | undefined;
  let metadata: JsonObject | undefined;
  for (const source of sources) {
    if (source.extensions?.length) extensions = [...new Set([...(extensions ?? []), ...source.extensions])];
    if (source.metadata) metadata = { ...metadata, ...source.metadata };
  }
  return extensions || metadata ? { extensions, metadata } : undefined;
}

/** The caller's messages; under the rule that shows the latest one in the status, it is there. */
export function turnOf({ history, status }: Task): number {
  const isUsers = (message: Message | undefined) => message?.role === 'user';
  return Math.max(1, history.filter(isUsers).length + (isUsers(status.message) ? 1 : 0));
}

/** The same for the parts of an answer that still grows and for the answer itself. */
function answerId({ id, turn }: Answered): string {
  return `resp-${id}-${turn}`;
}

/**
 * The agent's reply by now, as one message: the artifacts, and then the agent's words about its end or its question. While
 * the agent works, it is the reply so far or else the status message; of a task that failed, the reason.
 */
export function answerOf(answered: Answered): Message | undefined {
  const { status, parts } = answered;
  const said = saidIn(status);
  const aboutState = statusMessage(answered);
  if (status.state === 'completed' || isInterrupted(status.state)) {
    const all = said && !repeats(said, parts) ? [...parts, ...said.parts] : parts;
    if (all.length === 0) return undefined;
    const answer = answerMessage(answered, all, said);
    // JAF has one message for both: this tells what was written from what is asked.
    const written = isInterrupted(status.state) && all.length > parts.length ? parts.length : 0;
    return written > 0
      ? { ...answer, metadata: withNotes(answer.metadata, { ...notesOf(answer.metadata), written }) }
      : answer;
  }
  if (status.state === 'submitted' || status.state === 'working') {
    if (parts.length === 0) return aboutState;
    const partial = partialAnswer(answered);
    return { ...partial, metadata: withNotes(partial.metadata, { partial: true }) };
  }
  return aboutState ?? (parts.length > 0 ? answerMessage(answered, parts, undefined) : undefined);
}

/** The answer so far. */
export function partialAnswer(answered: Answered): Message {
  return answerMessage(answered, answered.parts, undefined);
}

function answerMessage(answered: Answered, parts: readonly Part[], said: Message | undefined): Message {
  const { contextId, status } = answered;
  const about = aboutOf([answered.about ?? {}, said ?? {}]);
  return {
    messageId: answerId(answered),
    role: 'agent',
    parts,
    contextId,
    extensions: about?.extensions,
    metadata: stateNoted(about, status.state),
  };
}

/** The agent's own message about the state, with its context. */
export function statusMessage({ contextId, status }: Answered): Message | undefined {
  const said = saidIn(status);
  return said && { ...said, contextId, metadata: stateNoted(said, status.state) };
}

function stateNoted(said: About | undefined, state: TaskState): Message['metadata'] {
  const metadata = said?.metadata;
  if (!UNNAMED_STATES.includes(state)) return metadata;
  return withNotes(withoutNotes(metadata), { ...notesOf(metadata), state });
}

/** The status of a task may show the caller's latest message instead of the agent's. */
export function saidIn({ message }: TaskStatus): Message | undefined {
  return message?.role === 'agent' ? message : undefined;
}

/** Agents that tell their result once more when they are done say nothing new. */
function repeats(said: Message, parts: readonly Part[]): boolean {
  if (!said.parts.every(isPlainText)) return false;
  const text = textOf(said.parts).trim();
  return text === '' || text === textOf(parts).trim();
}

/** An artifact's parts; neighbouring plain texts are one. */
export function partsOf({ parts }: Artifact): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) addPart(joined, part);
  return joined;
}

/** Adds a part, or lengthens the last one where both are plain text. An empty text says nothing: it may end an artifact. */
export function addPart(parts: Part[], part: Part): void {
  if (isPlainText(part) && part.text === '') return;
  const last = parts.at(-1);
  if (isPlainText(last) && isPlainText(part)) parts[parts.length - 1] = { ...last, text: last.text + part.text };
  else parts.push(part);
}

function isPlainText(part: Part | undefined): part is Part & { readonly kind: 'text' } {
  return part?.kind === 'text' && !part.mediaType && !part.filename && !part.metadata;
}
