import { expect, it } from 'vitest';
import { countOf } from '../support/full.ts';
import { tableOf } from './report.ts';
import { soak } from './soak.ts';

const SEED = Number(process.env.SOAK_SEED ?? 20_261_116);
const seconds = countOf(12, 600);

it('a server under load that is cut, killed and restarted loses and doubles nothing, and holds nothing back', async () => {
  const lines: string[] = [];
  const report = await soak({ seed: SEED, seconds, clients: 10, readers: 5, tell: (line) => lines.push(line) });
  expect([...report.ledger.findings], `${lines.join('\n')}\n${tableOf(report)}\nSOAK_SEED=${SEED}`).toEqual([]);
  // Load that never came, or kills that hit nothing, prove nothing.
  expect(report.ledger.sent).toBeGreaterThan(50);
  expect(report.ledger.kills + report.ledger.restarts).toBeGreaterThan(0);
  expect(report.ledger.reconnects).toBeGreaterThan(0);
});
