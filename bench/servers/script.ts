/**
 * What the agent of every server does. The text of a message says how much: `<chunks> <bytes of a chunk> <pace>`.
 *
 * - `paced`: 16 chunks in a turn of the event loop, then the next turn.
 * - `free`: all chunks without a pause.
 * - `steady`: 16 chunks, then 20 ms of rest, like a model that writes fast.
 * - `turns`: a chunk in each turn of the event loop, as a model does whose tokens come one by one.
 * - `speech`: 50 chunks a second, each at its time, from a random moment on, so that streams that begin together do not
 *   write together.
 * - `busy`: 2 ms of CPU time, then as `paced`.
 * - `metered`: one chunk, then it waits until the gate is opened; then 1,000 chunks a second, each with the time at which
 *   it was written; then it waits for the gate again.
 * - `gated`: one chunk, then it waits until the gate is opened, then as `paced`.
 */
export type Pace = 'paced' | 'free' | 'steady' | 'gated' | 'busy' | 'metered' | 'turns' | 'speech';

const CHUNKS_PER_TURN = 16;
const REST_MILLISECONDS = 20;
const BUSY_MICROSECONDS = 2000;
const SPEECH_MILLISECONDS = 20;

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
  if (pace === 'metered') yield* metered(count, size);
  const begun = pace === 'speech' ? performance.now() + Math.random() * SPEECH_MILLISECONDS : 0;
  for (let index = pace === 'metered' ? count : 0; index < count; index++) {
    if (pace === 'speech') await until(begun + index * SPEECH_MILLISECONDS);
    yield String(index).padStart(size, '.');
    if (index === 0 && pace === 'gated') await gate;
    if (pace === 'turns') await nextTurn();
    else if (pace !== 'free' && pace !== 'speech' && (index + 1) % CHUNKS_PER_TURN === 0)
      await (pace === 'steady' ? rest() : nextTurn());
  }
  finished++;
}

async function* metered(count: number, size: number): AsyncGenerator<string, void, undefined> {
  const stamp = (): string => String(process.hrtime.bigint() / 1000n).padStart(size, '.');
  yield stamp();
  await gate;
  const begun = performance.now();
  for (let index = 1; index < count; index++) {
    while (performance.now() < begun + index) await new Promise((resolve) => setTimeout(resolve, 1));
    yield stamp();
  }
  await gate;
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

/** Resolves at that time, or at once when it is past. */
async function until(time: number): Promise<void> {
  const left = time - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, REST_MILLISECONDS));
}
