import type { JsonObject } from '../../model/basics/json.ts';
import type { Message } from '../../model/task.ts';
import { decode, type Members } from '../wire/members.ts';
import { readMessage } from '../wire/messages.ts';
import { readRequiredList } from '../wire/request-members.ts';
import { RECEIVED_ROLES, ROLES } from './enums.ts';
import { encodePart, readPart, type WirePart } from './parts.ts';

export interface WireMessage {
  messageId: string;
  role: 'user' | 'agent';
  parts: WirePart[];
  contextId?: string;
  taskId?: string;
  referenceTaskIds?: readonly string[];
  metadata?: JsonObject;
  extensions?: readonly string[];
}

export function encodeMessage(message: Message): WireMessage {
  const wire: WireMessage = {
    messageId: message.messageId,
    role: message.role,
    parts: message.parts.map(encodePart),
  };
  if (message.contextId) wire.contextId = message.contextId;
  if (message.taskId) wire.taskId = message.taskId;
  if (message.referenceTaskIds?.length) wire.referenceTaskIds = message.referenceTaskIds;
  if (message.metadata !== undefined) wire.metadata = message.metadata;
  if (message.extensions?.length) wire.extensions = message.extensions;
  return wire;
}

export function decodeMessage(value: unknown): Message {
  return decode(value, readReceivedMessage, 'message');
}

/** A message that a client sends: it needs at least one part. */
export function readSentMessage(members: Members): Message {
  return readMessage(members, ROLES, readRequiredList(members, 'parts', undefined, readPart));
}

/** A message in an agent's reply; for want of parts no reply is thrown away. */
export function readReceivedMessage(members: Members): Message {
  return readMessage(members, RECEIVED_ROLES, members.list('parts', undefined, readPart));
}
