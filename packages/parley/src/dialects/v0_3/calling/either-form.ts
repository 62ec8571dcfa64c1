import type { TaskState } from '../../../model/states.ts';
import type { Message, Part, Role } from '../../../model/task.ts';
import type { Members, OneofMember, Read } from '../../wire/members.ts';
import { readMessage } from '../../wire/messages.ts';
import { SNAKE } from '../../wire/snake-case.ts';
import { type WireEnum, withAliases } from '../../wire/values/enums.ts';
import { type FileBytes, fileBytes } from '../../wire/values/file-bytes.ts';
import { RECEIVED_ROLES, TASK_STATES } from '../enums.ts';
import { RECEIVED_ROLES as PROTO_ROLES, TASK_STATES as PROTO_TASK_STATES } from '../proto/enums.ts';
import { unwrapData } from '../task/data.ts';
import { NO_FILE, NO_PART, readKind, requiredString, requiredStruct } from '../task/parts.ts';
import { eventReaders, type ResponseReaders } from './event-readers.ts';

/*
 * Answers of 0.3, in the JSON types of the document or in the ProtoJSON of its proto, bare or wrapped: over REST servers
 * in use write both forms (reference: v03 §8), and none can be taken for another.
 */

const EITHER_STATES: WireEnum<TaskState> = withAliases(TASK_STATES, [...PROTO_TASK_STATES.values]);
const EITHER_ROLES: WireEnum<Role> = withAliases(RECEIVED_ROLES, [...PROTO_ROLES.values]);

const FILE_CONTENT: readonly OneofMember<'bytes' | 'uri' | 'fileWithBytes' | 'fileWithUri'>[] = [
  { name: 'bytes' },
  { name: 'uri' },
  { name: 'fileWithBytes', snakeName: SNAKE },
  { name: 'fileWithUri', snakeName: SNAKE },
];

/** Reads a part; `kind` is the document's, which does not put data into data. */
export function readEitherPart(members: Members, files: FileBytes = fileBytes({})): Part {
  const metadata = members.struct('metadata');
  switch (readKind(members)) {
    case 'text':
      return { kind: 'text', text: requiredString(members, 'text'), metadata };
    case 'file':
      return members.requiredObject<Part>(
        'file',
        undefined,
        (file) => ({ ...readFile(file, files), metadata }),
        NO_FILE,
      );
    case 'data': {
      const data = members.has('kind') ? requiredStruct(members, 'data') : members.object('data', undefined, readData);
      return unwrapData(data ?? {}, metadata);
    }
    case undefined:
      return NO_PART;
  }
}

const readData = (members: Members) => requiredStruct(members, 'data');

function readFile(members: Members, files: FileBytes): Part {
  const attributes = { filename: members.text('name'), mediaType: members.text('mimeType', SNAKE) };
  const name = members.oneof(FILE_CONTENT);
  switch (name) {
    case 'bytes':
      return { kind: 'bytes', bytes: members.base64(name), ...attributes };
    case 'fileWithBytes':
      return { kind: 'bytes', bytes: files.read(members.base64(name, SNAKE)), ...attributes };
    case 'uri':
    case 'fileWithUri':
      return { kind: 'link', url: members.requiredText(name, SNAKE, 'content'), ...attributes };
    case undefined:
      return NO_FILE;
  }
}

/** @param files how ProtoJSON has the bytes of files; the document's own types are clear about them */
export function eitherReaders(files?: FileBytes): ResponseReaders {
  const readPart: Read<Part> = (members) => readEitherPart(members, files);

  /** The proto calls the parts `content`. */
  const readMessageOfEither: Read<Message> = (members) => {
    const name = members.has('content') ? 'content' : 'parts';
    return readMessage(members, EITHER_ROLES, members.list(name, undefined, readPart));
  };

  return eventReaders({ readPart, readMessage: readMessageOfEither, states: EITHER_STATES });
}
