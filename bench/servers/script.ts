/**
 * What the agent of every server does. The text of a message says how much: `<chunks> <bytes of a chunk> <pace>`.
 *
 * - `paced`: 16 chunks in a turn of the event loop, then the next turn.
 * - `free`: all chunks without a pause.
 * - `steady`: 16 chunks, then 20 ms of rest, like a model that writes fast.
 * - `busy`: 2 ms of CPU time, then as `paced`.
 * - `gated`: one chunk, then it waits until the gate is opened, then as `paced`.
 */
export type Pace = 'paced' | 'free' | 'steady' | 'gated' | 'busy';

const CHUNKS_PER_TURN = 16;
const REST_MILLISECONDS = 20;
const BUSY_MICROSECONDS = 2000;

let openGate: () => void = () => {};
let gate: Promise<void> = newGate();
let finished = 0;

function newGate(): Promise<void> {
  return new Promise((resolve) => {
    openGate = resolve;
  });
}

/** Lets every run go on that waits now; later ones wait for the next call. */
export function releaseGate(): void {
  openGate();
  gate = newGate();
}

/** How many scripts have come to their end, whoever reads. */
export function finishedScripts(): number {
  return finished;
}

export async function* runScript(text: string): AsyncGenerator<string, void, undefined> {
  const [chunks = '1', bytes = '16', pace = 'paced'] = text.split(' ');
  const count = Number(chunks);
  const size = Number(bytes);
  if (pace === 'busy') burn(BUSY_MICROSECONDS);
  for (let index = 0; index < count; index++) {
    yield String(index).padStart(size, '.');
    if (index === 0 && pace === 'gated') await gate;
    if (pace !== 'free' && (index + 1) % CHUNKS_PER_TURN === 0) await (pace === 'steady' ? rest() : nextTurn());
  }
  finished++;
}

function burn(microseconds: number): void {
  const usedSince = (): number => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const begun = usedSince();
  while (usedSince() - begun < microseconds);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, REST_MILLISECONDS));
}
