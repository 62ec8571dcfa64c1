import { parseArgs } from 'node:util';
import { tableOf } from './report.ts';
import { soak } from './soak.ts';

/** `npm run soak -- [--minutes N | --seconds N] [--seed N] [--clients N] [--readers N]` */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '40' },
    readers: { type: 'string', default: '20' },
  },
});
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
const seconds = values.seconds === undefined ? Number(values.minutes ?? 1) * 60 : Number(values.seconds);
const [clients, readers] = [Number(values.clients), Number(values.readers)];
if ([seed, seconds, clients, readers].some((number) => !(number >= 0)))
  throw new TypeError('--minutes, --seconds, --seed, --clients and --readers are numbers');

console.log(`Soaking for ${seconds} s with the seed ${seed}`);
const report = await soak({ seed, seconds, clients, readers, tell: (line) => console.log(line) });
console.log(`\n${tableOf(report)}\nseed ${seed}`);
for (const finding of report.ledger.findings) console.error(`\n${finding}`);
process.exit(report.ledger.findingCount === 0 ? 0 : 1);
