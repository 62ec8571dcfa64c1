/**
 * `npm run bench:bus -- URL…`: how long notices and commands take over a bus, nats://… or postgres://…. From the moment at which a
 * node publishes (after its commit) to that at which another node hears of it, at 2,000 notices a second; and for commands to
 * another node and back, one after another.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { nats } from 'parley-a2a/nats';
import type { Bus } from 'parley-a2a/ports';
import { postgresBus } from 'parley-a2a/postgres';

const PER_SECOND = 2_000;
const SECONDS = 5;
const TASKS = 20;
const COMMANDS = 1_000;

const urls = process.argv.slice(2);
if (urls.length === 0) {
  console.error('npm run bench:bus -- URL…: addresses of buses, such as nats://127.0.0.1:4222');
  process.exit(2);
}
for (const url of urls) await probe(url);

async function probe(url: string): Promise<void> {
  const busOf = () => (url.startsWith('postgres') ? postgresBus(url) : nats(url));
  const [first, second] = [busOf(), busOf()];
  const [a, b] = [`probe-${crypto.randomUUID()}`, `probe-${crypto.randomUUID()}`];
  await first.join(a, async () => 'here');
  await second.join(b, async (command) => command);
  const before = process.cpuUsage();
  const notices = await noticeTimes(first, second, a, b);
  const { user, system } = process.cpuUsage(before);
  const commands = await commandTimes(first, b);
  const { protocol, host } = new URL(url);
  console.log(`${protocol}//${host}`);
  console.log(
    `  notices at ${PER_SECOND}/s    ${shown(notices)}; ${Math.round((user + system) / notices.length)} µs of CPU each`,
  );
  console.log(`  commands and back   ${shown(commands)}`);
  await first.leave(a);
  await second.leave(b);
}

async function noticeTimes(first: Bus, second: Bus, a: string, b: string): Promise<readonly number[]> {
  const ids = Array.from({ length: TASKS }, () => crypto.randomUUID());
  const published = new Map<string, number[]>(ids.map((id) => [id, []]));
  const heard = new Map<string, number>();
  const times: number[] = [];
  for (const id of ids) {
    await second.watch(b, id, (seq = 0) => {
      const now = performance.now();
      // A notice stands for all before it.
      for (let one = (heard.get(id) ?? 0) + 1; one <= seq; one += 1)
        times.push(now - (published.get(id)?.[one] ?? now));
      heard.set(id, Math.max(heard.get(id) ?? 0, seq));
    });
  }
  const begun = performance.now();
  const all = PER_SECOND * SECONDS;
  for (let sent = 0; sent < all; ) {
    const due = Math.min(all, Math.floor(((performance.now() - begun) / 1000) * PER_SECOND));
    for (; sent < due; sent += 1) {
      const taskId = ids[sent % TASKS] ?? '';
      const seq = Math.floor(sent / TASKS) + 1;
      const known = published.get(taskId);
      if (known) known[seq] = performance.now();
      first.publish(a, [{ taskId, seq }]);
    }
    await new Promise((resolve) => void setTimeout(resolve, 1));
  }
  while (times.length < all) await nextTurn();
  return times;
}

async function commandTimes(bus: Bus, node: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = 0; count < COMMANDS; count += 1) {
    const begun = performance.now();
    await bus.request(node, { command: 'cancel', count }, AbortSignal.timeout(10_000));
    times.push(performance.now() - begun);
  }
  return times;
}

function shown(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(2);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`;
}
