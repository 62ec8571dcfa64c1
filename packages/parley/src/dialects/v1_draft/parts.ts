import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import type { BytesPart, LinkPart, Part } from '../../model/task.ts';
import type { Members, OneofMember } from '../wire/members.ts';
import { splitUnnamed, type Unnamed, withUnnamed } from './unnamed.ts';

interface WireFile {
  fileWithUri?: { uri: string; mimeType?: string };
  fileWithBytes?: { bytes: string; mimeType?: string };
  mediaType?: string;
}

/** Exactly one of the three; there is no discriminator (seed S2, Part Types). */
export interface WirePart {
  text?: string;
  file?: WireFile;
  data?: { data: JsonValue };
  metadata?: JsonObject;
}

const CONTENT: readonly OneofMember<'text' | 'file' | 'data'>[] = [
  { name: 'text' },
  { name: 'file' },
  { name: 'data' },
];
const FILE_CONTENT: readonly OneofMember<'fileWithUri' | 'fileWithBytes'>[] = [
  { name: 'fileWithUri' },
  { name: 'fileWithBytes' },
];

/** Stands in for a file that could not be read. */
const NO_FILE: BytesPart = { kind: 'bytes', bytes: '' };

export function encodePart(part: Part): WirePart {
  switch (part.kind) {
    case 'text':
      return withMetadata({ text: part.text }, withUnnamed(part.metadata, part));
    case 'data':
      return withMetadata({ data: { data: part.data } }, withUnnamed(part.metadata, part));
    case 'bytes':
    case 'link': {
      const { metadata, mimeType = part.mediaType } = splitUnnamed(part.metadata);
      const { filename } = part;
      return withMetadata({ file: encodeFile(part, mimeType) }, withUnnamed(metadata, { filename }));
    }
  }
}

export function readPart(members: Members): Part {
  const unnamed = splitUnnamed(members.struct('metadata'));
  const { mediaType, filename, metadata } = unnamed;
  switch (members.oneof(CONTENT)) {
    case 'file':
      return members.requiredObject('file', undefined, (file) => readFile(file, filename, metadata), NO_FILE);
    case 'data':
      return {
        kind: 'data',
        data: members.requiredObject('data', undefined, readData, null),
        filename,
        mediaType,
        metadata,
      };
    case 'text':
    case undefined:
      return { kind: 'text', text: members.string('text', undefined, 'content') ?? '', filename, mediaType, metadata };
  }
}

/** A file's type stands in both places that the document has for it: readers look at either. */
function encodeFile(part: BytesPart | LinkPart, mimeType: string | undefined): WireFile {
  const type = mimeType ? { mimeType } : {};
  const file: WireFile =
    part.kind === 'link'
      ? { fileWithUri: { uri: part.url, ...type } }
      : { fileWithBytes: { bytes: part.bytes, ...type } };
  if (part.mediaType) file.mediaType = part.mediaType;
  return file;
}

function readFile(members: Members, filename: string | undefined, given: JsonObject | undefined): BytesPart | LinkPart {
  const outer = members.text('mediaType');
  const typed = (mimeType: string | undefined) => {
    const differs: Unnamed = outer && mimeType && outer !== mimeType ? { mimeType } : {};
    return { filename, mediaType: outer ?? mimeType, metadata: withUnnamed(given, differs) };
  };
  const readLink = (file: Members): LinkPart => ({
    kind: 'link',
    url: file.requiredText('uri', undefined, 'content'),
    ...typed(file.text('mimeType')),
  });
  const readBytes = (file: Members): BytesPart => ({
    kind: 'bytes',
    bytes: file.base64('bytes'),
    ...typed(file.text('mimeType')),
  });
  switch (members.oneof(FILE_CONTENT)) {
    case 'fileWithUri':
      return members.requiredObject<BytesPart | LinkPart>('fileWithUri', undefined, readLink, NO_FILE);
    case 'fileWithBytes':
      return members.requiredObject('fileWithBytes', undefined, readBytes, NO_FILE);
    case undefined:
      return NO_FILE;
  }
}

/** Any JSON value, `null` included, but there must be one. */
function readData(members: Members): JsonValue {
  if (!members.names().includes('data')) members.reject('data', 'is required');
  return members.json('data');
}

function withMetadata(wire: WirePart, metadata: JsonObject | undefined): WirePart {
  if (metadata !== undefined) wire.metadata = metadata;
  return wire;
}
