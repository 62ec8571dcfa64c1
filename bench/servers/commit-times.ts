import type { StreamEvent } from 'parley-a2a';
import { microseconds } from '../load/metered.ts';
import type { CommitTime } from './protocol.ts';

const times: CommitTime[] = [];

/** Keeps when a metered chunk was committed. */
export function noteCommit(event: StreamEvent): void {
  if (!('artifact' in event)) return;
  const [part] = event.artifact.parts;
  if (part !== undefined && 'text' in part) times.push([Number(part.text.replaceAll('.', '')), microseconds()]);
}

/** What was noted since the last call. */
export function takeCommitTimes(): readonly CommitTime[] {
  return times.splice(0);
}
