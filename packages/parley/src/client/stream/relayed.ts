import { sizeOfParts } from '../../model/part-sizes.ts';
import type { Message, StreamEvent, Task } from '../../model/task.ts';
import { JOINS_TEXT, TaskCollector } from './collect.ts';
import { type EventSource, TaskStream } from './task-stream.ts';

/** A stream of another stream's events, each shown to `onEvent` on its way. */
export function relayed(inner: TaskStream, onEvent: (event: StreamEvent) => void, onEnd: () => void): EventSource {
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
          onEvent(event);
          yield event;
        }
      } finally {
        onEnd();
      }
    },
  };
}

/** What an event holds, roughly: the frame that it came in is not known here. */
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
