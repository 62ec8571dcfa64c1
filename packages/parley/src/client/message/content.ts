import { decodePart } from '../../dialects/wire-part.ts';
import { isList, isPlainObject, type JsonObject } from '../../model/basics/json.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';
import type { Priority, PushConfig, SendInput } from '../../model/operations.ts';
import { bytes, text } from '../../model/parts.ts';
import type { Message, Part, Role } from '../../model/task.ts';
import { newMessageId } from './message-id.ts';

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

/** Content of a send: a text, a file, a part, several of them, a message, or a message with its configuration. */
export type Content = Piece | readonly Piece[] | MessageInput | SendParams;

/** A message with what goes with it, as the protocol's own parameters of a send are. */
export interface SendParams {
  readonly message: MessageInput | string;
  readonly configuration?: SendConfiguration | undefined;
  /** Metadata of the request. */
  readonly metadata?: JsonObject | undefined;
}

export interface SendConfiguration {
  /** Media types that the output may have. */
  readonly acceptedOutputModes?: readonly string[] | undefined;
  /** The most messages of the history in the response. */
  readonly historyLength?: number | undefined;
  /** Returns as soon as there is a task, instead of waiting for the end of the turn. */
  readonly returnImmediately?: boolean | undefined;
  /** The opposite of `returnImmediately`, as in 0.3. */
  readonly blocking?: boolean | undefined;
  /** A webhook for the task, from its first event on. */
  readonly pushConfig?: PushConfig | undefined;
  /** Milliseconds that the agent may take. Only the protocols `jaf` and `cogitator` carry it. */
  readonly timeout?: number | undefined;
  /** Model turns that the agent may take. Only the protocol `jaf` (Juspay Agent Framework) carries it. */
  readonly maxTurns?: number | undefined;
  /** The priority of the run. Only the protocol `jaf` carries it. */
  readonly priority?: Priority | undefined;
}

/** A `timeout` beside the content is that of the call (`CallOptions`), and not the agent's. */
export interface SendSettings extends Omit<SendConfiguration, 'timeout'> {
  /** The id of a message that has none. Default: a new id. */
  readonly messageId?: string | undefined;
  /** Continues this conversation. */
  readonly contextId?: string | undefined;
  /** Continues this task. */
  readonly taskId?: string | undefined;
  /** The skill to use, by its id. */
  readonly skill?: string | undefined;
  /** Metadata of the request. */
  readonly metadata?: JsonObject | undefined;
  /** Metadata of the message. */
  readonly messageMetadata?: JsonObject | undefined;
  /** Earlier tasks that the message refers to. */
  readonly referenceTaskIds?: readonly string[] | undefined;
}

interface KeyedSettings extends SendSettings {
  readonly idempotencyKey?: string | undefined;
}

/** The input of a send. Settings beside the content win over what the content says. */
export async function sendInput(content: Content, settings: KeyedSettings): Promise<Omit<SendInput, 'tenant'>> {
  const { message, configuration, metadata } = split(content);
  refuseWireNames({ ...configuration, ...settings });
  const chosen = <Name extends keyof SendSettings & keyof SendConfiguration>(name: Name) =>
    settings[name] ?? configuration?.[name];
  return {
    message: await toMessage(message, settings),
    acceptedOutputModes: chosen('acceptedOutputModes') ?? [],
    returnImmediately: chosen('returnImmediately') ?? chosen('blocking') === false,
    historyLength: chosen('historyLength'),
    timeout: configuration?.timeout,
    pushConfig: chosen('pushConfig'),
    maxTurns: chosen('maxTurns'),
    priority: chosen('priority'),
    metadata: settings.metadata ?? metadata,
  };
}

interface Split extends Omit<SendParams, 'message'> {
  readonly message: MessageInput;
}

function split(content: Content): Split {
  if (isList(content)) return { message: { parts: content } };
  const ofOne = { message: { parts: [content as Piece] } };
  if (typeof content === 'string' || isFile(content)) return ofOne;
  if (!isPlainObject(content)) throw unusable('must be a text, a part, a list of parts or a message');
  if ('parts' in content) return { message: content as MessageInput };
  if ('message' in content) {
    const { message, configuration, metadata } = content as SendParams;
    if (typeof message === 'string') return { message: { parts: [message] }, configuration, metadata };
    if (!isPlainObject(message)) throw unusable('has no message');
    return { message, configuration, metadata };
  }
  return ofOne;
}

/** Webhooks have another shape on each wire: one that would be overlooked is refused. */
function refuseWireNames(given: object): void {
  for (const name of ['pushNotificationConfig', 'taskPushNotificationConfig']) {
    if (name in given) throw unusable(`has ${name}, which is pushConfig here`);
  }
}

async function toMessage(input: MessageInput, settings: KeyedSettings): Promise<Message> {
  if (!Array.isArray(input.parts) || input.parts.length === 0) throw unusable('has no parts');
  const metadata = {
    ...input.metadata,
    ...settings.messageMetadata,
    ...(settings.skill && { skillId: settings.skill }),
  };
  return {
    // The same key stands for the same request, and its message's id is part of it.
    messageId: input.messageId ?? settings.messageId ?? settings.idempotencyKey ?? newMessageId(),
    role: roleOf(input.role),
    parts: await Promise.all(input.parts.map(toPart)),
    contextId: settings.contextId ?? input.contextId,
    taskId: settings.taskId ?? input.taskId,
    referenceTaskIds: settings.referenceTaskIds ?? input.referenceTaskIds,
    extensions: input.extensions,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
  };
}

const KINDS: ReadonlySet<unknown> = new Set<Part['kind']>(['text', 'bytes', 'link', 'data']);

/** A piece of a message as a part. */
export async function toPart(part: Piece): Promise<Part> {
  if (typeof part === 'string') return text(part);
  if (isFile(part)) {
    const filename = 'name' in part && typeof part.name === 'string' ? part.name : undefined;
    return bytes(await part.arrayBuffer(), { mediaType: part.type || undefined, filename });
  }
  const given: unknown = part;
  if (!isPlainObject(given)) throw unusable('has a part that is none');
  const { kind } = given;
  if (KINDS.has(kind)) return part;
  if (typeof kind !== 'string' || kind === 'file') return decodePart(given);
  throw unusable(`has a part of the unknown kind ${quoted(kind)}`);
}

/** As the model has it or as 1.0 writes it. */
function roleOf(role: unknown = 'user'): Role {
  const known = (['user', 'agent'] as const).find((one) => role === one || role === `ROLE_${one.toUpperCase()}`);
  if (known) return known;
  throw unusable(`has the unknown role ${quoted(String(role))}`);
}

function unusable(problem: string): A2AError {
  return new A2AError('INVALID_PARAMS', `What is to be sent ${problem}`);
}

function isFile(piece: object): piece is Blob {
  return typeof Blob !== 'undefined' && piece instanceof Blob;
}
