import type { JsonObject } from '../../model/basics/json.ts';
import type { Message, Part, Role } from '../../model/task.ts';
import type { Members } from './members.ts';
import type { WireEnum } from './values/enums.ts';

/** Reads the members that a message has in every JSON form, around its parts. */
export function readMessage(members: Members, roles: WireEnum<Role>, parts: readonly Part[]): Message {
  return {
    messageId: members.requiredText('messageId', 'message_id'),
    role: members.requiredEnum(roles, 'user', 'role'),
    parts,
    contextId: members.text('contextId', 'context_id'),
    taskId: members.text('taskId', 'task_id'),
    referenceTaskIds: members.texts('referenceTaskIds', 'reference_task_ids', 'references'),
    extensions: members.texts('extensions'),
    metadata: members.struct('metadata'),
  };
}

interface Additions {
  metadata?: JsonObject;
  extensions?: readonly string[];
  referenceTaskIds?: readonly string[];
}

/** Adds the metadata, extensions and references of a message, where there are any. */
export function withAdditions<Wire extends Additions>(wire: Wire, message: Message): Wire {
  if (message.metadata !== undefined) wire.metadata = message.metadata;
  if (message.extensions?.length) wire.extensions = message.extensions;
  if (message.referenceTaskIds?.length) wire.referenceTaskIds = message.referenceTaskIds;
  return wire;
}
