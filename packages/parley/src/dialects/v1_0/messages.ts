import type { JsonObject } from '../../model/basics/json.ts';
import type { Message } from '../../model/task.ts';
import { decode, type Members } from '../wire/members.ts';
import { readMessage, withAdditions } from '../wire/messages.ts';
import { readRequiredList } from '../wire/request-members.ts';
import { RECEIVED_ROLES, ROLE_NAMES, ROLES } from './enums.ts';
import { encodePart, readPart, type WirePart } from './parts.ts';

export interface WireMessage {
  messageId: string;
  contextId?: string;
  taskId?: string;
  role: string;
  parts: WirePart[];
  metadata?: JsonObject;
  extensions?: readonly string[];
  referenceTaskIds?: readonly string[];
}

export function encodeMessage(message: Message): WireMessage {
  const wire: WireMessage = {
    messageId: message.messageId,
    role: ROLE_NAMES[message.role],
    parts: message.parts.map(encodePart),
  };
  if (message.contextId) wire.contextId = message.contextId;
  if (message.taskId) wire.taskId = message.taskId;
  return withAdditions(wire, message);
}

export function decodeMessage(value: unknown): Message {
  return decode(value, readReceivedMessage, 'message');
}

/** A message that a client sends: it needs at least one part. */
export function readSentMessage(members: Members): Message {
  return readMessage(members, ROLES, readRequiredList(members, 'parts', undefined, readPart));
}

/** A message in an agent's reply. Deployed agents send some without parts, for which no reply is thrown away. */
export function readReceivedMessage(members: Members): Message {
  return readMessage(members, RECEIVED_ROLES, members.list('parts', undefined, readPart));
}
