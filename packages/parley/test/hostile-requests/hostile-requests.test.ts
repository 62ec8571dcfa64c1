import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ATTACKS, type Attack } from './attacks.ts';
import { GRPC_ATTACKS } from './grpc-attacks.ts';
import { Target } from './target.ts';

/** `npm run test:attack` is the full form. */
const SIZE = process.env.ATTACK_SIZE === undefined ? 0.05 : Number(process.env.ATTACK_SIZE);
const STORES = SIZE === 1 ? (['memory', 'sqlite'] as const) : (['sqlite'] as const);

interface Others {
  /** Milliseconds that each request of somebody else took. */
  readonly delays: readonly number[];
}

/** Asks for something small, again and again, until told to stop. */
function watchOthers(target: Target): () => Promise<Others> {
  const delays: number[] = [];
  let isOver = false;
  const watch = async () => {
    do {
      const begun = performance.now();
      await target.task('nothing');
      delays.push(performance.now() - begun);
    } while (!isOver);
  };
  const watching = watch();
  return async () => {
    isOver = true;
    await watching;
    return { delays };
  };
}

async function attack(target: Target, { name, prepare, memory }: Attack): Promise<void> {
  const run = await prepare(target, SIZE);
  await target.task('nothing');
  const before = await target.peak('measure');
  const stop = watchOthers(target);
  const responses = await run();
  const { delays } = await stop();
  const grown = (await target.peak('report')) - before;
  target.hangUp();
  const statuses = [...new Set(responses.map(({ status }) => status))].join(', ');
  const worst = Math.max(...delays).toFixed(0);
  console.info(
    `${name}: +${grown.toFixed(0)} MB, others waited at most ${worst} ms (${delays.length} of them) ${statuses}`,
  );
  for (const { status, text } of responses) {
    expect(status === 503 ? 0 : status, text.slice(0, 200)).toBeLessThan(500);
    expect(text.slice(0, 10_000)).not.toContain('-32603');
  }
  expect(target.logged).toEqual([]);
  expect(grown).toBeLessThan(memory);
  // The server goes on afterwards.
  await target.task('nothing');
}

describe.each(STORES)('on %s, these cost little, and the server goes on', (store) => {
  let target: Target;
  // In full size each has a server of its own, so that one does not meet what another left behind.
  const each = SIZE === 1 ? { before: beforeEach, after: afterEach } : { before: beforeAll, after: afterAll };
  let folder: string;

  each.before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-attack-'));
    target = await Target.start(store, join(folder, 'tasks.db'));
  });
  each.after(async () => {
    await target.close();
    rmSync(folder, { recursive: true });
  });

  it.each([...ATTACKS, ...GRPC_ATTACKS].map((entry) => [entry.name, entry] as const))('%s', (_, entry) =>
    attack(target, entry));
});
