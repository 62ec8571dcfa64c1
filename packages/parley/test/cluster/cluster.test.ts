import { expect, it } from 'vitest';
import { countOf } from '../support/full.ts';
import { runLocally } from './support/local-run.ts';

const { CI, CLUSTER_SEED } = process.env;
const seed = Number(CLUSTER_SEED ?? (CI ? 19 : Math.floor(Math.random() * 1e9)));

it(`three nodes on Postgres lose and double nothing while they are killed, paused and cut off, seed ${seed}`, async () => {
  const { report, faults, given, crashes, lines } = await runLocally({
    seed,
    duration: countOf(15_000, 300_000),
    tasks: 200,
  });
  const again = `again with CLUSTER_SEED=${seed}\n${lines}`;
  expect(crashes, again).toEqual([]);
  expect(report.findings, again).toEqual([]);
  expect(given, again).toEqual([]);
  expect(report.seen.tasks).toBeGreaterThanOrEqual(200);
  expect(report.seen.commits).toBeGreaterThan(report.seen.tasks);
  expect(report.seen.reconnects).toBeGreaterThan(0);
  expect(new Set(faults.map(({ kind }) => kind)).size).toBe(6);
});
