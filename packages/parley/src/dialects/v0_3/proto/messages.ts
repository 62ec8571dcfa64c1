import type { JsonObject } from '../../../model/json.ts';
import type { Message } from '../../../model/task.ts';
import { decode, type Members } from '../../wire/members.ts';
import { readMessage, withOptionalMembers } from '../messages.ts';
import { ROLE_NAMES, ROLES } from './enums.ts';
import { encodePart, readPart, type WirePart } from './parts.ts';

/** The proto has no `referenceTaskIds`; readers that do not know them pass over them. */
export interface WireMessage {
  messageId: string;
  role: string;
  content: WirePart[];
  taskId?: string;
  contextId?: string;
  metadata?: JsonObject;
  extensions?: readonly string[];
  referenceTaskIds?: readonly string[];
}

export function encodeMessage(message: Message): WireMessage {
  const wire: WireMessage = {
    messageId: message.messageId,
    role: ROLE_NAMES[message.role],
    content: message.parts.map(encodePart),
  };
  return withOptionalMembers(wire, message);
}

export function decodeMessage(value: unknown): Message {
  return decode(value, readReceivedMessage, 'message');
}

/** A message that a client sends: it needs at least one part. */
export function readSentMessage(members: Members): Message {
  return readMessage(members, ROLES, members.requiredList('content', undefined, readPart));
}

/** A message in an agent's reply, which may be without parts. */
export function readReceivedMessage(members: Members): Message {
  return readMessage(members, ROLES, members.list('content', undefined, readPart));
}
