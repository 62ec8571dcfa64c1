// `npm run cluster-check -- --url http://… [--url …] [--token TOKEN]`: clients of a cluster, and a check of what they saw.
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type ClusterLogEntry, type ClusterReport, checkClusterLog, runClusterClients } from 'parley-a2a/testing';

const USAGE = `usage: npm run cluster-check -- --url URL [--url URL …] [--token TOKEN]
         [--tasks 100] [--at-once 16] [--message TEXT] [--seed 1] [--patience 300] [--log FILE] [--parts 1]
       npm run cluster-check -- --check FILE [FILE …] [--parts 1]
       npm run cluster-check -- --local [--minutes 1] [--seed N] [--tasks 200] [--at-once 24] [--bus postgres|nats] [--pooled] [--parts 1]
`;
const [SOUND, FOUND, WRONG_USE] = [0, 1, 2];
/** So many findings are printed. */
const SHOWN = 20;

class UsageError extends Error {}

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string', multiple: true, default: [] },
        token: { type: 'string' },
        tasks: { type: 'string' },
        'at-once': { type: 'string' },
        message: { type: 'string' },
        seed: { type: 'string' },
        patience: { type: 'string', default: '300' },
        log: { type: 'string' },
        check: { type: 'string' },
        parts: { type: 'string', default: '1' },
        local: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '1' },
        bus: { type: 'string', default: 'postgres' },
        pooled: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function countOf(name: string, value: string): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new UsageError(`--${name} takes a number from 1 on, not ${value}`);
  return count;
}

function checkUrl(url: string): void {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(`--url takes an address that begins with http:// or https://, not ${url}`);
  }
}

/** The entries of log files, one file after the other. */
async function* readLogs(files: readonly string[]): AsyncGenerator<ClusterLogEntry> {
  for (const file of files) {
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(file) })) {
      number += 1;
      if (line === '') continue;
      let entry: ClusterLogEntry;
      try {
        entry = JSON.parse(line);
      } catch {
        throw new UsageError(`Line ${number} of ${file} is no entry of a log`);
      }
      yield entry;
    }
  }
}

function print({ findings, count, seen }: ClusterReport): void {
  const states = Object.entries(seen.states).map(([state, number]) => `${number} ${state}`);
  console.log(`${seen.tasks} tasks (${states.join(', ')}), ${seen.clients} clients, ${seen.events} events,`);
  console.log(`${seen.acknowledged} acknowledged messages, ${seen.reconnects} reconnects, ${seen.commits} commits`);
  if (states.length === 0) console.log('tasks were not looked at in the end: the log has none');
  if (seen.commits === 0) console.log('who wrote was not looked at: there is no log of a node');
  const kinds = Object.entries(Object.groupBy(findings, ({ fault }) => fault));
  if (count > SHOWN)
    console.log(`of ${findings.length}: ${kinds.map(([kind, list]) => `${list.length} ${kind}`).join(', ')}`);
  for (const { fault, text } of findings.slice(0, SHOWN)) console.log(`${fault}: ${text}`);
  if (count > SHOWN) console.log(`and ${count - SHOWN} more`);
  console.log(count === 0 ? 'Nothing was lost, doubled or left over.' : `${count} findings`);
}

async function main(): Promise<number> {
  const { values, positionals } = readOptions();
  if (values.help) {
    console.log(USAGE);
    return SOUND;
  }
  const parts = countOf('parts', values.parts);
  if (values.check !== undefined) return judge([values.check, ...positionals], parts);
  if (values.local) return runLocal(values, parts);
  if (values.url.length === 0) throw new UsageError('--url is missing: the address of the balancer, or of each node');
  values.url.forEach(checkUrl);
  const folder = mkdtempSync(join(tmpdir(), 'parley-cluster-'));
  const file = values.log ?? join(folder, 'clients.jsonl');
  try {
    const out = createWriteStream(file);
    const { message } = values;
    await runClusterClients({
      urls: values.url,
      tasks: countOf('tasks', values.tasks ?? '100'),
      atOnce: countOf('at-once', values['at-once'] ?? '16'),
      seed: countOf('seed', values.seed ?? '1'),
      patience: countOf('patience', values.patience) * 1000,
      ...(values.token !== undefined && { client: { headers: { authorization: `Bearer ${values.token}` } } }),
      ...(message !== undefined && { message: () => ({ text: message }) }),
      log: (entry) => void out.write(`${JSON.stringify(entry)}\n`),
    });
    out.end();
    await finished(out);
    return await judge([file], parts);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Values = ReturnType<typeof readOptions>['values'];

/** Three nodes of this machine on a database of their own, under faults that the seed decides. */
async function runLocal(values: Values, parts: number): Promise<number> {
  const { bus } = values;
  if (bus !== 'postgres' && bus !== 'nats') throw new UsageError(`--bus takes postgres or nats, not ${bus}`);
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new UsageError(`--minutes takes a number above 0, not ${values.minutes}`);
  const seed = countOf('seed', values.seed ?? String(1 + Math.floor(Math.random() * 1e9)));
  console.log(`seed ${seed}`);
  const { runLocally } = await import('../packages/parley/test/cluster/support/local-run.ts');
  const { report, given, crashes, faults, lines } = await runLocally({
    seed,
    bus,
    parts,
    isPooled: values.pooled,
    duration: minutes * 60_000,
    tasks: countOf('tasks', values.tasks ?? '200'),
    atOnce: countOf('at-once', values['at-once'] ?? '24'),
  });
  const kinds = Object.entries(Object.groupBy(faults, ({ kind }) => kind));
  console.log(`${faults.length} faults: ${kinds.map(([kind, list]) => `${list.length} ${kind}`).join(', ')}`);
  print(report);
  for (const problem of [...given.map((text) => `A resumable task was given up: ${text}`), ...crashes])
    console.log(problem);
  const isSound = report.count + given.length + crashes.length === 0;
  if (!isSound) console.log(`${lines}\nagain with --seed ${seed}`);
  return isSound ? SOUND : FOUND;
}

async function judge(files: readonly string[], parts: number): Promise<number> {
  const report = await checkClusterLog(() => readLogs(files), { parts });
  print(report);
  if (report.seen.acknowledged === 0) console.log('No message was acknowledged, so that nothing was shown.');
  return report.count === 0 && report.seen.acknowledged > 0 ? SOUND : FOUND;
}

try {
  // Sockets of clients that were left stay open for a while, and nobody waits for them.
  process.exit(await main());
} catch (error) {
  const isTheirs = error instanceof UsageError || (error as NodeJS.ErrnoException).code === 'ENOENT';
  console.error(isTheirs ? `${(error as Error).message}\n${USAGE}` : error);
  // Clients that were left would try for ever.
  process.exit(isTheirs ? WRONG_USE : FOUND);
}
