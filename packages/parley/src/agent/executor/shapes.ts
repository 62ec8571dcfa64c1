import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { bytes, json, link, text } from '../../model/parts.ts';
import { type KnownState, TASK_STATES } from '../../model/states.ts';
import type { Artifact, Part, PartAttributes } from '../../model/task.ts';
import type { MessageContent } from '../outcomes.ts';

/**
 * Reads the objects that executors publish. Those of the SDK's 1.x are the protobuf's (numbers for states, parts with a
 * `content` of some `$case`, '' and [] for what is not given), those of 0.3 its JSON (names, a `kind` on everything).
 */
export type Shape = Readonly<Record<string, unknown>>;

/** A message that was published. */
export interface Said {
  readonly messageId: string | undefined;
  readonly isUsers: boolean;
  readonly parts: readonly Part[];
  readonly metadata: JsonObject | undefined;
  readonly extensions: readonly string[] | undefined;
  readonly referenceTaskIds: readonly string[] | undefined;
}

export function invalid(problem: string): A2AError {
  return new A2AError('INVALID_AGENT_RESPONSE', `What was published is not valid: ${problem}`);
}

export function shapeOf(value: unknown, what: string): Shape {
  if (isPlainObject(value)) return value;
  throw invalid(`${what} must be an object`);
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function stringsOf(value: unknown): readonly string[] | undefined {
  const strings = listOf(value).filter((item) => typeof item === 'string');
  return strings.length > 0 ? strings : undefined;
}

/** Undefined where it says nothing. */
export function metadataOf(value: unknown): JsonObject | undefined {
  return isPlainObject(value) && Object.keys(value).length > 0 ? (value as JsonObject) : undefined;
}

/** Undefined where it is unspecified or unknown. */
export function stateOf(value: unknown): KnownState | undefined {
  if (typeof value === 'number') return TASK_STATES[value - 1];
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase().replace('task_state_', '').replaceAll('_', '-');
  return OTHER_NAMES.get(name) ?? TASK_STATES.find((state) => state === name);
}

/** Spellings of other documents (seeds S0.21, S1.4). */
const OTHER_NAMES: ReadonlyMap<string, KnownState> = new Map([
  ['cancelled', 'canceled'],
  ['started', 'submitted'],
]);

export function messageOf(value: unknown): Said {
  const said = shapeOf(value, 'a message');
  const { messageId, role, parts, metadata, extensions, referenceTaskIds, inputRequest } = said;
  return {
    messageId: stringOf(messageId),
    isUsers: role === 1 || role === 'user' || role === 'ROLE_USER',
    parts: listOf(parts).map(partOf),
    // In the seed S0.7, a request for input is a member of its own.
    metadata: metadataOf(isPlainObject(inputRequest) ? { ...metadataOf(metadata), inputRequest } : metadata),
    extensions: stringsOf(extensions),
    referenceTaskIds: stringsOf(referenceTaskIds),
  };
}

/** As outcomes and statuses take it. */
export function contentOf({ messageId, parts, metadata, extensions, referenceTaskIds }: Said): MessageContent {
  return { messageId, parts, metadata, extensions, referenceTaskIds };
}

export function artifactOf(value: unknown): Artifact {
  const { artifactId, name, description, parts, extensions, metadata } = shapeOf(value, 'an artifact');
  const id = stringOf(artifactId);
  if (id === undefined) throw invalid('an artifact needs an artifactId');
  return {
    artifactId: id,
    name: stringOf(name),
    description: stringOf(description),
    parts: listOf(parts).map(partOf),
    extensions: stringsOf(extensions),
    metadata: metadataOf(metadata),
  };
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw invalid('a part needs its text or address as a string');
}

function partOf(value: unknown): Part {
  const part = shapeOf(value, 'a part');
  if (isPlainObject(part.content)) return partOfContent(part.content, part);
  const attributes: PartAttributes = { metadata: metadataOf(part.metadata) };
  switch (part.kind) {
    case 'text':
      return text(wordsOf(part.text), attributes);
    case 'data':
      return json(part.data as JsonValue, attributes);
    case 'file':
      return fileOf(shapeOf(part.file, 'the file of a part'), attributes);
    case 'tool-use':
    case 'tool-result':
      return toolPartOf(part, attributes);
    default:
      throw invalid(`a part of kind ${JSON.stringify(part.kind)} is not known`);
  }
}

/** A tool to run or what came of it: data in the model (seed S0.7). */
function toolPartOf(part: Shape, attributes: PartAttributes): Part {
  const members = Object.entries(part).filter(([name]) => name !== 'metadata');
  return json(Object.fromEntries(members) as JsonObject, attributes);
}

function partOfContent({ $case, value }: Shape, part: Shape): Part {
  const attributes: PartAttributes = {
    mediaType: stringOf(part.mediaType),
    filename: stringOf(part.filename),
    metadata: metadataOf(part.metadata),
  };
  switch ($case) {
    case 'text':
      return text(wordsOf(value), attributes);
    case 'raw':
      return rawOf(value, attributes);
    case 'url':
      return link(wordsOf(value), attributes);
    case 'data':
      return json((value ?? null) as JsonValue, attributes);
    default:
      throw invalid(`a part with a content of ${JSON.stringify($case)} is not known`);
  }
}

function fileOf(file: Shape, { metadata }: PartAttributes): Part {
  const attributes = { mediaType: stringOf(file.mimeType), filename: stringOf(file.name), metadata };
  return typeof file.uri === 'string' ? link(file.uri, attributes) : rawOf(file.bytes, attributes);
}

/** Bytes as they are, or in base64. */
function rawOf(value: unknown, attributes: PartAttributes): Part {
  if (typeof value === 'string') return { kind: 'bytes', bytes: value, ...attributes };
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return bytes(value, attributes);
  throw invalid('a file needs bytes or an address');
}
