import type { TaskState } from '../../model/states.ts';
import type { Message, Part, Role, StreamEvent } from '../../model/task.ts';
import { type WireEnum, withAliases } from '../wire/enums.ts';
import type { Members } from '../wire/members.ts';
import { ROLES, TASK_STATES } from './enums.ts';
import { readMessage } from './messages.ts';
import { readPart } from './parts.ts';
import { ROLES as PROTO_ROLES, TASK_STATES as PROTO_TASK_STATES } from './proto/enums.ts';
import { readPart as readProtoPart } from './proto/parts.ts';
import { readersOf } from './readers.ts';

/*
 * Answers of 0.3, in the JSON types of the document or in the ProtoJSON of its proto, bare or wrapped: over REST servers
 * in use write both forms (reference: v03 §8), and none can be taken for another.
 */

const EITHER_STATES: WireEnum<TaskState> = withAliases(TASK_STATES, [...PROTO_TASK_STATES.values]);
const EITHER_ROLES: WireEnum<Role> = withAliases(ROLES, [...PROTO_ROLES.values]);

/** `kind` is the document's; without it only files are not alike. */
function readEitherPart(members: Members): Part {
  return members.has('kind') || isPlainFile(members.value('file')) ? readPart(members) : readProtoPart(members);
}

function isPlainFile(file: unknown): boolean {
  return typeof file === 'object' && file !== null && ('bytes' in file || 'uri' in file);
}

/** The proto calls the parts `content`. */
export function readEitherMessage(members: Members): Message {
  const name = members.has('content') ? 'content' : 'parts';
  return readMessage(members, EITHER_ROLES, members.list(name, undefined, readEitherPart));
}

const READERS = readersOf({ readPart: readEitherPart, readMessage: readEitherMessage, states: EITHER_STATES });

export const readEitherTask = READERS.readTask;

/** By `kind` where there is one, else by the wrapper, else by what only such an object has. */
export function readEitherEvent(members: Members): StreamEvent {
  const kind: unknown = members.value('kind') ?? bareKind(members);
  switch (kind) {
    case 'task':
      return { kind: 'task', task: READERS.readTask(members) };
    case 'message':
      return { kind: 'message', message: readEitherMessage(members) };
    case 'status-update':
      return READERS.readStatusUpdate(members);
    case 'artifact-update':
      return READERS.readArtifactUpdate(members);
    default:
      return READERS.readWrappedEvent(members);
  }
}

function bareKind(members: Members): string | undefined {
  if (members.has('task', 'message', 'msg', 'statusUpdate', 'status_update')) return undefined;
  if (members.has('artifact')) return 'artifact-update';
  if (members.has('status')) return members.has('id') ? 'task' : 'status-update';
  return members.has('parts', 'content') ? 'message' : undefined;
}
