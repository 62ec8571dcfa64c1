import { parseArgs } from 'node:util';
import { fuzz } from './fuzzer.ts';
import { fuzzGrpc } from './grpc/fuzzer.ts';
import type { FuzzReport } from './report.ts';

/** `npm run fuzz -- [--minutes N | --requests N] [--seed N] [--sockets | --grpc]` */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    requests: { type: 'string' },
    seed: { type: 'string' },
    sockets: { type: 'boolean', default: false },
    grpc: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
const minutes = Number(values.minutes ?? (values.requests ? Number.POSITIVE_INFINITY : 1));
const requests = Number(values.requests ?? Number.POSITIVE_INFINITY);
if ([seed, minutes, requests].some(Number.isNaN)) throw new TypeError('--minutes, --requests and --seed are numbers');

let lastShown = Date.now();
let problemsShown = 0;
const show = ({ requests: done, served, heap, problems }: FuzzReport) => {
  for (const problem of problems.slice(problemsShown)) console.log(`\n${problem}`);
  problemsShown = problems.length;
  if (Date.now() - lastShown < 10_000) return;
  lastShown = Date.now();
  console.log(`${done} requests, ${served} of them served, heap ${heap[1]} MB`);
};
const options = { seed, requests, until: Date.now() + minutes * 60_000, onRound: show };
const report = values.grpc
  ? await fuzzGrpc(options)
  : await fuzz({ ...options, over: values.sockets ? 'sockets' : 'fetch' });
console.log(JSON.stringify({ seed, ...report, problems: report.problems.length }));
for (const problem of report.problems.slice(problemsShown)) console.log(`\n${problem}`);
process.exit(report.problems.length === 0 ? 0 : 1);
