import type { JsonObject } from '../../../model/basics/json.ts';
import type { BytesPart, LinkPart, Part as ModelPart } from '../../../model/task.ts';
import type { Members, OneofMember } from '../../wire/members.ts';
import { unwrapData, wrapData } from '../task/data.ts';
import { NO_FILE, NO_PART, readPart as readOfficialPart, requiredString, requiredStruct } from '../task/parts.ts';
import type { FilePart, Part } from './types.ts';

const TYPES = ['text', 'file', 'data'] as const;
const FILE_CONTENT: readonly OneofMember<'uri' | 'bytes' | 'data'>[] = [
  { name: 'uri' },
  { name: 'bytes' },
  { name: 'data' },
];

/** The default media type of data. */
const JSON_TYPE = 'application/json';

export function encodePart(part: ModelPart): Part {
  switch (part.kind) {
    case 'text':
      return withMetadata({ type: 'text', text: part.text }, part.metadata);
    case 'bytes':
    case 'link':
      return withMetadata(encodeFile(part), part.metadata);
    case 'data': {
      const { data, metadata } = wrapData(part);
      return withMetadata({ type: 'data', mimeType: part.mediaType ?? JSON_TYPE, data }, metadata);
    }
  }
}

/** Parts with `kind` are those of 0.3; without either word the content tells. */
export function readPart(members: Members): ModelPart {
  if (!members.has('type')) return members.has('uri', 'bytes') ? readFile(members) : readOfficialPart(members);
  const metadata = members.struct('metadata');
  switch (readType(members)) {
    case 'text':
      return { kind: 'text', text: requiredString(members, 'text'), metadata };
    case 'file':
      return members.has('file') ? members.requiredObject('file', undefined, readFile, NO_FILE) : readFile(members);
    case 'data':
      return { ...unwrapData(requiredStruct(members, 'data'), metadata), mediaType: members.text('mimeType') };
    case undefined:
      return NO_PART;
  }
}

function readType(members: Members): (typeof TYPES)[number] | undefined {
  const type = members.value('type');
  const known = TYPES.find((name) => name === type);
  if (known === undefined) members.reject('type', `must be one of ${TYPES.join(', ')}`);
  return known;
}

function encodeFile(part: BytesPart | LinkPart): FilePart {
  const wire: FilePart = part.kind === 'bytes' ? { type: 'file', bytes: part.bytes } : { type: 'file', uri: part.url };
  if (part.mediaType) wire.mimeType = part.mediaType;
  if (part.filename) wire.name = part.filename;
  return wire;
}

/** The document spells only `uri`; content inside of the part may be called `bytes` or `data`. */
function readFile(members: Members): BytesPart | LinkPart {
  const attributes = {
    mediaType: members.text('mimeType'),
    filename: members.text('name'),
    metadata: members.struct('metadata'),
  };
  const content = members.oneof(FILE_CONTENT);
  if (content === undefined) return NO_FILE;
  if (content === 'uri') return { kind: 'link', url: members.requiredText('uri', undefined, 'content'), ...attributes };
  return { kind: 'bytes', bytes: members.base64(content), ...attributes };
}

function withMetadata(wire: Part, metadata: JsonObject | undefined): Part {
  if (metadata !== undefined) wire.metadata = metadata;
  return wire;
}
