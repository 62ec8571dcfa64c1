import { A2AError, isA2AError } from '../../model/errors/errors.ts';
import { isTask, type Message, type StreamEvent, type Task } from '../../model/task.ts';

const HIDDEN: Message['parts'] = [{ kind: 'text', text: '(not shown)' }];

/** The messages whose content is a secret, by their ids. What the agent repeats of them comes without it. */
export class Secrets {
  readonly #ids = new Set<string>();

  add(messageId: string): void {
    this.#ids.add(messageId);
  }

  task(task: Task): Task {
    if (this.#ids.size === 0) return task;
    return { ...task, history: task.history.map((message) => this.message(message)) };
  }

  message(message: Message): Message {
    return this.#ids.has(message.messageId) ? { ...message, parts: HIDDEN } : message;
  }

  event(event: StreamEvent): StreamEvent {
    return event.kind === 'task' && this.#ids.size > 0 ? { kind: 'task', task: this.task(event.task) } : event;
  }

  /** An error that shows the task shows what was said in it. */
  error(error: unknown): unknown {
    if (this.#ids.size === 0 || !isA2AError(error)) return error;
    const { code, message, metadata, violations, reason, httpStatus, retryAfter, task, received } = error;
    return new A2AError(code, message, {
      metadata,
      violations,
      reason,
      httpStatus,
      retryAfter,
      cause: this.error(error.cause),
      task: task && this.task(task),
      received: received && (isTask(received) ? this.task(received) : this.message(received)),
    });
  }
}
