import type { TaskState } from '../../../model/states.ts';
import type { Message, Part, Role } from '../../../model/task.ts';
import type { Read } from '../../wire/members.ts';
import { readMessage } from '../../wire/messages.ts';
import { type WireEnum, withAliases } from '../../wire/values/enums.ts';
import type { FileBytes } from '../../wire/values/file-bytes.ts';
import { RECEIVED_ROLES, TASK_STATES } from '../enums.ts';
import { ROLES as PROTO_ROLES, TASK_STATES as PROTO_TASK_STATES } from '../proto/enums.ts';
import { partReader } from '../proto/parts.ts';
import { readPart } from '../task/parts.ts';
import { eventReaders, type ResponseReaders } from './event-readers.ts';

/*
 * Answers of 0.3, in the JSON types of the document or in the ProtoJSON of its proto, bare or wrapped: over REST servers
 * in use write both forms (reference: v03 §8), and none can be taken for another.
 */

const EITHER_STATES: WireEnum<TaskState> = withAliases(TASK_STATES, [...PROTO_TASK_STATES.values]);
const EITHER_ROLES: WireEnum<Role> = withAliases(RECEIVED_ROLES, [...PROTO_ROLES.values]);

/** @param files how ProtoJSON has the bytes of files; the document's own types are clear about them */
export function eitherReaders(files?: FileBytes): ResponseReaders {
  const readProtoPart = partReader(files);

  /** `kind` is the document's; without it only files are not alike. */
  const readPartOfEither: Read<Part> = (members) =>
    members.has('kind') || isPlainFile(members.value('file')) ? readPart(members) : readProtoPart(members);

  /** The proto calls the parts `content`. */
  const readMessageOfEither: Read<Message> = (members) => {
    const name = members.has('content') ? 'content' : 'parts';
    return readMessage(members, EITHER_ROLES, members.list(name, undefined, readPartOfEither));
  };

  return eventReaders({ readPart: readPartOfEither, readMessage: readMessageOfEither, states: EITHER_STATES });
}

function isPlainFile(file: unknown): boolean {
  return typeof file === 'object' && file !== null && ('bytes' in file || 'uri' in file);
}
