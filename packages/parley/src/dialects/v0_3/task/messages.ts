import type { JsonObject } from '../../../model/basics/json.ts';
import type { Message, Role } from '../../../model/task.ts';
import { decode, type Members } from '../../wire/members.ts';
import { readMessage, withAdditions } from '../../wire/messages.ts';
import { readRequiredList } from '../../wire/request-members.ts';
import { RECEIVED_ROLES, ROLES } from '../enums.ts';
import { encodePart, readPart, type WirePart } from './parts.ts';

export interface WireMessage {
  kind: 'message';
  role: Role;
  parts: WirePart[];
  messageId: string;
  taskId?: string;
  contextId?: string;
  metadata?: JsonObject;
  extensions?: readonly string[];
  referenceTaskIds?: readonly string[];
}

export function encodeMessage(message: Message): WireMessage {
  const wire: WireMessage = {
    kind: 'message',
    role: message.role,
    parts: message.parts.map(encodePart),
    messageId: message.messageId,
  };
  return withOptionalMembers(wire, message);
}

export function decodeMessage(value: unknown): Message {
  return decode(value, readReceivedMessage, 'message');
}

/** A message that a client sends: it needs at least one part. */
export function readSentMessage(members: Members): Message {
  checkKind(members);
  return readMessage(members, ROLES, readRequiredList(members, 'parts', undefined, readPart));
}

/** A message in an agent's reply. Deployed agents send some without parts, for which no reply is thrown away. */
export function readReceivedMessage(members: Members): Message {
  checkKind(members);
  return readMessage(members, RECEIVED_ROLES, members.list('parts', undefined, readPart));
}

type OptionalMembers = Pick<WireMessage, 'taskId' | 'contextId' | 'metadata' | 'extensions' | 'referenceTaskIds'>;

export function withOptionalMembers<Wire extends OptionalMembers>(wire: Wire, message: Message): Wire {
  if (message.taskId) wire.taskId = message.taskId;
  if (message.contextId) wire.contextId = message.contextId;
  return withAdditions(wire, message);
}

/** Older examples leave `kind` out; it is then taken for granted (reference: v03 §3). */
export function checkKind(members: Members): void {
  const kind = members.value('kind');
  if (kind !== undefined && kind !== 'message') members.reject('kind', 'must be "message"');
}
