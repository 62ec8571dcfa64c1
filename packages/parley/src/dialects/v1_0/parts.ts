import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import type { Part } from '../../model/task.ts';
import type { Members, OneofMember } from '../wire/members.ts';
import { SNAKE } from '../wire/snake-case.ts';

/** The content member that is set tells the kind; there is no discriminator (reference: v1-data-model, Part). */
export interface WirePart {
  text?: string;
  raw?: string;
  url?: string;
  data?: JsonValue;
  filename?: string;
  mediaType?: string;
  metadata?: JsonObject;
}

const CONTENT: readonly OneofMember<'text' | 'raw' | 'url' | 'data'>[] = [
  { name: 'text' },
  { name: 'raw' },
  { name: 'url' },
  { name: 'data', nullable: true },
];

export function encodePart(part: Part): WirePart {
  const wire = encodeContent(part);
  if (part.filename) wire.filename = part.filename;
  if (part.mediaType) wire.mediaType = part.mediaType;
  if (part.metadata !== undefined) wire.metadata = part.metadata;
  return wire;
}

export function readPart(members: Members): Part {
  const filename = members.text('filename');
  const mediaType = members.text('mediaType', SNAKE);
  const metadata = members.struct('metadata');
  switch (members.oneof(CONTENT)) {
    case 'raw':
      return { kind: 'bytes', bytes: members.base64('raw'), filename, mediaType, metadata };
    case 'url':
      return { kind: 'link', url: members.requiredText('url', undefined, 'content'), filename, mediaType, metadata };
    case 'data':
      return { kind: 'data', data: members.json('data'), filename, mediaType, metadata };
    case 'text':
    case undefined:
      return { kind: 'text', text: members.string('text', undefined, 'content') ?? '', filename, mediaType, metadata };
  }
}

function encodeContent(part: Part): WirePart {
  switch (part.kind) {
    case 'text':
      return { text: part.text };
    case 'bytes':
      return { raw: part.bytes };
    case 'link':
      return { url: part.url };
    case 'data':
      return { data: part.data };
  }
}
