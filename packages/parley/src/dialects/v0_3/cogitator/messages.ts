import { uuidv7Source } from '../../../model/basics/uuid.ts';
import type { Message, Role } from '../../../model/task.ts';
import type { Members } from '../../wire/members.ts';
import { readRequiredList } from '../../wire/request-members.ts';
import type { WireEnum } from '../../wire/values/enums.ts';
import { RECEIVED_ROLES, ROLES } from '../enums.ts';
import { encodePart, readPart } from './parts.ts';
import type { A2AMessage } from './types.ts';

const newId = uuidv7Source();

export function encodeMessage(message: Message): A2AMessage {
  const wire: A2AMessage = { role: message.role, parts: message.parts.map(encodePart) };
  if (message.messageId) wire.messageId = message.messageId;
  if (message.taskId) wire.taskId = message.taskId;
  if (message.contextId) wire.contextId = message.contextId;
  if (message.referenceTaskIds?.length) wire.referenceTaskIds = [...message.referenceTaskIds];
  if (message.metadata !== undefined) wire.metadata = message.metadata;
  if (message.extensions?.length) wire.extensions = [...message.extensions];
  return wire;
}

/** A message that a client sends. The document's have no id, so that one is made. */
export function readSentMessage(members: Members): Message {
  const message = readMessage(members, ROLES, readRequiredList(members, 'parts', undefined, readPart));
  return message.messageId === '' ? { ...message, messageId: newId() } : message;
}

/** A message of an agent's reply; its id stays empty where it has none, so that reading it twice gives the same. */
export function readReceivedMessage(members: Members): Message {
  return readMessage(members, RECEIVED_ROLES, members.list('parts', undefined, readPart));
}

function readMessage(members: Members, roles: WireEnum<Role>, parts: Message['parts']): Message {
  return {
    messageId: members.text('messageId') ?? '',
    role: members.requiredEnum(roles, 'user', 'role'),
    parts,
    contextId: members.text('contextId'),
    taskId: members.text('taskId'),
    referenceTaskIds: members.texts('referenceTaskIds', undefined, 'references'),
    extensions: members.texts('extensions'),
    metadata: members.struct('metadata'),
  };
}
