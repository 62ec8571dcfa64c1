import { isPlainObject, type JsonObject, type JsonValue } from '../../../model/basics/json.ts';
import type { DataPart, Part, TextPart } from '../../../model/task.ts';
import {
  encodePart as encodeOtherPart,
  NO_PART,
  readPart as readOtherPart,
  requiredString,
} from '../../v0_3/task/parts.ts';
import type { Members } from '../../wire/members.ts';
import { notesOf, withNotes } from './notes.ts';

/** Text and data are JAF's own parts; files are written as 0.3 does, and unknown parts as they came (seed S1.11). */
export type WirePart = Readonly<Record<string, unknown>>;

export function encodePart(part: Part): WirePart {
  switch (part.kind) {
    case 'text':
      return withAttributes({ kind: 'text', text: part.text }, part);
    case 'data':
      return unknownPart(part) ?? withAttributes({ kind: 'data', data: part.data }, part);
    case 'bytes':
    case 'link':
      return { ...encodeOtherPart(part) };
  }
}

/** A part without `kind` is what its content says, as in 0.3. */
export function readPart(members: Members): Part {
  switch (members.value('kind') ?? kindOf(members)) {
    case 'text':
      return { kind: 'text', text: requiredString(members, 'text'), ...attributesOf(members) };
    case 'data':
      return { kind: 'data', data: readData(members), ...attributesOf(members) };
    case 'file':
      return readOtherPart(members);
    case undefined:
      members.reject('kind', 'is required');
      return NO_PART;
    default:
      return keptPart(members);
  }
}

function kindOf(members: Members): string | undefined {
  const names = members.names();
  return ['text', 'data', 'file'].find((kind) => names.includes(kind));
}

function readData(members: Members): JsonValue {
  if (!members.names().includes('data')) members.reject('data', 'is required');
  return members.json('data');
}

/** `mimeType` is the document's, though only for data; a name is written as files have it. */
function withAttributes(wire: WirePart, { mediaType, filename, metadata }: TextPart | DataPart): WirePart {
  return {
    ...wire,
    ...(mediaType && { mimeType: mediaType }),
    ...(filename && { name: filename }),
    ...(metadata && { metadata }),
  };
}

function attributesOf(members: Members): Pick<Part, 'mediaType' | 'filename' | 'metadata'> {
  return {
    mediaType: members.text('mimeType', 'mime_type'),
    filename: members.text('name'),
    metadata: members.struct('metadata'),
  };
}

/** A part of an unknown kind goes to agents as data, whole. */
function keptPart(members: Members): Part {
  if (typeof members.value('kind') !== 'string') members.reject('kind', 'must be a string');
  const data = Object.fromEntries(members.names().map((name) => [name, members.json(name)]));
  return { kind: 'data', data, metadata: withNotes(undefined, { unknownPart: true }) };
}

function unknownPart({ data, metadata }: DataPart): WirePart | undefined {
  const isKept = notesOf(metadata).unknownPart === true && isPlainObject(data) && typeof data.kind === 'string';
  return isKept ? (data as JsonObject) : undefined;
}
