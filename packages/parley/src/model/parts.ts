import type { OwnBytes } from './basics/bytes.ts';
import { isList, type JsonValue } from './basics/json.ts';
import { SKILLS_EXTENSION, type WithOutput } from './extensions/skills.ts';
import { isReasoning } from './reasoning.ts';
import type { Artifact, BytesPart, DataPart, LinkPart, Message, Part, PartAttributes, Task, TextPart } from './task.ts';

/** A text part. `text('<b>hi</b>', { mediaType: 'text/html' })` */
export function text(content: string, attributes?: PartAttributes): TextPart {
  return { kind: 'text', text: content, ...attributes };
}

/** An inline file: bytes as they are, or a string that is stored as UTF-8. */
export function bytes(content: Uint8Array | ArrayBuffer | string, attributes?: PartAttributes): BytesPart {
  return { kind: 'bytes', bytes: toBase64(toUint8Array(content)), ...attributes };
}

/** A file that lives at an address. */
export function link(url: string | URL, attributes?: PartAttributes): LinkPart {
  return { kind: 'link', url: String(url), ...attributes };
}

/** A data part: any JSON value. */
export function json(value: JsonValue, attributes?: PartAttributes): DataPart {
  return { kind: 'data', data: value, ...attributes };
}

/**
 * The text of whatever holds text. Of a task: its artifacts' text, without that of one named `reasoning`, or where it has
 * none its status message's.
 * Text parts of one message or artifact are joined as they stand; artifacts are separated by a blank line.
 */
export function textOf(source: string | Part | readonly Part[] | Message | Artifact | Task): string {
  if (typeof source === 'string') return source;
  if (isList(source)) return source.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  if ('kind' in source) return source.kind === 'text' ? source.text : '';
  if ('status' in source) {
    const results = source.artifacts
      .map((artifact) => (isReasoning(artifact) ? '' : textOf(artifact.parts)))
      .filter(Boolean);
    if (results.length > 0) return results.join('\n\n');
    return source.status.message ? textOf(source.status.message.parts) : '';
  }
  return textOf(source.parts);
}

/**
 * The data of whatever holds data, undefined if there is none: the last data part counts. Of a task: its artifacts'
 * data, those first that a skill has declared as its result, or where they have none its status message's. Typed where
 * the skill that was called has a schema for its output.
 */
export function dataOf<Output = JsonValue>(
  source: Part | readonly Part[] | Artifact | ((Message | Task) & WithOutput<Output>),
): Output | undefined {
  return dataPartOf(source)?.data as Output | undefined;
}

/** The part that `dataOf` reads. */
export function dataPartOf(source: Part | readonly Part[] | Message | Artifact | Task): DataPart | undefined {
  if (isList(source)) return source.findLast((part): part is DataPart => part.kind === 'data');
  if ('kind' in source) return source.kind === 'data' ? source : undefined;
  if (!('status' in source)) return dataPartOf(source.parts);
  const { artifacts, status } = source;
  const declared = artifacts.filter(({ extensions }) => extensions?.includes(SKILLS_EXTENSION));
  const results = declared.length > 0 ? declared : artifacts;
  return dataPartOf(results.flatMap(({ parts }) => parts)) ?? dataPartOf(status.message?.parts ?? []);
}

/** The text, where there is one text part that has nothing beside it. */
export function bareTextOf(parts: readonly Part[]): string | undefined {
  const part = parts.length === 1 ? parts[0] : undefined;
  if (part?.kind !== 'text' || part.mediaType !== undefined || part.filename !== undefined || part.metadata) {
    return undefined;
  }
  return part.text;
}

/** The content of an inline file part. */
export function bytesOf(part: BytesPart): OwnBytes {
  const binary = atob(part.bytes);
  const content = new Uint8Array(binary.length);
  // Without an iterator, which takes seconds for a film.
  for (let place = 0; place < binary.length; place += 1) content[place] = binary.charCodeAt(place);
  return content;
}

function toUint8Array(content: Uint8Array | ArrayBuffer | string): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

const BINARY_STRING_CHUNK = 0x8000;

function toBase64(content: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < content.length; start += BINARY_STRING_CHUNK) {
    binary += String.fromCharCode(...content.subarray(start, start + BINARY_STRING_CHUNK));
  }
  return btoa(binary);
}
