import { A2AError } from '../../../model/errors/errors.ts';
import type { StreamEvent, Task } from '../../../model/task.ts';
import type { PlainCallingDialect } from '../../calling.ts';
import { readAgentCard } from '../../read-card.ts';
import { readAnswer, sendResultOf } from '../../wire/answers.ts';
import type { Members, Read } from '../../wire/members.ts';
import { readersOf } from '../task/readers.ts';

/** The readers of responses in one form of 0.3, or in either. */
export interface ResponseReaders {
  readonly readTask: Read<Task>;
  /** By `kind` where there is one, else by the wrapper, else by what only such an object has. */
  readonly readEvent: Read<StreamEvent>;
}

export function eventReaders(vocabulary: Parameters<typeof readersOf>[0]): ResponseReaders {
  const readers = readersOf(vocabulary);
  const readEvent: Read<StreamEvent> = (members) => {
    const kind: unknown = members.value('kind') ?? bareKind(members);
    switch (kind) {
      case 'task':
        return { kind: 'task', task: readers.readTask(members) };
      case 'message':
        return { kind: 'message', message: vocabulary.readMessage(members) };
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

function bareKind(members: Members): string | undefined {
  if (members.has('task', 'message', 'msg', 'statusUpdate', 'status_update')) return undefined;
  if (members.has('artifact')) return 'artifact-update';
  if (members.has('status')) return members.has('id') ? 'task' : 'status-update';
  return members.has('parts', 'content') ? 'message' : undefined;
}

/** The decoders of a dialect whose responses are read so. */
export function decodersOf(readers: ResponseReaders): Pick<PlainCallingDialect, 'decodeResult' | 'decodeEvent'> {
  const decodeEvent = (event: unknown): StreamEvent => readAnswer(event, readers.readEvent, 'event');
  const decodeTask = (result: unknown): Task => readAnswer(result, readers.readTask, 'task');
  return {
    decodeEvent,
    decodeResult: {
      sendMessage: (result) => sendResultOf(decodeEvent(result)),
      getTask: decodeTask,
      listTasks: refuseList,
      cancelTask: decodeTask,
      getExtendedCard: (result) => readAgentCard(result).card,
    },
  };
}

export function refuseList(): never {
  throw new A2AError('UNSUPPORTED_OPERATION', 'A2A 0.3 cannot list tasks');
}
