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
import type { WireEnum } from '../wire/enums.ts';
import type { Members, OneofMember, Read } from '../wire/members.ts';
import { parseAnyTimestamp } from '../wire/timestamps.ts';
import { NO_MESSAGE } from './messages.ts';

/** Where the two JSON forms differ for whoever reads an agent's replies. */
export interface Vocabulary {
  readonly readPart: Read<Part>;
  readonly readMessage: Read<Message>;
  readonly states: WireEnum<TaskState>;
  /** Where artifacts are written in another way. */
  readonly readArtifact?: Read<Artifact> | undefined;
  /** Where the message of a status is. */
  readonly readStatusMessage?: Read<Message | undefined> | undefined;
}

/** The readers of one form. What they read is alike but for the vocabulary. */
export interface Readers {
  readonly readTask: Read<Task>;
  readonly readStatusUpdate: Read<StatusUpdate>;
  readonly readArtifactUpdate: Read<ArtifactUpdate>;
  /** An event under the name of its payload, as REST and gRPC have them (reference: v03 §8). */
  readonly readWrappedEvent: Read<StreamEvent>;
}

const PAYLOAD: readonly OneofMember<'task' | 'message' | 'statusUpdate' | 'artifactUpdate'>[] = [
  { name: 'task' },
  { name: 'message', snakeName: 'msg' },
  { name: 'statusUpdate', snakeName: 'status_update' },
  { name: 'artifactUpdate', snakeName: 'artifact_update' },
];

/** Stand in for what could not be read. */
const NO_STATUS: TaskStatus = { state: 'working', timestamp: '' };
const NO_TASK: Task = { id: '', contextId: '', status: NO_STATUS, artifacts: [], history: [] };
const NO_ARTIFACT: Artifact = { artifactId: '', parts: [] };
const NO_STATUS_UPDATE: StatusUpdate = { kind: 'status', taskId: '', contextId: '', status: NO_STATUS };
const NO_ARTIFACT_UPDATE: ArtifactUpdate = {
  kind: 'artifact',
  taskId: '',
  contextId: '',
  artifact: NO_ARTIFACT,
  append: false,
  lastChunk: false,
};

export function readersOf({ readPart, readMessage, states, ...own }: Vocabulary): Readers {
  const readTask = (members: Members): Task => ({
    id: members.requiredText('id'),
    contextId: members.text('contextId', 'context_id') ?? '',
    status: members.requiredObject('status', undefined, readStatus, NO_STATUS),
    artifacts: members.list('artifacts', undefined, readArtifact),
    history: members.list('history', undefined, readMessage),
    metadata: members.struct('metadata'),
  });

  const readStatus = (members: Members): TaskStatus => ({
    state: members.requiredEnum(states, 'working', 'state'),
    message: own.readStatusMessage ? own.readStatusMessage(members) : members.object('message', 'update', readMessage),
    timestamp: readTimestamp(members),
  });

  /** Deployed agents end an artifact with a chunk without parts. */
  const readPlainArtifact = (members: Members): Artifact => ({
    artifactId: members.requiredText('artifactId', 'artifact_id'),
    parts: members.list('parts', undefined, readPart),
    name: members.text('name'),
    description: members.text('description'),
    extensions: members.texts('extensions'),
    metadata: members.struct('metadata'),
  });

  const readArtifact = own.readArtifact ?? readPlainArtifact;

  const readStatusUpdate = (members: Members): StatusUpdate => ({
    kind: 'status',
    taskId: members.requiredText('taskId', 'task_id'),
    contextId: members.text('contextId', 'context_id') ?? '',
    status: members.requiredObject('status', undefined, readStatus, NO_STATUS),
    metadata: members.struct('metadata'),
  });

  const readArtifactUpdate = (members: Members): ArtifactUpdate => ({
    kind: 'artifact',
    taskId: members.requiredText('taskId', 'task_id'),
    contextId: members.text('contextId', 'context_id') ?? '',
    artifact: members.requiredObject('artifact', undefined, readArtifact, NO_ARTIFACT),
    append: members.flag('append'),
    lastChunk: members.flag('lastChunk', 'last_chunk'),
    metadata: members.struct('metadata'),
  });

  const readWrappedEvent = (members: Members): StreamEvent => {
    switch (members.oneof(PAYLOAD)) {
      case 'artifactUpdate':
        return members.requiredObject('artifactUpdate', 'artifact_update', readArtifactUpdate, NO_ARTIFACT_UPDATE);
      case 'statusUpdate':
        return members.requiredObject('statusUpdate', 'status_update', readStatusUpdate, NO_STATUS_UPDATE);
      case 'message':
        return { kind: 'message', message: members.object('message', 'msg', readMessage) ?? NO_MESSAGE };
      case 'task':
      case undefined:
        return { kind: 'task', task: members.object('task', undefined, readTask) ?? NO_TASK };
    }
  };

  return { readTask, readStatusUpdate, readArtifactUpdate, readWrappedEvent };
}

/** '' where there is none, or none that can be read: no reply is thrown away for its time. */
function readTimestamp(members: Members): string {
  const instant = parseAnyTimestamp(members.string('timestamp') ?? '');
  return instant === undefined ? '' : new Date(instant).toISOString();
}
