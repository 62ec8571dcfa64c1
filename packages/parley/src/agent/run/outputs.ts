import type { ChunkDraft, MessageDraft } from '../../engine/turn/runner.ts';
import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { Part, PartAttributes } from '../../model/task.ts';
import type { MessageContent } from '../outcomes.ts';
import type { AgentResult } from '../result.ts';
import type { ArtifactOptions, Chunk, Output } from '../task-context.ts';
import type { UpdateOutput } from './update-outputs.ts';

/**
 * Checks and detaches the output of agents: an agent may be plain JavaScript, may pass values that JSON cannot carry,
 * and may change an object after writing it. Output that passes here cannot break a commit or a reply.
 */
function invalid(problem: string, cause?: unknown): A2AError {
  return new A2AError('INVALID_AGENT_RESPONSE', `The agent's output is not valid: ${problem}`, { cause });
}

function detached(value: unknown, what: string): JsonValue {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw invalid(`${what} cannot be written as JSON`, cause);
  }
  if (text === undefined) throw invalid(`${what} cannot be written as JSON`);
  return JSON.parse(text);
}

export function metadataOf(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isPlainObject(value)) throw invalid('metadata must be an object');
  return detached(value, 'metadata') as JsonObject;
}

/** A step's result as it will be read from the journal, so that a first run sees the same as a resumed one. */
export function stepResult(value: unknown, name: string): JsonValue | undefined {
  return value === undefined ? undefined : detached(value, `the result of step "${name}"`);
}

/** A value that a context is to keep, as it will be read. */
export function storedValue(value: unknown, key: string): JsonValue {
  return detached(value, `the value of "${key}"`);
}

function stringsOf(value: unknown, what: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
    throw invalid(`${what} must be a list of strings`);
  }
  return [...value];
}

function stringOf(value: unknown, what: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(`${what} must be a string`);
  return value;
}

/** Undefined where none is given. */
export function checkedId(value: unknown): string | undefined {
  return stringOf(value, 'artifactId');
}

/** One class and no groups: a repeated group takes stack for each turn, and a file of a few megabytes overflows it. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function isBase64(value: unknown): value is string {
  return typeof value === 'string' && value.length % 4 === 0 && BASE64.test(value);
}

function attributesOf(part: Record<string, unknown>): PartAttributes {
  const mediaType = stringOf(part.mediaType, 'mediaType');
  const filename = stringOf(part.filename, 'filename');
  return { mediaType, filename, metadata: metadataOf(part.metadata) };
}

export function checkedPart(part: unknown): Part {
  if (typeof part === 'string') return { kind: 'text', text: part };
  if (!isPlainObject(part)) throw invalid('a part must be an object; use text(), bytes(), link() or json()');
  switch (part.kind) {
    case 'text':
      if (typeof part.text !== 'string') throw invalid('a text part needs a string');
      return { kind: 'text', text: part.text, ...attributesOf(part) };
    case 'bytes':
      if (!isBase64(part.bytes)) throw invalid('a bytes part needs base64 text; use bytes()');
      return { kind: 'bytes', bytes: part.bytes, ...attributesOf(part) };
    case 'link':
      if (typeof part.url !== 'string' || part.url === '') throw invalid('a link part needs a url');
      return { kind: 'link', url: part.url, ...attributesOf(part) };
    case 'data':
      return { kind: 'data', data: detached(part.data, 'data'), ...attributesOf(part) };
    default:
      throw invalid(`a part of kind ${JSON.stringify(part.kind)} is not known; use text(), bytes(), link() or json()`);
  }
}

/** Text, one part or a list of parts. Empty text and an empty list are nothing. */
function checkedParts(content: unknown): readonly Part[] {
  if (content === '') return [];
  if (Array.isArray(content)) return content.map(checkedPart);
  return [checkedPart(content)];
}

export function messageDraft(content: MessageContent): MessageDraft {
  if (isPlainObject(content) && !('kind' in content) && 'parts' in content) {
    const { messageId, parts, metadata, extensions, referenceTaskIds } = content;
    return {
      messageId: stringOf(messageId, 'messageId'),
      parts: atLeastOnePart(checkedParts(parts)),
      metadata: metadataOf(metadata),
      extensions: stringsOf(extensions, 'extensions'),
      referenceTaskIds: stringsOf(referenceTaskIds, 'referenceTaskIds'),
    };
  }
  return { parts: atLeastOnePart(checkedParts(content)) };
}

/** Fills an empty message with an empty text: a message has at least one part. */
function atLeastOnePart(parts: readonly Part[]): readonly Part[] {
  return parts.length > 0 ? parts : [{ kind: 'text', text: '' }];
}

function isChunk(output: unknown): output is Chunk {
  return isPlainObject(output) && output.kind === 'chunk';
}

/** Undefined where there is nothing to write. */
export function chunkDraft(
  output: Exclude<Output, AgentResult | UpdateOutput>,
  fallback: ArtifactOptions & { readonly artifactId: string },
): ChunkDraft | undefined {
  if (output === '') return undefined;
  if (typeof output === 'string') {
    return { ...artifactHead(fallback), parts: [{ kind: 'text', text: output }], streamed: true };
  }
  if (!isChunk(output)) {
    const parts = checkedParts(output);
    return parts.length === 0 ? undefined : { ...artifactHead(fallback), parts, streamed: false };
  }
  const parts = checkedParts(output.parts);
  if (parts.length === 0) throw invalid('a chunk needs at least one part');
  const { append, lastChunk } = output;
  const artifactId = checkedId(output.artifactId) ?? fallback.artifactId;
  return { ...artifactHead({ ...output, artifactId }), parts, append, lastChunk, amends: true, streamed: false };
}

function artifactHead(
  options: ArtifactOptions & { readonly artifactId: string },
): Omit<ChunkDraft, 'parts' | 'streamed'> {
  return {
    artifactId: options.artifactId,
    name: stringOf(options.name, 'name'),
    description: stringOf(options.description, 'description'),
    extensions: stringsOf(options.extensions, 'extensions'),
    metadata: metadataOf(options.metadata),
  };
}
