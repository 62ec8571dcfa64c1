/**
 * `npm run interop [-- --require] [--write] [--only TEXT]`: talks with the kits of other languages and prints who
 * understood whom. `--require` fails where a language is not installed, `--write` renews the tables in docs/interop.md.
 */
import { parseArgs } from 'node:util';
import { converse } from './conversation.ts';
import { writeMatrix } from './docs-page.ts';
import { unknownOperations } from './known.ts';
import { type Column, renderMatrix } from './matrix.ts';
import { type Peer, preparePeers } from './peers.ts';
import { SCENARIOS } from './scenarios/index.ts';

const { values: options } = parseArgs({
  options: {
    require: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    peer: { type: 'string' },
  },
});

const stale = unknownOperations();
if (stale.length > 0) throw new Error(`interop/known.ts names operations that there are not: ${stale.join(', ')}`);
const began = Date.now();
const { peers, missing } = await preparePeers();
for (const { language, reason } of missing) {
  console.error(`${options.require ? 'Missing' : 'Passed over'}: ${language}: ${reason}.`);
}
console.error(`The kits are there after ${seconds()} s.`);

const scenarios = SCENARIOS.filter(({ name }) => name.includes(options.only ?? ''));
const chosen = peers.filter(({ name }) => name.includes(options.peer ?? ''));
const columns: Column[] = [];
for (const peer of chosen) columns.push(...(await conversationsWith(peer)));
const matrix = renderMatrix(columns);
console.log(matrix);

const surprises = columns.flatMap(({ peer, role, version, binding, results }) =>
  [...results].flatMap(([operation, result]) =>
    result.kind === 'differs' ? [`${peer} as ${role}, ${version} ${binding}, ${operation}: ${result.reason}`] : [],
  ),
);
for (const surprise of surprises) console.error(`UNEXPECTED ${surprise}`);
const count = columns.reduce((sum, { results }) => sum + results.size, 0);
console.error(`${count} conversations, ${surprises.length} unexpected results, ${seconds()} s.`);

const isWhole = missing.length === 0 && options.only === undefined && options.peer === undefined;
if (options.write && isWhole) await writeMatrix(matrix);
else if (options.write) console.error('docs/interop.md is not written: not everything was tried.');
// Conversations that hang would keep the process.
process.exit(surprises.length > 0 || (options.require && missing.length > 0) ? 1 : 0);

async function conversationsWith(peer: Peer): Promise<readonly Column[]> {
  const process = peer.start();
  const made: Column[] = [];
  try {
    for (const role of ['client', 'server'] as const) {
      for (const { version, binding } of peer.speaks) {
        made.push(await converse(peer, process, role, version, binding, scenarios));
      }
    }
  } finally {
    await process.close();
  }
  return made;
}

function seconds(): string {
  return ((Date.now() - began) / 1000).toFixed(0);
}
