import { sizeOfParts } from '../../model/part-sizes.ts';
import type { Message, StreamEvent, Task, TaskStatus } from '../../model/task.ts';
import { JOINS_TEXT, TaskCollector } from './collect.ts';
import { type EventSource, TaskStream } from './task-stream.ts';

/** A stream of another stream's events, each shown to `onEvent` on its way. The next one is read once that is done. */
export function relayed(
  inner: TaskStream,
  onEvent: (event: StreamEvent) => Promise<void> | undefined,
  onEnd: () => void,
): EventSource {
  let collector = new TaskCollector();
  let isFirst = true;
  return {
    get collector() {
      return collector;
    },
    get taskId() {
      return collector.taskId;
    },
    whole: () => inner.result,
    async *events() {
      try {
        for await (const event of inner) {
          // Known once an event has come.
          if (isFirst) collector = new TaskCollector({ joinText: inner[JOINS_TEXT] });
          isFirst = false;
          collector.apply(event, sizeOf(event));
          const done = onEvent(event);
          if (done) await done;
          yield event;
        }
      } finally {
        onEnd();
      }
    },
  };
}

interface TurnStreamOptions {
  readonly cancelTask: (id: string) => Promise<Task>;
  /** Reads the task at the end, where the events are not those from its beginning. */
  readonly whole?: (() => Promise<Task>) | undefined;
  /** Decides whether a question ends the turn. Default: each does. */
  readonly isEnd?: ((status: TaskStatus) => Promise<boolean>) | undefined;
}

/** One turn of a task that is followed: a stream that ends with a question, as that of a send does. */
export function turnStream(inner: TaskStream, { cancelTask, whole, isEnd }: TurnStreamOptions): TaskStream {
  let hasEnded = false;
  const source = relayed(
    inner,
    () => undefined,
    () => {},
  );
  return new TaskStream({
    cancelTask,
    open: async () => ({
      get collector() {
        return source.collector;
      },
      get taskId() {
        return source.taskId;
      },
      // A stream that was left in the middle has no end of its own.
      whole: async () => whole?.() ?? (hasEnded ? source.collector.received : inner.result),
      async *events() {
        for await (const event of source.events()) {
          yield event;
          const question = questionIn(event);
          hasEnded = question !== undefined && (!isEnd || (await isEnd(question)));
          if (hasEnded) return;
        }
      },
    }),
  });
}

function questionIn(event: StreamEvent): TaskStatus | undefined {
  const status = event.kind === 'task' ? event.task.status : event.kind === 'status' ? event.status : undefined;
  return status?.state === 'input-required' ? status : undefined;
}

/** The rough size of an event: the frame that it came in is not known here. */
function sizeOf(event: StreamEvent): number {
  switch (event.kind) {
    case 'artifact':
      return sizeOfParts(event.artifact.parts);
    case 'status':
      return event.status.message ? sizeOfParts(event.status.message.parts) : 0;
    case 'message':
      return sizeOfParts(event.message.parts);
    case 'task':
      return event.task.artifacts.reduce((size, { parts }) => size + sizeOfParts(parts), 0);
  }
}

/** A stream of what is known already. */
export function streamOf(answer: Task | Message, cancelTask: (id: string) => Promise<Task>): TaskStream {
  const event: StreamEvent = 'status' in answer ? { kind: 'task', task: answer } : { kind: 'message', message: answer };
  const collector = new TaskCollector({ joinText: true });
  collector.apply(event);
  const source: EventSource = {
    collector,
    taskId: collector.taskId,
    async *events() {
      yield event;
    },
  };
  return new TaskStream({ open: async () => source, cancelTask, taskId: collector.taskId });
}
