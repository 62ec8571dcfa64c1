// A server that says how much it holds: node --conditions=parley-source --expose-gc server-process.ts <options as JSON>
import { readdirSync } from 'node:fs';
import { A2AServer, memory } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { LOCAL_HOSTS } from '../adapters/hosts/index.ts';
import type { Answer, Question, ServerReport, StartOptions } from './protocol.ts';
import { Writer } from './writer-agent.ts';

const OPEN_FILES = '/proc/self/fd';

const { store, file, limits, host = 'listen' }: StartOptions = JSON.parse(process.argv[2] ?? '{}');
const writer = new Writer();
const server = new A2AServer({
  agents: [writer.agent],
  store: store === 'sqlite' ? sqlite(file, { synchronous: 'off' }) : memory(),
  limits,
});

function countDescriptors(): number | undefined {
  try {
    return readdirSync(OPEN_FILES).length;
  } catch {
    return undefined;
  }
}

function countResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function report(): ServerReport {
  const { heapUsed, external } = process.memoryUsage();
  return {
    // `external` includes the array buffers.
    held: heapUsed + external,
    resources: countResources(),
    descriptors: countDescriptors(),
    load: server.load,
    written: writer.written,
  };
}

/** Twice, because what the first run finalizes is freed by the second. */
function collect(): void {
  globalThis.gc?.();
  globalThis.gc?.();
}

function say(answer: Answer): void {
  process.send?.(answer);
}

process.on('message', (question: Question) => {
  if (question === 'go') writer.go();
  if (question === 'collect') collect();
  say(report());
});
// Nothing is left over if whoever started it is gone.
process.once('disconnect', () => process.exit());
const loaded = await LOCAL_HOSTS[host]?.();
if (!loaded) throw new Error(`There is no host ${host}`);
const { url } = await loaded.serve(server, {});
say({ url });
