import type { LogEntry } from '../../../../parley/src/server/operator/console-api.ts';
import { describeParts, eventOf } from '../log/wire-events.ts';
import { stateOf } from '../states.ts';

const LONGEST = 120;

/** An event of a log in a few words. */
export function describeEvent(entry: LogEntry): string {
  if (entry.event === undefined) return 'Too large for this page';
  const { task, message, statusUpdate, artifactUpdate, metadata } = eventOf(entry);
  if (statusUpdate) {
    const { state, message: said } = statusUpdate.status;
    return [stateOf(state).replaceAll('-', ' '), describeParts(said?.parts, LONGEST)].filter(Boolean).join(': ');
  }
  if (artifactUpdate) {
    const { artifact, append, lastChunk } = artifactUpdate;
    const name = append ? '' : `${artifact.name ?? artifact.artifactId}: `;
    return `${name}${describeParts(artifact.parts, LONGEST)}${lastChunk ? ' (last)' : ''}`.trim();
  }
  if (message) return describeParts(message.parts, LONGEST);
  if (task) return describeParts(task.history?.at(-1)?.parts, LONGEST) || 'Created';
  return metadata ? Object.keys(metadata).join(', ').slice(0, LONGEST) : '';
}
