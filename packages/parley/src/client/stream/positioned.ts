import { A2AError } from '../../model/errors/errors.ts';
import type { Reception } from './reception.ts';
import type { Batch, Received } from './stream-source.ts';

/**
 * Passes events on as they come. Where the server has positions, each is remembered for the next connection, and events
 * up to the last one are skipped.
 */
export async function* readPositioned(
  stream: Received,
  reception: Reception,
  isFirst: boolean,
): AsyncGenerator<Batch, void, void> {
  const { resumes, beginsWithHead } = reception.source;
  let reached = reception.lastEventId;
  for await (const received of stream) {
    const { event, id, size } = received;
    const isResumed = reception.lastEventId !== undefined || (!isFirst && reception.collector.taskId !== undefined);
    if (event.kind === 'task' && beginsWithHead && isResumed) {
      // Missed events cannot be told from later ones: the task is compared instead.
      reception.lastEventId = undefined;
      throw new A2AError('UNREACHABLE', 'The stream began again');
    }
    if (event.kind !== 'task' && isUpTo(id, reached)) continue;
    if (resumes) reached = id ?? reached;
    // An event that is cut off before its position will come again.
    if (received.isCut && id === undefined && reception.lastEventId !== undefined) continue;
    // After a frame without a position nothing says where the reader is: the next connection compares.
    if (resumes) reception.lastEventId = id;
    reception.isAmidst = resumes && id === undefined && received.size !== undefined;
    const isSnapshot = event.kind === 'task' && !isFirst && !beginsWithHead;
    yield isSnapshot ? reception.adopt(event.task, id) : reception.pass(event, size);
    // A send would end here; the subscription that took its place goes on after a question.
    if (received.final || (isFirst ? reception.isFinal : reception.isOver(true))) {
      reception.isEnded = true;
      return;
    }
  }
}

/** Tells whether the reader had reached a position before. */
function isUpTo(id: string | undefined, reached: string | undefined): boolean {
  if (id === undefined || reached === undefined) return false;
  const [one, other] = [POSITION.exec(id), POSITION.exec(reached)];
  if (!one || !other) return id === reached;
  return (Number(one[1]) - Number(other[1]) || Number(one[2] ?? 0) - Number(other[2] ?? 0)) <= 0;
}

/** A seq, or a seq and a number of frames of the event after it. */
const POSITION = /^(\d+)(?:\.(\d+))?$/;
