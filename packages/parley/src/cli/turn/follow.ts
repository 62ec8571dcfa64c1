import type { TaskStream } from '../../client/stream/task-stream.ts';
import { A2AError, isA2AError } from '../../model/errors/errors.ts';
import { textOf } from '../../model/parts.ts';
import { isInterrupted } from '../../model/states.ts';
import type { Message, StreamEvent, Task, TaskStatus } from '../../model/task.ts';
import { milliseconds } from '../connect/connect.ts';
import { secretsOf } from '../show/given-secrets.ts';
import { CommandError, problemOf } from '../show/problems.ts';
import { commandLine, lastWord } from '../text/shell.ts';
import type { Answer } from './answer.ts';
import type { Conversation } from './conversation.ts';
import type { Interruption } from './interruption.ts';

/** The wait for a task's id, or for the end of its stream, at a cancellation. */
const CANCEL_PATIENCE_MILLISECONDS = 3000;

interface FollowOptions {
  /** Writes the text as it comes, or with `--json` every event. */
  readonly live: boolean;
  readonly answer: Answer;
  /** Only looks on: Ctrl-C leaves the task alone, and so does a question that is there already. */
  readonly watches?: boolean;
}

/** Follows a stream to the end of its turn. Ctrl-C cancels the task. */
export async function follow(
  stream: TaskStream,
  conversation: Conversation,
  { live, answer, watches = false }: FollowOptions,
): Promise<Task | Message> {
  const { screen, interruption, client, positions, options } = conversation;
  const { signal } = interruption;
  const release = interruption.handle(() => {
    if (watches) interruption.giveUp(stillGoing(stream, conversation));
    else void cancel(stream, conversation);
  });
  const beginning = beginningOf(options.timeout, interruption);
  screen.busy('waiting for the agent…', () => (live ? answer.pending : ''));
  try {
    for await (const event of stream) {
      clearTimeout(beginning);
      if (live && screen.json) screen.object(positions.withPosition(event));
      else if (live) answer.apply(event);
      await screen.drained();
      screen.alert = undefined;
      const activity = activityOf(event);
      if (activity) screen.activity = activity;
      // A task may be authorized elsewhere and go on, so its stream stays open; the first look at a task that is being
      // answered still shows the question.
      const status = watches || event.kind === 'status' ? statusOf(event) : undefined;
      if (status && isInterrupted(status.state)) break;
    }
    const result = await stream.result.catch((error: unknown) => leftTask(error));
    return result ?? (await client.getTask(await stream.id));
  } catch (error) {
    if (signal.reason instanceof CanceledTask) return signal.reason.task;
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(beginning);
    if (live) answer.end();
    screen.idle();
    release();
  }
}

/** Gives up on a stream that does not begin in time: one that has sent only its headers has not begun. */
function beginningOf(seconds: string | undefined, interruption: Interruption): NodeJS.Timeout | undefined {
  if (seconds === undefined) return undefined;
  const late = () => interruption.giveUp(new A2AError('TIMEOUT', `No event came within ${seconds} s`));
  return setTimeout(late, milliseconds(seconds));
}

/** The task as far as a stream had delivered it when it was left. */
function leftTask(error: unknown): Task | undefined {
  if (isA2AError(error) && error.code === 'STREAM_INTERRUPTED') return error.task;
  throw error;
}

/** The stream does not end although the task is canceled. */
class CanceledTask extends Error {
  readonly task: Task;

  constructor(task: Task) {
    super('The task was canceled');
    this.task = task;
  }
}

async function cancel(
  stream: TaskStream,
  { client, screen, interruption, surroundings, url, options }: Conversation,
): Promise<void> {
  const { program } = surroundings;
  screen.note(screen.noteStyle.apply('Canceling the task; Ctrl-C again leaves at once.', 'yellow'));
  screen.activity = 'canceling…';
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    late = setTimeout(resolve, CANCEL_PATIENCE_MILLISECONDS, undefined);
  });
  try {
    const id = await Promise.race([stream.id, patience]);
    if (id === undefined) {
      const advice = `it may still do so; see: ${commandLine(program, 'tasks', url)}`;
      interruption.giveUp(new CommandError(`Stopped before the agent had named a task; ${advice}`));
      return;
    }
    const task = await client.cancelTask(id);
    clearTimeout(late);
    late = setTimeout(() => interruption.giveUp(new CanceledTask(task)), CANCEL_PATIENCE_MILLISECONDS);
    late.unref();
  } catch (error) {
    clearTimeout(late);
    // It ended meanwhile, or never was a task: the stream tells.
    if (isA2AError(error) && ['TASK_NOT_CANCELABLE', 'INVALID_RESPONSE'].includes(error.code)) return;
    const secrets = secretsOf(options, surroundings.env);
    screen.note(`parley: The task could not be canceled. ${problemOf(error, { program, url, secrets }).text}`);
    interruption.giveUp(error);
  }
}

function stillGoing(stream: TaskStream, { surroundings, url }: Conversation): CommandError {
  const id = stream.id;
  const again = commandLine(surroundings.program, 'watch', url, ...lastWord(typeof id === 'string' ? id : 'ID'));
  return new CommandError(`Stopped watching; the task goes on. Watch again: ${again}`, 130, 'INTERRUPTED');
}

function statusOf(event: StreamEvent): TaskStatus | undefined {
  switch (event.kind) {
    case 'task':
      return event.task.status;
    case 'status':
      return event.status;
    case 'artifact':
    case 'message':
      return undefined;
  }
}

function activityOf(event: StreamEvent): string | undefined {
  const status = statusOf(event);
  if (status) return status.message ? textOf(status.message) : `${status.state}…`;
  if (event.kind === 'artifact') return `receiving ${event.artifact.name ?? 'the answer'}…`;
  return undefined;
}
