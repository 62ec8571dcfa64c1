import { expect, it } from 'vitest';
import { countOf } from '../support/full.ts';
import { WITHOUT_POOLER } from '../support/postgres/pooler.ts';
import { runLocally } from './support/local-run.ts';

const { CI, CLUSTER_SEED } = process.env;
const seed = Number(CLUSTER_SEED ?? (CI ? 19 : Math.floor(Math.random() * 1e9)));
const why = WITHOUT_POOLER ? ` (${WITHOUT_POOLER})` : '';

it.skipIf(WITHOUT_POOLER)(
  `three nodes behind PgBouncer lose and double nothing while they are killed, paused and cut off, seed ${seed}${why}`,
  async () => {
    const { report, given, crashes, lines } = await runLocally({
      seed,
      duration: countOf(8000, 120_000),
      tasks: 100,
      isPooled: true,
    });
    const again = `again with CLUSTER_SEED=${seed}\n${lines}`;
    expect(crashes, again).toEqual([]);
    expect(report.findings, again).toEqual([]);
    expect(given, again).toEqual([]);
    expect(report.seen.tasks).toBeGreaterThanOrEqual(100);
    expect(report.seen.commits).toBeGreaterThan(report.seen.tasks);
    expect(report.seen.reconnects).toBeGreaterThan(0);
  },
);
