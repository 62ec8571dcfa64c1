import { A2AError } from '../model/errors.ts';
import type { JsonObject } from '../model/json.ts';
import type { PushConfig, SendInput } from '../model/operations.ts';
import { bytes, text } from '../model/parts.ts';
import type { Message, Part, Role } from '../model/task.ts';

/** A message as one writes it by hand: whatever is left out is made up for. */
export interface MessageInput {
  readonly parts: readonly Piece[];
  readonly messageId?: string | undefined;
  readonly role?: Role | undefined;
  readonly contextId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly referenceTaskIds?: readonly string[] | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** A text, a file as browsers have them, or a part. */
export type Piece = string | Blob | Part;

/** What may be sent: a text, a file, a part, several of them, a message, or a message with its configuration. */
export type Content =
  | Piece
  | readonly Piece[]
  | MessageInput
  | { readonly message: MessageInput | string; readonly configuration?: SendConfiguration | undefined };

export interface SendConfiguration {
  /** Media types that the answer may have. */
  readonly acceptedOutputModes?: readonly string[] | undefined;
  /** At most so many messages of the history in the answer. */
  readonly historyLength?: number | undefined;
  /** Answer as soon as there is a task instead of waiting for the end of the turn. */
  readonly returnImmediately?: boolean | undefined;
  /** The same the other way round, as 0.3 has it. */
  readonly blocking?: boolean | undefined;
  readonly pushConfig?: PushConfig | undefined;
}

export interface SendSettings extends SendConfiguration {
  /** Where the message has no id of its own; made up if left out. */
  readonly messageId?: string | undefined;
  /** Goes on with this conversation. */
  readonly contextId?: string | undefined;
  /** Goes on with this task. */
  readonly taskId?: string | undefined;
  /** The skill that is wanted, by its id. */
  readonly skill?: string | undefined;
  /** Metadata of the request. */
  readonly metadata?: JsonObject | undefined;
  /** Metadata of the message. */
  readonly messageMetadata?: JsonObject | undefined;
  readonly referenceTaskIds?: readonly string[] | undefined;
}

/** The input of a send. Settings beside the content win over what the content says. */
export async function sendInput(
  content: Content,
  settings: SendSettings,
  tenant: string,
  newId: () => string,
): Promise<SendInput> {
  const { message, configuration } = split(content);
  const merged: SendConfiguration = { ...configuration, ...defined(settings) };
  return {
    tenant,
    message: await toMessage(message, settings, newId),
    acceptedOutputModes: merged.acceptedOutputModes ?? [],
    returnImmediately: merged.returnImmediately ?? merged.blocking === false,
    historyLength: merged.historyLength,
    pushConfig: merged.pushConfig,
    metadata: settings.metadata,
  };
}

function split(content: Content): { readonly message: MessageInput; readonly configuration?: SendConfiguration } {
  if (typeof content === 'string') return { message: { parts: [content] } };
  if (isList(content)) return { message: { parts: content } };
  if (isFile(content)) return { message: { parts: [content] } };
  if ('parts' in content) return { message: content as MessageInput };
  if ('kind' in content) return { message: { parts: [content] } };
  if ('message' in content) {
    const { message, configuration = {} } = content;
    return { message: typeof message === 'string' ? { parts: [message] } : message, configuration };
  }
  throw unusable('is none of: a text, a part, a list of parts, a message');
}

async function toMessage(input: MessageInput, settings: SendSettings, newId: () => string): Promise<Message> {
  if (!Array.isArray(input.parts) || input.parts.length === 0) throw unusable('has no parts');
  const metadata = {
    ...input.metadata,
    ...settings.messageMetadata,
    ...(settings.skill && { skillId: settings.skill }),
  };
  return {
    messageId: input.messageId ?? settings.messageId ?? newId(),
    role: input.role ?? 'user',
    parts: await Promise.all(input.parts.map(toPart)),
    contextId: settings.contextId ?? input.contextId,
    taskId: settings.taskId ?? input.taskId,
    referenceTaskIds: settings.referenceTaskIds ?? input.referenceTaskIds,
    extensions: input.extensions,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
  };
}

const KINDS: ReadonlySet<string> = new Set<Part['kind']>(['text', 'bytes', 'link', 'data']);

async function toPart(part: Piece): Promise<Part> {
  if (typeof part === 'string') return text(part);
  if (isFile(part)) {
    const filename = 'name' in part && typeof part.name === 'string' ? part.name : undefined;
    return bytes(await part.arrayBuffer(), { mediaType: part.type || undefined, filename });
  }
  if (!KINDS.has(part?.kind)) throw unusable(`has a part of the unknown kind ${String(part?.kind)}`);
  return part;
}

function unusable(problem: string): A2AError {
  return new A2AError('INVALID_PARAMS', `What is to be sent ${problem}`);
}

function isFile(piece: object): piece is Blob {
  return typeof Blob !== 'undefined' && piece instanceof Blob;
}

function isList(content: object): content is readonly Piece[] {
  return Array.isArray(content);
}

function defined(settings: SendSettings): SendConfiguration {
  const { acceptedOutputModes, historyLength, returnImmediately, blocking, pushConfig } = settings;
  const all = { acceptedOutputModes, historyLength, returnImmediately, blocking, pushConfig };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
