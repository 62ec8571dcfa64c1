import type { JsonObject } from '../../../model/basics/json.ts';
import type { BytesPart, LinkPart, Part } from '../../../model/task.ts';
import type { OneofMember, Read } from '../../wire/members.ts';
import { type FileBytes, fileBytes } from '../../wire/values/file-bytes.ts';
import { unwrapData, wrapData } from '../task/data.ts';
import { NO_FILE, NO_PART, readFile, requiredStruct, withAttributes, withMetadata } from '../task/parts.ts';

/** The default encoding of the bytes of files. */
export const FILE_BYTES: FileBytes = fileBytes({});

/** Exactly one of the first two. */
interface WireFile {
  fileWithBytes?: string;
  fileWithUri?: string;
  mimeType?: string;
  name?: string;
}

/**
 * The content member that is set tells the kind (reference: v03 §9). Metadata and file names came with later releases
 * of 0.3; readers of the first one pass over them.
 */
export interface WirePart {
  text?: string;
  file?: WireFile;
  data?: { data: JsonObject };
  metadata?: JsonObject;
}

const CONTENT: readonly OneofMember<'text' | 'file' | 'data'>[] = [
  { name: 'text' },
  { name: 'file' },
  { name: 'data' },
];
const FILE_CONTENT = [
  { name: 'fileWithBytes', snakeName: 'file_with_bytes' },
  { name: 'fileWithUri', snakeName: 'file_with_uri' },
] as const;

export function encodePart(part: Part, files: FileBytes = FILE_BYTES): WirePart {
  switch (part.kind) {
    case 'text':
      return withMetadata<WirePart>({ text: part.text }, part.metadata);
    case 'bytes':
    case 'link':
      return withMetadata<WirePart>({ file: encodeFile(part, files) }, part.metadata);
    case 'data': {
      const { data, metadata } = wrapData(part);
      return withMetadata<WirePart>({ data: { data } }, metadata);
    }
  }
}

export function partReader(files: FileBytes = FILE_BYTES): Read<Part> {
  return (members) => {
    const metadata = members.struct('metadata');
    switch (members.oneof(CONTENT)) {
      case 'text':
        return { kind: 'text', text: members.string('text', undefined, 'content') ?? '', metadata };
      case 'file':
        return (
          members.object('file', undefined, (file) => readFile(file, metadata, FILE_CONTENT, files.read)) ?? NO_FILE
        );
      case 'data': {
        const data = members.object('data', undefined, (inner) => requiredStruct(inner, 'data'));
        return unwrapData(data ?? {}, metadata);
      }
      case undefined:
        return NO_PART;
    }
  };
}

function encodeFile(part: BytesPart | LinkPart, files: FileBytes): WireFile {
  return withAttributes<WireFile>(
    part.kind === 'bytes' ? { fileWithBytes: files.write(part.bytes) } : { fileWithUri: part.url },
    part,
  );
}
