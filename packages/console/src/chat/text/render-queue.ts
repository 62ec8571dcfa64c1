/** Work that is done one piece for each frame, in the order in which it was asked for. */
const waiting = new Set<() => void>();
let isRunning = false;

/** Does the work in one of the next frames; returns what forgets it. */
export function renderSoon(work: () => void): () => void {
  waiting.add(work);
  if (!isRunning) {
    isRunning = true;
    requestAnimationFrame(step);
  }
  return () => waiting.delete(work);
}

function step(): void {
  const [next] = waiting;
  if (next === undefined) {
    isRunning = false;
    return;
  }
  waiting.delete(next);
  next();
  requestAnimationFrame(step);
}
