import type { JsonObject } from '../../../model/basics/json.ts';
import type { BytesPart, LinkPart, Part } from '../../../model/task.ts';
import type { Members, OneofMember } from '../../wire/members.ts';
import { unwrapData, wrapData } from './data.ts';

interface WireTextPart {
  kind: 'text';
  text: string;
  metadata?: JsonObject;
}

/** Exactly one of `bytes` and `uri`. */
interface WireFile {
  bytes?: string;
  uri?: string;
  mimeType?: string;
  name?: string;
}

interface WireFilePart {
  kind: 'file';
  file: WireFile;
  metadata?: JsonObject;
}

interface WireDataPart {
  kind: 'data';
  data: JsonObject;
  metadata?: JsonObject;
}

/** reference: v03 §3. Only files have a media type and a name; those of text and data are lost (mapping §13). */
export type WirePart = WireTextPart | WireFilePart | WireDataPart;

const KINDS: readonly OneofMember<'text' | 'file' | 'data'>[] = [{ name: 'text' }, { name: 'file' }, { name: 'data' }];
const FILE_CONTENT = [{ name: 'bytes' }, { name: 'uri' }] as const;

/** Stand in for what could not be read. */
export const NO_PART: Part = { kind: 'text', text: '' };
export const NO_FILE: BytesPart = { kind: 'bytes', bytes: '' };

export function encodePart(part: Part): WirePart {
  switch (part.kind) {
    case 'text':
      return withMetadata<WirePart>({ kind: 'text', text: part.text }, part.metadata);
    case 'bytes':
    case 'link':
      return withMetadata<WirePart>({ kind: 'file', file: encodeFile(part) }, part.metadata);
    case 'data': {
      const { data, metadata } = wrapData(part);
      return withMetadata<WirePart>({ kind: 'data', data }, metadata);
    }
  }
}

export function readPart(members: Members): Part {
  const metadata = members.struct('metadata');
  switch (readKind(members)) {
    case 'text':
      return { kind: 'text', text: requiredString(members, 'text'), metadata };
    case 'file':
      return members.requiredObject('file', undefined, (file) => readFile(file, metadata), NO_FILE);
    case 'data':
      return unwrapData(requiredStruct(members, 'data'), metadata);
    case undefined:
      return NO_PART;
  }
}

/** A text that must be there but may be empty. */
export function requiredString(members: Members, name: string): string {
  return members.value(name) === '' ? '' : members.requiredText(name, undefined, 'content');
}

export function requiredStruct(members: Members, name: string): JsonObject {
  if (members.value(name) === undefined) members.reject(name, 'is required');
  return members.struct(name) ?? {};
}

/** Adds the metadata, in its place at the end, where there is any. */
export function withMetadata<Wire extends { metadata?: JsonObject }>(
  wire: Wire,
  metadata: JsonObject | undefined,
): Wire {
  if (metadata !== undefined) wire.metadata = metadata;
  return wire;
}

/** Adds a file's media type and name. */
export function withAttributes<Wire extends { mimeType?: string; name?: string }>(
  wire: Wire,
  { mediaType, filename }: BytesPart | LinkPart,
): Wire {
  if (mediaType) wire.mimeType = mediaType;
  if (filename) wire.name = filename;
  return wire;
}

/** A part without `kind` is what its content says, as readers in use take it. */
export function readKind(members: Members): 'text' | 'file' | 'data' | undefined {
  const kind = members.value('kind');
  if (kind === undefined) return members.oneof(KINDS);
  const known = KINDS.find(({ name }) => name === kind);
  if (known === undefined) members.reject('kind', `must be one of ${KINDS.map(({ name }) => name).join(', ')}`);
  return known?.name;
}

function encodeFile(part: BytesPart | LinkPart): WireFile {
  return withAttributes<WireFile>(part.kind === 'bytes' ? { bytes: part.bytes } : { uri: part.url }, part);
}

/** @param content the members that have the bytes and the address */
export function readFile(
  members: Members,
  metadata: JsonObject | undefined,
  content: readonly [OneofMember<string>, OneofMember<string>] = FILE_CONTENT,
  decode = (bytes: string) => bytes,
): BytesPart | LinkPart {
  const attributes = { filename: members.text('name'), mediaType: members.text('mimeType', 'mime_type'), metadata };
  const [{ name: bytesName, snakeName: bytesSnakeName }, { name: urlName, snakeName: urlSnakeName }] = content;
  const name = members.oneof(content);
  if (name === bytesName)
    return { kind: 'bytes', bytes: decode(members.base64(bytesName, bytesSnakeName)), ...attributes };
  if (name === urlName)
    return { kind: 'link', url: members.requiredText(urlName, urlSnakeName, 'content'), ...attributes };
  return NO_FILE;
}
