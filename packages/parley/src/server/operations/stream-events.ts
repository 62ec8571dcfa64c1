import type { TaskEvent } from '../../engine/log/events.ts';
import type { StreamEvent } from '../../model/task.ts';

/** An event of the log as readers see it; undefined for what has no frame of its own. */
export function streamEventOf(event: TaskEvent, taskId: string, contextId: string): StreamEvent | undefined {
  switch (event.kind) {
    case 'status': {
      const { status, noted } = event;
      const metadata = noted ? { ...noted, ...event.metadata } : event.metadata;
      return { kind: 'status', taskId, contextId, status, metadata };
    }
    case 'artifact': {
      const { artifact, append, lastChunk, metadata } = event;
      return { kind: 'artifact', taskId, contextId, artifact, append, lastChunk, metadata };
    }
    case 'created':
    case 'noted':
    case 'message':
      return undefined;
  }
}
