import type { TaskState } from '../../model/states.ts';
import type {
  Artifact,
  ArtifactUpdate,
  Message,
  Part,
  StatusUpdate,
  StreamEvent,
  Task,
  TaskStatus,
} from '../../model/task.ts';
import type { Members, OneofMember, Read } from './members.ts';
import { NO_STATUS } from './placeholders.ts';
import { SNAKE } from './snake-case.ts';
import type { WireEnum } from './values/enums.ts';
import { parseAnyTimestamp } from './values/timestamps.ts';

/** The words in which the JSON forms of an agent's replies differ. */
export interface Vocabulary {
  readonly readPart: Read<Part>;
  readonly readMessage: Read<Message>;
  readonly states: WireEnum<TaskState>;
  /** Another name of the member that has the message of a status. */
  readonly statusMessageAlias?: string | undefined;
  /** Another name of the member that has the message of a wrapped event. */
  readonly messageAlias?: string | undefined;
  /** For artifacts that are written in another way. */
  readonly readArtifact?: Read<Artifact> | undefined;
  /** For messages of a status that are written in another way. */
  readonly readStatusMessage?: Read<Message | undefined> | undefined;
}

/** The readers of one form. The objects are alike but for the vocabulary. */
export interface Readers {
  readonly readTask: Read<Task>;
  readonly readStatus: Read<TaskStatus>;
  readonly readArtifact: Read<Artifact>;
  readonly readStatusUpdate: Read<StatusUpdate>;
  readonly readArtifactUpdate: Read<ArtifactUpdate>;
  /** An event under the name of its payload, as REST and gRPC have them (reference: v03 §8). */
  readonly readWrappedEvent: Read<StreamEvent>;
}

type Payload = 'task' | 'message' | 'statusUpdate' | 'artifactUpdate';

function payloadMembers(messageAlias: string | undefined): readonly OneofMember<Payload>[] {
  return [
    { name: 'task' },
    { name: 'message', snakeName: messageAlias },
    { name: 'statusUpdate', snakeName: SNAKE },
    { name: 'artifactUpdate', snakeName: SNAKE },
  ];
}

export function readersOf(vocabulary: Vocabulary): Readers {
  const { readPart, readMessage, states, messageAlias } = vocabulary;
  const payload = payloadMembers(messageAlias);

  const readTask = (members: Members): Task => ({
    id: members.requiredText('id'),
    contextId: members.text('contextId', SNAKE) ?? '',
    status: members.requiredObject('status', undefined, readStatus, NO_STATUS),
    artifacts: members.list('artifacts', undefined, readArtifact),
    history: members.list('history', undefined, readMessage),
    metadata: members.struct('metadata'),
  });

  const readStatusMessage =
    vocabulary.readStatusMessage ??
    ((members: Members) => members.object('message', vocabulary.statusMessageAlias, readMessage));

  const readStatus = (members: Members): TaskStatus => ({
    state: members.requiredEnum(states, 'working', 'state'),
    message: readStatusMessage(members),
    timestamp: readTimestamp(members),
  });

  /** Deployed agents end an artifact with a chunk without parts: it is taken, though the protocol wants one. */
  const readPlainArtifact = (members: Members): Artifact => ({
    artifactId: members.requiredText('artifactId', SNAKE),
    parts: members.list('parts', undefined, readPart),
    name: members.text('name'),
    description: members.text('description'),
    extensions: members.texts('extensions'),
    metadata: members.struct('metadata'),
  });

  const readArtifact = vocabulary.readArtifact ?? readPlainArtifact;

  const readStatusUpdate = (members: Members): StatusUpdate => ({
    kind: 'status',
    taskId: members.requiredText('taskId', SNAKE),
    contextId: members.text('contextId', SNAKE) ?? '',
    status: members.requiredObject('status', undefined, readStatus, NO_STATUS),
    metadata: members.struct('metadata'),
  });

  const readArtifactUpdate = (members: Members): ArtifactUpdate => ({
    kind: 'artifact',
    taskId: members.requiredText('taskId', SNAKE),
    contextId: members.text('contextId', SNAKE) ?? '',
    artifact: members.requiredObject('artifact', undefined, readArtifact),
    append: members.flag('append'),
    lastChunk: members.flag('lastChunk', SNAKE),
    metadata: members.struct('metadata'),
  });

  /** A payload that cannot be read is not there: the whole is refused for it. */
  const readWrappedEvent = (members: Members): StreamEvent => {
    const name = members.oneof(payload);
    switch (name) {
      case 'artifactUpdate':
        return members.object(name, SNAKE, readArtifactUpdate) as ArtifactUpdate;
      case 'statusUpdate':
        return members.object(name, SNAKE, readStatusUpdate) as StatusUpdate;
      case 'message':
        return { kind: name, message: members.object(name, messageAlias, readMessage) as Message };
      case 'task':
      case undefined:
        return { kind: 'task', task: members.object('task', undefined, readTask) as Task };
    }
  };

  return { readTask, readStatus, readArtifact, readStatusUpdate, readArtifactUpdate, readWrappedEvent };
}

/** '' if there is none that can be read: no reply is thrown away for its time. */
function readTimestamp(members: Members): string {
  const instant = parseAnyTimestamp(members.string('timestamp') ?? '');
  return instant === undefined ? '' : new Date(instant).toISOString();
}
