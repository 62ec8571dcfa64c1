import { type A2AError, invalidParams } from '../../model/errors/errors.ts';
import type { InputLimits } from '../../model/input-limits.ts';
import type { Message, Part } from '../../model/task.ts';

/** Refuses a message that is larger than a server takes, or has a part or metadata that is. */
export function requireWithin(message: Message, limits: InputLimits): void {
  const { parts, metadata, referenceTaskIds = [] } = message;
  if (parts.length > limits.parts) throw tooMany('message.parts', limits.parts);
  // Dialects of users may read without bounds.
  if (referenceTaskIds.length > limits.references) throw tooMany('message.referenceTaskIds', limits.references);
  for (const name of IDS) requireLength(`message.${name}`, message[name], limits.idLength);
  if (limits.textBytes !== ENDLESS || limits.dataBytes !== ENDLESS || limits.metadataBytes !== ENDLESS) {
    for (const [index, part] of parts.entries()) requirePart(part, `message.parts[${index}]`, limits);
    if (metadata) requireJson('message.metadata', metadata, limits.metadataBytes);
  }
  requireJson('message', message, limits.messageBytes);
}

const ENDLESS = Number.POSITIVE_INFINITY;
const IDS = ['messageId', 'contextId', 'taskId'] as const;

function requirePart(part: Part, field: string, { textBytes, dataBytes, metadataBytes }: InputLimits): void {
  switch (part.kind) {
    case 'text':
      requireBytes(`${field}.text`, part.text, textBytes);
      break;
    case 'data':
      requireJson(`${field}.data`, part.data, dataBytes);
      break;
    case 'bytes':
      requireBytes(`${field}.file`, part.bytes, dataBytes);
      break;
    case 'link':
      requireBytes(`${field}.url`, part.url, dataBytes);
  }
  if (part.metadata) requireJson(`${field}.metadata`, part.metadata, metadataBytes);
}

function requireLength(field: string, text: string | undefined, most: number): void {
  if (text === undefined || text.length <= most) return;
  throw invalidParams({ field, description: `must have at most ${most} characters; this one has ${text.length}` });
}

function requireJson(field: string, value: unknown, most: number): void {
  if (most !== ENDLESS) requireBytes(field, JSON.stringify(value), most);
}

/** A character has one to three bytes, so that most texts need not be counted. */
function requireBytes(field: string, text: string, most: number): void {
  if (text.length * 3 <= most) return;
  const bytes = text.length > most ? text.length : encoder.encode(text).length;
  if (bytes > most) throw invalidParams({ field, description: `must have at most ${most} bytes` });
}

const encoder = new TextEncoder();

function tooMany(field: string, most: number): A2AError {
  return invalidParams({ field, description: `must have at most ${most} elements` });
}
