import type { StreamEvent } from '../../../model/task.ts';
import { decode, type Members } from '../../wire/members.ts';
import { NO_MESSAGE } from '../../wire/placeholders.ts';
import { readReceivedMessage } from './messages.ts';
import { READERS, WRITERS } from './tasks.ts';

export { isFinal } from './tasks.ts';
export type { WireArtifactUpdate, WireEvent, WireStatusUpdate } from './writers.ts';

export const { encodeEvent, encodeArtifactUpdate, encodeStatusUpdate } = WRITERS;

const EVENT_KINDS = 'task, message, status-update, artifact-update';

export function decodeEvent(value: unknown): StreamEvent {
  return decode(value, readEvent, 'event');
}

/** `final` is not read: where a stream ends is a matter of the stream. */
function readEvent(members: Members): StreamEvent {
  const kind = members.value('kind');
  switch (kind) {
    case 'artifact-update':
      return READERS.readArtifactUpdate(members);
    case 'status-update':
      return READERS.readStatusUpdate(members);
    case 'task':
      return { kind: 'task', task: READERS.readTask(members) };
    case 'message':
      return { kind: 'message', message: readReceivedMessage(members) };
    default:
      members.reject('kind', kind === undefined ? 'is required' : `must be one of ${EVENT_KINDS}`);
      return { kind: 'message', message: NO_MESSAGE };
  }
}
