import type { JsonObject } from '../../../model/basics/json.ts';
import type { Message } from '../../../model/task.ts';
import { decode, type Read } from '../../wire/members.ts';
import { readMessage } from '../../wire/messages.ts';
import { readRequiredList } from '../../wire/request-members.ts';
import type { FileBytes } from '../../wire/values/file-bytes.ts';
import { withOptionalMembers } from '../task/messages.ts';
import { RECEIVED_ROLES, ROLE_NAMES, ROLES } from './enums.ts';
import { encodePart, FILE_BYTES, partReader, type WirePart } from './parts.ts';

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

export function encodeMessage(message: Message, files: FileBytes = FILE_BYTES): WireMessage {
  const wire: WireMessage = {
    messageId: message.messageId,
    role: ROLE_NAMES[message.role],
    content: message.parts.map((part) => encodePart(part, files)),
  };
  return withOptionalMembers(wire, message);
}

export function decodeMessage(value: unknown, files?: FileBytes): Message {
  return decode(value, receivedMessageReader(files), 'message');
}

/** Reads messages that a client sends: they need at least one part. */
export function sentMessageReader(files: FileBytes = FILE_BYTES): Read<Message> {
  const readPart = partReader(files);
  return (members) => readMessage(members, ROLES, readRequiredList(members, 'content', undefined, readPart));
}

/** Reads messages in an agent's reply, which may be without parts. */
export function receivedMessageReader(files: FileBytes = FILE_BYTES): Read<Message> {
  const readPart = partReader(files);
  return (members) => readMessage(members, RECEIVED_ROLES, members.list('content', undefined, readPart));
}
