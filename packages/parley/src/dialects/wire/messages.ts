import type { JsonObject } from '../../model/basics/json.ts';
import type { Message, Part, Role } from '../../model/task.ts';
import type { Members } from './members.ts';
import { SNAKE } from './snake-case.ts';
import type { WireEnum } from './values/enums.ts';

/** Reads the members that a message has in every JSON form, around its parts. */
export function readMessage(members: Members, roles: WireEnum<Role>, parts: readonly Part[]): Message {
  return {
    messageId: members.requiredText('messageId', SNAKE),
    role: members.requiredEnum(roles, 'user', 'role'),
    parts,
    contextId: members.text('contextId', SNAKE),
    taskId: members.text('taskId', SNAKE),
    referenceTaskIds: members.texts('referenceTaskIds', SNAKE, 'references'),
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
