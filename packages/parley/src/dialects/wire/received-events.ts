import type { Message, StreamEvent, Task } from '../../model/task.ts';
import type { PlainCallingDialect } from '../calling/calling.ts';
import { readAgentCard } from '../cards/read-card.ts';
import { readAnswer, sendResultOf } from './answers.ts';
import type { Members, Read } from './members.ts';
import type { Readers } from './readers.ts';

/** The readers of responses in one form, or in several. */
export interface ResponseReaders {
  readonly readTask: Read<Task>;
  readonly readEvent: Read<StreamEvent>;
}

/** Reads events by `kind` where there is one, else by the wrapper, else by what only such an object has: servers forget either. */
export function eventReaders(readers: Readers, readMessage: Read<Message>): ResponseReaders {
  const { readTask } = readers;
  const readEvent: Read<StreamEvent> = (members) => {
    const kind: unknown = members.value('kind') ?? bareKind(members);
    switch (kind) {
      case 'task':
        return { kind: 'task', task: readTask(members) };
      case 'message':
        return { kind: 'message', message: readMessage(members) };
      case 'status-update':
        return readers.readStatusUpdate(members);
      case 'artifact-update':
        return readers.readArtifactUpdate(members);
      default:
        return readers.readWrappedEvent(members);
    }
  };
  return { readTask, readEvent };
}

function bareKind(members: Members): string | undefined {
  if (members.has('task', 'message', 'msg', 'statusUpdate', 'status_update')) return undefined;
  if (members.has('artifact')) return 'artifact-update';
  if (members.has('status')) return members.has('id') ? 'task' : 'status-update';
  return members.has('parts', 'content') ? 'message' : undefined;
}

type Decoders = Pick<PlainCallingDialect, 'decodeEvent'> & {
  readonly decodeResult: Omit<PlainCallingDialect['decodeResult'], 'listTasks'>;
};

/** The decoders of a dialect whose responses are read so. */
export function decodersOf({ readEvent, readTask }: ResponseReaders): Decoders {
  const decodeEvent = (event: unknown): StreamEvent => readAnswer(event, readEvent, 'event');
  const decodeTask = (result: unknown): Task => readAnswer(result, readTask, 'task');
  return {
    decodeEvent,
    decodeResult: {
      sendMessage: (result) => sendResultOf(decodeEvent(result)),
      getTask: decodeTask,
      cancelTask: decodeTask,
      getExtendedCard: (result) => readAgentCard(result).card,
    },
  };
}
