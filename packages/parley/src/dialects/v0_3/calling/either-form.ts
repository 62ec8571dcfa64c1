import type { TaskState } from '../../../model/states.ts';
import type { Message, Part, Role, StreamEvent, Task } from '../../../model/task.ts';
import type { Members, Read } from '../../wire/members.ts';
import { readMessage } from '../../wire/messages.ts';
import { type WireEnum, withAliases } from '../../wire/values/enums.ts';
import type { FileBytes } from '../../wire/values/file-bytes.ts';
import { RECEIVED_ROLES, TASK_STATES } from '../enums.ts';
import { readPart } from '../parts.ts';
import { ROLES as PROTO_ROLES, TASK_STATES as PROTO_TASK_STATES } from '../proto/enums.ts';
import { partReader } from '../proto/parts.ts';
import { readersOf } from '../readers.ts';

/*
 * Answers of 0.3, in the JSON types of the document or in the ProtoJSON of its proto, bare or wrapped: over REST servers
 * in use write both forms (reference: v03 §8), and none can be taken for another.
 */

const EITHER_STATES: WireEnum<TaskState> = withAliases(TASK_STATES, [...PROTO_TASK_STATES.values]);
const EITHER_ROLES: WireEnum<Role> = withAliases(RECEIVED_ROLES, [...PROTO_ROLES.values]);

/** The readers of answers in either form. */
export interface EitherReaders {
  readonly readTask: Read<Task>;
  /** By `kind` where there is one, else by the wrapper, else by what only such an object has. */
  readonly readEvent: Read<StreamEvent>;
}

/** @param files how ProtoJSON has the bytes of files; the document's own types are clear about them */
export function eitherReaders(files?: FileBytes): EitherReaders {
  const readProtoPart = partReader(files);

  /** `kind` is the document's; without it only files are not alike. */
  const readPartOfEither: Read<Part> = (members) =>
    members.has('kind') || isPlainFile(members.value('file')) ? readPart(members) : readProtoPart(members);

  /** The proto calls the parts `content`. */
  const readMessageOfEither: Read<Message> = (members) => {
    const name = members.has('content') ? 'content' : 'parts';
    return readMessage(members, EITHER_ROLES, members.list(name, undefined, readPartOfEither));
  };

  const readers = readersOf({
    readPart: readPartOfEither,
    readMessage: readMessageOfEither,
    states: EITHER_STATES,
  });

  const readEvent: Read<StreamEvent> = (members) => {
    const kind: unknown = members.value('kind') ?? bareKind(members);
    switch (kind) {
      case 'task':
        return { kind: 'task', task: readers.readTask(members) };
      case 'message':
        return { kind: 'message', message: readMessageOfEither(members) };
      case 'status-update':
        return readers.readStatusUpdate(members);
      case 'artifact-update':
        return readers.readArtifactUpdate(members);
      default:
        return readers.readWrappedEvent(members);
    }
  };

  return { readTask: readers.readTask, readEvent };
}

function isPlainFile(file: unknown): boolean {
  return typeof file === 'object' && file !== null && ('bytes' in file || 'uri' in file);
}

function bareKind(members: Members): string | undefined {
  if (members.has('task', 'message', 'msg', 'statusUpdate', 'status_update')) return undefined;
  if (members.has('artifact')) return 'artifact-update';
  if (members.has('status')) return members.has('id') ? 'task' : 'status-update';
  return members.has('parts', 'content') ? 'message' : undefined;
}
