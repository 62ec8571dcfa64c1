import type { ArtifactUpdate, Message, StatusUpdate, StreamEvent, Task } from '../../model/task.ts';

/** The writers of one vocabulary for the four kinds of events. */
interface EventWriters<WireTask, WireMessage, WireStatusUpdate, WireArtifactUpdate> {
  readonly task: (task: Task) => WireTask;
  readonly message: (message: Message) => WireMessage;
  readonly statusUpdate: (update: StatusUpdate) => WireStatusUpdate;
  readonly artifactUpdate: (update: ArtifactUpdate) => WireArtifactUpdate;
}

/** Exactly one member; its name is the discriminator (reference: v1-data-model, StreamResponse; v03 §8, §9). */
export type WrappedEvent<WireTask, WireMessage, WireStatusUpdate, WireArtifactUpdate> =
  | { task: WireTask }
  | { message: WireMessage }
  | { statusUpdate: WireStatusUpdate }
  | { artifactUpdate: WireArtifactUpdate };

export function wrapEvent<WireTask, WireMessage, WireStatusUpdate, WireArtifactUpdate>(
  event: StreamEvent,
  write: EventWriters<WireTask, WireMessage, WireStatusUpdate, WireArtifactUpdate>,
): WrappedEvent<WireTask, WireMessage, WireStatusUpdate, WireArtifactUpdate> {
  switch (event.kind) {
    case 'artifact':
      return { artifactUpdate: write.artifactUpdate(event) };
    case 'status':
      return { statusUpdate: write.statusUpdate(event) };
    case 'task':
      return { task: write.task(event.task) };
    case 'message':
      return { message: write.message(event.message) };
  }
}
