import { isPlainObject, type Plain } from './plain.ts';

/** What a side of a conversation saw, in one form for both versions and all kits. */
export type SeenPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly hex: string; readonly mediaType: string; readonly filename: string }
  | { readonly kind: 'link'; readonly url: string; readonly mediaType: string; readonly filename: string }
  | { readonly kind: 'data'; readonly data: unknown };

export interface SeenTask {
  readonly kind: 'task';
  readonly id: string;
  readonly contextId: string;
  readonly state: string;
  /** The text of the status message. */
  readonly said: string;
  /** The parts of all artifacts. */
  readonly parts: readonly SeenPart[];
  /** The texts of the messages, oldest first. */
  readonly history: readonly string[];
}

export interface SeenMessage {
  readonly kind: 'message';
  readonly text: string;
}

export interface SeenStatus {
  readonly kind: 'status';
  readonly taskId: string;
  readonly state: string;
  readonly said: string;
}

export interface SeenArtifact {
  readonly kind: 'artifact';
  readonly taskId: string;
  readonly append: boolean;
  readonly parts: readonly SeenPart[];
}

export type SeenEvent = SeenTask | SeenMessage | SeenStatus | SeenArtifact;

/** Reads what a kit printed with its own writer: 1.0 wraps events in a member, 0.3 tells them by `kind`. */
export function seenEvent(value: unknown): SeenEvent {
  const event = objectOf(value);
  if (event.task) return seenTask(event.task);
  if (event.statusUpdate ?? event.kind === 'status-update') return seenStatus(objectOf(event.statusUpdate ?? event));
  if (event.artifactUpdate ?? event.kind === 'artifact-update') return seenArtifact(event.artifactUpdate ?? event);
  if (event.message && !event.status) return { kind: 'message', text: textOf(partsOf(event.message)) };
  if (event.kind === 'message') return { kind: 'message', text: textOf(partsOf(event)) };
  return seenTask(event);
}

export function seenTask(value: unknown): SeenTask {
  const task = objectOf(value);
  const { state, said } = statusOf(task.status);
  return {
    kind: 'task',
    id: String(task.id),
    contextId: String(task.contextId),
    state,
    said,
    parts: listOf(task.artifacts).flatMap(partsOf),
    history: listOf(task.history).map((message) => textOf(partsOf(message))),
  };
}

export function textOf(parts: readonly SeenPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

function seenStatus(update: Plain): SeenStatus {
  return { kind: 'status', taskId: String(update.taskId), ...statusOf(update.status) };
}

function seenArtifact(value: unknown): SeenArtifact {
  const update = objectOf(value);
  const { taskId, artifact, append } = update;
  return { kind: 'artifact', taskId: String(taskId), append: append === true, parts: partsOf(artifact) };
}

function statusOf(value: unknown): { readonly state: string; readonly said: string } {
  const { state, message } = objectOf(value);
  const name = String(state).replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
  return { state: name, said: message ? textOf(partsOf(message)) : '' };
}

function partsOf(holder: unknown): SeenPart[] {
  return listOf(objectOf(holder).parts).map(partOf);
}

function partOf(value: unknown): SeenPart {
  const part = objectOf(value);
  const file = isPlainObject(part.file) ? part.file : {};
  const attributes = {
    mediaType: wordsOf(part.mediaType ?? file.mimeType),
    filename: wordsOf(part.filename ?? file.name),
  };
  const bytes = part.raw ?? file.bytes;
  if (typeof bytes === 'string') return { kind: 'bytes', hex: hexOf(bytes), ...attributes };
  const url = part.url ?? file.uri;
  if (typeof url === 'string') return { kind: 'link', url, ...attributes };
  if (typeof part.text === 'string') return { kind: 'text', text: part.text };
  return { kind: 'data', data: part.data };
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function hexOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

function objectOf(value: unknown): Plain {
  if (!isPlainObject(value)) throw new Error(`The peer printed ${JSON.stringify(value)} where an object should be`);
  return value;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
