import { setTimeout as sleep } from 'node:timers/promises';
import { textOf } from '../../model/parts.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import type { Answer } from './answer.ts';
import type { Conversation } from './conversation.ts';

const PAUSE_MILLISECONDS = 1000;
/** A state that its agent still cannot tell then is taken for the answer. */
const MOST_UNKNOWN_LOOKS = 3;

/** Follows a task by asking for it now and then, where it cannot be streamed: it is over, or its agent does not stream. */
export async function poll(id: string, { client, screen, interruption }: Conversation, answer: Answer): Promise<Task> {
  const { signal } = interruption;
  let last = '';
  let unknown = 0;
  screen.busy('waiting for the agent…');
  try {
    for (;;) {
      const task = await client.getTask(id, { signal });
      const now = JSON.stringify(task);
      if (now !== last && screen.json) screen.object({ kind: 'task', task });
      else if (now !== last) answer.apply({ kind: 'task', task });
      last = now;
      const { state, message } = task.status;
      unknown = state === 'unknown' ? unknown + 1 : 0;
      if (isTerminal(state) || isInterrupted(state) || unknown >= MOST_UNKNOWN_LOOKS) return task;
      screen.activity = message ? textOf(message) : `${state}…`;
      await sleep(PAUSE_MILLISECONDS, undefined, { signal });
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    answer.end();
    screen.idle();
  }
}
