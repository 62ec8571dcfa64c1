import type { ContentBlock } from '@modelcontextprotocol/server';
import type { Part } from '../../../../model/task.ts';

/** The place of a part, for the address of a file that has none. */
interface PartPlace {
  readonly owner: string;
  readonly index: number;
}

/** A part of a message or an artifact as MCP shows it. */
export function contentOf(part: Part, place: PartPlace): ContentBlock {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'data':
      return { type: 'text', text: JSON.stringify(part.data) };
    case 'link':
      return linkContent(part.url, part);
    case 'bytes':
      return fileContent(part.bytes, part, place);
  }
}

function linkContent(url: string, { filename, mediaType }: Part): ContentBlock {
  if (!URL.canParse(url)) return { type: 'text', text: filename ? `${filename}: ${url}` : url };
  const last = new URL(url).pathname.split('/').at(-1);
  return {
    type: 'resource_link',
    uri: url,
    name: filename || last || url,
    ...(mediaType && { mimeType: mediaType }),
  };
}

function fileContent(base64: string, { filename, mediaType }: Part, place: PartPlace): ContentBlock {
  const mimeType = mediaType || 'application/octet-stream';
  if (/^image\//i.test(mimeType)) return { type: 'image', data: base64, mimeType };
  if (/^audio\//i.test(mimeType)) return { type: 'audio', data: base64, mimeType };
  const path = [place.owner, filename ?? `part-${place.index}`].map(encodeURIComponent).join('/');
  const uri = `a2a://file/${path}`;
  const text = isText(mimeType) ? textOf(base64) : undefined;
  return { type: 'resource', resource: { uri, mimeType, ...(text === undefined ? { blob: base64 } : { text }) } };
}

function isText(mimeType: string): boolean {
  return /^(?:text\/|application\/(?:json|xml|yaml|.*\+json|.*\+xml)\s*(?:;|$))/i.test(mimeType);
}

/** Undefined for bytes that are no UTF-8: nothing may be lost on the way. */
function textOf(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
