import type { JsonObject } from '../../../model/basics/json.ts';
import type { Message, Part, Role } from '../../../model/task.ts';
import { ROLES } from '../../v0_3/enums.ts';
import { checkKind } from '../../v0_3/task/messages.ts';
import { decode, type Members } from '../../wire/members.ts';
import { readMessage as readCommonMessage } from '../../wire/messages.ts';
import { readRequiredList } from '../../wire/request-members.ts';
import { type WireEnum, withAliases } from '../../wire/values/enums.ts';
import { parseAnyTimestamp } from '../../wire/values/timestamps.ts';
import { cleanPart } from './clean-text.ts';
import { notesOf, withNotes, withoutNotes } from './notes.ts';
import { encodePart, readPart, type WirePart } from './parts.ts';

/** In the order of the document (seed S1, A2AMessage). */
export interface WireMessage {
  role: Role | 'system';
  parts: WirePart[];
  messageId: string;
  contextId?: string;
  kind: 'message';
  timestamp?: string;
  taskId?: string;
  referenceTaskIds?: readonly string[];
  extensions?: readonly string[];
  metadata?: JsonObject;
}

/** Instructions of the caller's system are the caller's words; that they are such is kept beside them. */
const SENT_ROLES: WireEnum<Role> = {
  ...withAliases(ROLES, [['system', 'user']]),
  expectation: 'must be one of user, agent, system',
};

/** A role that is not known, in an agent's reply, is the agent's own. */
const RECEIVED_ROLES: WireEnum<Role> = { ...SENT_ROLES, otherwise: 'agent' };

/** A message with all that it says, as callers write it. */
export function encodeMessage(message: Message): WireMessage {
  const wire = encodeSaid(message);
  if (message.taskId) wire.taskId = message.taskId;
  if (message.referenceTaskIds?.length) wire.referenceTaskIds = message.referenceTaskIds;
  if (message.extensions?.length) wire.extensions = message.extensions;
  return withMetadata(wire, message.metadata);
}

/** An agent's message inside of a result that names the task. `timestamp`: for a message that has none. */
export function encodeAnswer(message: Message, timestamp?: string): WireMessage {
  const wire = encodeSaid(message, timestamp);
  if (message.extensions?.length) wire.extensions = message.extensions;
  return withMetadata(wire, message.metadata);
}

export function decodeMessage(value: unknown): Message {
  return decode(value, readReceivedMessage, 'message');
}

/** A message that a client sends: at least one part, and a time that is one. */
export function readSentMessage(members: Members): Message {
  const timestamp = members.value('timestamp');
  if (typeof timestamp === 'string' && timestamp !== '' && parseAnyTimestamp(timestamp) === undefined) {
    members.reject('timestamp', 'must be an ISO 8601 timestamp');
  }
  return readMessage(members, SENT_ROLES, readRequiredList(members, 'parts', undefined, readPart).map(cleanPart));
}

export function readReceivedMessage(members: Members): Message {
  return readMessage(members, RECEIVED_ROLES, members.list('parts', undefined, readPart));
}

function readMessage(members: Members, roles: WireEnum<Role>, parts: readonly Part[]): Message {
  checkKind(members);
  const message = readCommonMessage(members, roles, parts);
  const role = members.value('role') === 'system' ? 'system' : undefined;
  const timestamp = members.text('timestamp');
  return { ...message, metadata: withNotes(message.metadata, { ...notesOf(message.metadata), role, timestamp }) };
}

function encodeSaid(message: Message, timestamp?: string): WireMessage {
  const notes = notesOf(message.metadata);
  const wire: WireMessage = {
    role: notes.role === 'system' ? 'system' : message.role,
    parts: message.parts.map(encodePart),
    messageId: message.messageId,
    ...(message.contextId && { contextId: message.contextId }),
    kind: 'message',
  };
  const time = typeof notes.timestamp === 'string' ? notes.timestamp : timestamp;
  if (time) wire.timestamp = time;
  return wire;
}

/** Facts with a member of their own are not repeated. */
function withMetadata(wire: WireMessage, metadata: JsonObject | undefined): WireMessage {
  const { role: _, timestamp: __, error: ___, ...others } = notesOf(metadata);
  const rest = withNotes(withoutNotes(metadata), others);
  if (rest !== undefined) wire.metadata = rest;
  return wire;
}
