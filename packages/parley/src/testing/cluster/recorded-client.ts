import type { ReceivedEvent } from '../../bindings/caller.ts';
import { A2AClient } from '../../client/every-dialect-client.ts';
import type { ClientInterceptor, ClientOptions, OutgoingCall } from '../../client/options.ts';
import type { TaskStream } from '../../client/stream/task-stream.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import type { SendInput } from '../../model/operations.ts';
import { textOf } from '../../model/parts.ts';
import { isInterrupted } from '../../model/states.ts';
import { isTask, type Message, type StreamEvent, type Task } from '../../model/task.ts';
import { digestOf } from './digest.ts';
import type { ClusterLog } from './log-entry.ts';

export interface RecordedOptions extends ClientOptions {
  /** The name of the client in the log; use another one for each stream. */
  readonly client: string;
  /** Records what the client sees. */
  readonly log: ClusterLog;
  /** The digest of the text that the completed task must have. */
  readonly expects?: string | undefined;
}

/** A client of one task that writes everything it sends and receives into a log, as it is on the wire. */
export function recordedClient(url: string, { client, log, expects, ...options }: RecordedOptions): A2AClient {
  const interceptors = [...(options.interceptors ?? []), recorder(client, log, expects)];
  return new A2AClient(url, { ...options, interceptors });
}

export interface ReadingOptions {
  readonly client: string;
  readonly log: ClusterLog;
  /** Leaves at the first question: the stream of a task that waits for its caller stays open. */
  readonly untilQuestion?: boolean | undefined;
}

/** Reads a stream of a recorded client to its end. Never rejects: a stream that fails is an entry of the log. */
export async function readToEnd(stream: TaskStream, options: ReadingOptions): Promise<void> {
  const { client, log, untilQuestion = false } = options;
  try {
    for await (const event of stream) {
      if (!untilQuestion || event.kind !== 'status' || !isInterrupted(event.status.state)) continue;
      log({ kind: 'ended', client, taskId: event.taskId, state: event.status.state, text: '' });
      return;
    }
    const task = await stream.task;
    log({ kind: 'ended', client, taskId: task.id, state: task.status.state, text: textDigestOf(task) });
  } catch (error) {
    log({ kind: 'gave-up', client, error: tell(error) });
  }
}

/** The digest of the text of a task's artifacts: of the text itself where there is one. */
export function textDigestOf({ artifacts }: Task): string {
  return digestOf(artifacts.map(({ parts }) => textOf(parts)).join('\n\n'));
}

/** The failure with what caused it, in one line. */
export function tell(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const name = isA2AError(error) ? error.code : error.name;
  const cause = error.cause === undefined ? '' : ` (${tell(error.cause)})`;
  return `${name}: ${error.message}${cause}`;
}

function recorder(client: string, log: ClusterLog, expects: string | undefined): ClientInterceptor {
  return async (call, next) => {
    const { operation } = call;
    const message = sentBy(call);
    if (message) log({ kind: 'sent', client, messageId: message.messageId, expects });
    const lose = (error: unknown): never => {
      log({ kind: 'lost', client, operation, code: isA2AError(error) ? error.code : tell(error) });
      throw error;
    };
    const result = await next(call).catch(lose);
    const acknowledge = (taskId: string) => {
      if (message) log({ kind: 'acknowledged', client, messageId: message.messageId, taskId });
    };
    if (operation === 'sendMessage') {
      if (isTask(result as Task | Message)) acknowledge((result as Task).id);
      return result;
    }
    if (operation !== 'sendStreamingMessage' && operation !== 'subscribeToTask') return result;
    log({ kind: 'opened', client, after: call.headers['last-event-id'] });
    return recordEvents(result as AsyncIterable<ReceivedEvent>, { client, log, acknowledge, lose });
  };
}

interface Recording {
  readonly client: string;
  readonly log: ClusterLog;
  readonly acknowledge: (taskId: string) => void;
  readonly lose: (error: unknown) => never;
}

async function* recordEvents(
  events: AsyncIterable<ReceivedEvent>,
  { client, log, acknowledge, lose }: Recording,
): AsyncGenerator<ReceivedEvent, void, void> {
  let isFirst = true;
  try {
    for await (const received of events) {
      const { event, id: position } = received;
      const taskId = taskIdOf(event);
      if (taskId !== undefined) {
        if (isFirst) acknowledge(taskId);
        isFirst = false;
      }
      if (taskId !== undefined && position !== undefined && event.kind !== 'message') {
        const digest = digestOf(JSON.stringify(event));
        log({ kind: 'event', client, taskId, position, what: event.kind, digest });
      }
      yield received;
    }
  } catch (error) {
    lose(error);
  }
}

function sentBy({ operation, input }: OutgoingCall): Message | undefined {
  return operation === 'sendMessage' || operation === 'sendStreamingMessage' ? (input as SendInput).message : undefined;
}

function taskIdOf(event: StreamEvent): string | undefined {
  if (event.kind === 'message') return undefined;
  return event.kind === 'task' ? event.task.id : event.taskId;
}
