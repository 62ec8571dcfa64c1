import type { Message, Part, StreamEvent } from '../../../model/task.ts';
import { eitherReaders } from '../../v0_3/calling/either-form.ts';
import { readAnswer } from '../../wire/answers.ts';
import { decode, type Members } from '../../wire/members.ts';
import { readReceivedMessage } from '../task/messages.ts';
import { artifactOf, type Completion, readCompletion, readStatus, readTask, saidBy, taskOf } from './received.ts';

const { readEvent: readEitherEvent } = eitherReaders();

/** Reads the frames of one stream: each partial completion holds all of the text, of which the new end is an event. */
export function streamDecoder(): (result: unknown) => readonly StreamEvent[] {
  let soFar: Message | undefined;

  const read = (members: Members): readonly StreamEvent[] => {
    switch (members.value('kind')) {
      case 'status-update':
        return [readStatusUpdate(members)];
      case 'partial-completion': {
        const completion = readCompletion(members);
        const events = grown(soFar, completion);
        soFar = completion.message;
        return events;
      }
      case 'completion':
        return ended(readCompletion(members));
      case 'message':
        return [{ kind: 'message', message: readReceivedMessage(members) }];
      case 'task':
        return [{ kind: 'task', task: readTask(members) }];
      default:
        return [readEitherEvent(members)];
    }
  };

  return (result) => readAnswer(result, read, 'event');
}

function readStatusUpdate(members: Members): StreamEvent {
  const taskId = members.requiredText('taskId', 'task_id');
  const status = members.requiredObject('status', undefined, readStatus, { state: 'working', timestamp: '' });
  const contextId = members.text('contextId', 'context_id') ?? status.message?.contextId ?? '';
  return { kind: 'status', taskId, contextId, status: saidBy(status, taskId, contextId) };
}

function grown(before: Message | undefined, { taskId, contextId, message }: Completion): readonly StreamEvent[] {
  const ids = { kind: 'artifact', taskId, contextId, lastChunk: false } as const;
  const tail = before?.messageId === message.messageId ? tailOf(before.parts, message.parts) : undefined;
  if (tail === undefined) return [{ ...ids, artifact: artifactOf(message), append: false }];
  if (tail.length === 0) return [];
  return [{ ...ids, artifact: { artifactId: message.messageId, parts: tail }, append: true }];
}

/** The parts that are new after the known ones; undefined where those are not the beginning. Only texts are compared. */
function tailOf(before: readonly Part[], parts: readonly Part[]): readonly Part[] | undefined {
  const last = before.at(-1);
  const next = parts[before.length - 1];
  if (last?.kind !== 'text' || next?.kind !== 'text' || !next.text.startsWith(last.text)) return undefined;
  const isSame = before.slice(0, -1).every((part, index) => {
    const other = parts[index];
    return part.kind === 'text' && other?.kind === 'text' && part.text === other.text;
  });
  if (!isSame) return undefined;
  const rest = next.text.slice(last.text.length);
  const more = rest === '' ? [] : [{ ...next, text: rest }];
  return [...more, ...parts.slice(before.length)];
}

/** The whole answer once more, as it is kept, and the end; or what the task waits for. */
function ended({ taskId, contextId, message, final }: Completion): readonly StreamEvent[] {
  const { status, artifacts } = taskOf({ taskId, contextId, message, final });
  const answers = artifacts.map(
    (artifact): StreamEvent => ({ kind: 'artifact', taskId, contextId, artifact, append: false, lastChunk: true }),
  );
  return [...answers, { kind: 'status', taskId, contextId, status }];
}

/** One frame alone. */
export function decodeEvent(event: unknown): StreamEvent {
  const [first] = streamDecoder()(event);
  return first ?? decode(event, readEitherEvent, 'event');
}
