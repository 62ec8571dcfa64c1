import { A2AError } from '../../model/errors/errors.ts';
import { bytes, json, link, text } from '../../model/parts.ts';
import type { Part, PartAttributes } from '../../model/task.ts';
import type { PromptMessage } from './model-types.ts';

type UserMessage = Extract<PromptMessage, { readonly role: 'user' }>;
type PromptFile = Extract<UserMessage['content'][number], { readonly type: 'file' }>;

/** A file of a prompt as a part. JSON without a name is data: so it comes back from agents, too. */
export function filePartOf({ data, mediaType: given, filename }: PromptFile): Part {
  // `image` and `image/*` name a kind of files, and no type.
  const mediaType = /^[^/*]+\/[^/*]+$/.test(given) ? given : undefined;
  const attributes: PartAttributes = { ...(mediaType && { mediaType }), ...(filename && { filename }) };
  switch (data.type) {
    case 'url':
      return link(data.originalUrl ?? data.url, attributes);
    case 'text':
      return jsonPartOf(data.text, attributes) ?? text(data.text, attributes);
    case 'data': {
      const part = typeof data.data === 'string' ? fromBase64(data.data, attributes) : bytes(data.data, attributes);
      const content = mediaType === JSON_TYPE && !filename ? decoded(data.data) : undefined;
      return (content !== undefined && jsonPartOf(content, attributes)) || part;
    }
    case 'reference':
      throw new A2AError('INVALID_PARAMS', 'The prompt has a file of another provider: an agent cannot get at it');
  }
}

const JSON_TYPE = 'application/json';

function fromBase64(content: string, attributes: PartAttributes): Part {
  return { kind: 'bytes', bytes: content, ...attributes };
}

function decoded(content: string | Uint8Array): string {
  const raw = typeof content === 'string' ? Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0)) : content;
  return new TextDecoder().decode(raw);
}

function jsonPartOf(content: string, { mediaType, filename }: PartAttributes): Part | undefined {
  if (mediaType !== JSON_TYPE || filename) return undefined;
  try {
    return json(JSON.parse(content));
  } catch {
    return undefined;
  }
}
