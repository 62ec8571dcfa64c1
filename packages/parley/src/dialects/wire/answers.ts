import { A2AError, isA2AError, wordsOf } from '../../model/errors/errors.ts';
import type { Message, StreamEvent, Task } from '../../model/task.ts';
import { decode, type Read } from './members.ts';

/** Reads what a server answered: what is wrong with it is the server's fault, not that of our parameters. */
export function readAnswer<Value>(value: unknown, read: Read<Value>, name: string): Value {
  if (value === undefined || value === null) throw invalidAnswer(`the ${name} is missing`);
  return blamingServer(() => decode(value, read, name));
}

export function blamingServer<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!isA2AError(error) || error.code !== 'INVALID_PARAMS') throw error;
    const { violations } = error;
    throw invalidAnswer(wordsOf(violations).join('; '), violations);
  }
}

function invalidAnswer(problem: string, violations: A2AError['violations'] = []): A2AError {
  return new A2AError('INVALID_RESPONSE', `The server's response is not valid A2A: ${problem}`, { violations });
}

/** The result of a send is an event too, of two of the four kinds. */
export function sendResultOf(event: StreamEvent): Task | Message {
  if (event.kind === 'task') return event.task;
  if (event.kind === 'message') return event.message;
  throw invalidAnswer('the result must be a task or a message');
}
