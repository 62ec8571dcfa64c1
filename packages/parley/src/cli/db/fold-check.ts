import { isDeepStrictEqual } from 'node:util';
import type { TaskEvent } from '../../engine/log/events.ts';
import { TaskFold } from '../../engine/log/task-fold.ts';
import type { ArtifactBody } from '../../engine/ports.ts';
import type { LoggedTask } from '../../stores/sqlite/care/examine.ts';

/** Says how a task differs from what its events make; undefined for one that does not. */
export function judgeTask({ stored, events }: LoggedTask): string | undefined {
  const { head } = stored;
  const shown = plain(TaskFold.restore(stored).snapshot());
  const [first] = events;
  const last = events.at(-1);
  if (!first || last?.seq !== head.seq) return `its log ends at ${last?.seq ?? 0}, and its head is at ${head.seq}`;
  const gap = events.findIndex(({ seq }, index) => seq !== first.seq + index);
  if (gap > 0) return `event ${first.seq + gap} is missing`;
  // The beginning was dropped, so the events alone do not make the task.
  if (first.seq !== 1) return undefined;
  const folded = plain(foldOf(head.id, head.contextId, events).snapshot());
  for (const member of ['status', 'artifacts', 'history', 'metadata'] as const) {
    if (!isDeepStrictEqual(folded[member], shown[member])) return `its ${member} are not what its events make`;
  }
  return undefined;
}

/** The artifacts that a whole log makes. */
export function bodiesOf(id: string, contextId: string, events: readonly TaskEvent[]): readonly ArtifactBody[] {
  try {
    const { artifacts } = foldOf(id, contextId, events).snapshot();
    const seq = events.at(-1)?.seq ?? 0;
    return (artifacts ?? []).map((artifact, position) => ({ artifact, position, seq }));
  } catch {
    return [];
  }
}

function foldOf(id: string, contextId: string, events: readonly TaskEvent[]): TaskFold {
  const fold = new TaskFold(id, contextId);
  for (const event of events) fold.apply(event);
  return fold;
}

/** As in JSON: undefined members are absent. */
function plain(task: ReturnType<TaskFold['snapshot']>): ReturnType<TaskFold['snapshot']> {
  return JSON.parse(JSON.stringify(task));
}
