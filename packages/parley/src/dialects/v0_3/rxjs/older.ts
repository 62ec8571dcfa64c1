import type { Artifact, ArtifactUpdate, StreamEvent } from '../../../model/task.ts';
import type { Members } from '../../wire/members.ts';
import type { WireEvent } from '../task/writers.ts';
import { encodePart, readPart } from './parts.ts';
import { READERS, WRITERS } from './tasks.ts';

/** The older spellings of the same system (seed S0.21): a new task is `started`, and each part has an update. */
export class OlderEvents {
  readonly #indexes: Map<string, number> = new Map();
  readonly #parts: Map<string, number> = new Map();
  /** Updates of artifacts have a time, which the model does not give them: it is that of the last status. */
  #time = '';

  encode(event: StreamEvent): readonly object[] {
    switch (event.kind) {
      case 'artifact':
        return this.#artifact(event);
      case 'task':
        this.#time = event.task.status.timestamp;
        for (const artifact of event.task.artifacts) this.#place(artifact, artifact.parts.length);
        break;
      case 'status':
        this.#time = event.status.timestamp;
        break;
      case 'message':
        break;
    }
    return [inOlderWords(WRITERS.encodeEvent(event))];
  }

  #artifact({ taskId, contextId, artifact, append }: ArtifactUpdate): readonly object[] {
    const before = append ? (this.#parts.get(artifact.artifactId) ?? 0) : 0;
    const index = this.#place(artifact, before + artifact.parts.length);
    const timestamp = this.#time;
    return artifact.parts.map((part, at) => ({
      kind: 'artifact-update',
      taskId,
      contextId,
      index,
      part: { ...encodePart(part), index: before + at, append: append || at > 0 },
      timestamp,
      artifactId: artifact.artifactId,
    }));
  }

  /** The artifact's number; notes how many parts it has by now. */
  #place({ artifactId }: Artifact, parts: number): number {
    const index = this.#indexes.get(artifactId) ?? this.#indexes.size;
    this.#indexes.set(artifactId, index);
    this.#parts.set(artifactId, parts);
    return index;
  }
}

/** Renames the state of a task or an update to its older name. */
export function inOlderWords(wire: WireEvent): object {
  if (!('status' in wire) || wire.status.state !== 'submitted') return wire;
  return { ...wire, status: { ...wire.status, state: 'started' } };
}

/** The documents' own updates tell artifacts apart by their places alone; ours name them as well. */
function placeName(index: unknown): string {
  return `artifact-${typeof index === 'number' ? index : 0}`;
}

/** An update of an artifact in either spelling. */
export function readArtifactUpdate(members: Members): ArtifactUpdate {
  if (members.has('artifact')) return READERS.readArtifactUpdate(members);
  const index = members.value('index');
  const part = members.requiredObject(
    'part',
    undefined,
    (one) => ({ content: readPart(one), append: one.flag('append') }),
    { content: { kind: 'text', text: '' }, append: false },
  );
  return {
    kind: 'artifact',
    taskId: members.requiredText('taskId', 'task_id'),
    contextId: members.text('contextId', 'context_id') ?? '',
    artifact: { artifactId: members.text('artifactId') ?? placeName(index), parts: [part.content] },
    append: part.append,
    lastChunk: false,
    metadata: members.struct('metadata'),
  };
}
