import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOfFile } from '../crash/check/file-check.ts';
import { Random } from '../crash/load/random.ts';
import { BadLine, type Mishap } from '../crash/server/proxy.ts';
import { pause } from '../support/script.ts';
import { findLeaks } from './check/leaks.ts';
import { cancelForgotten, checkTasks } from './check/tasks.ts';
import { awaitWebhooks, checkWebhooks } from './check/webhooks.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load/load.ts';
import { Webhooks } from './load/webhooks.ts';
import type { Figures } from './server/figures.ts';
import { Subject } from './server/subject.ts';

export interface SoakSettings {
  readonly seed: number;
  readonly seconds: number;
  readonly clients: number;
  readonly readers: number;
  readonly tell: (line: string) => void;
}

export interface SoakReport {
  readonly ledger: Ledger;
  readonly webhooks: Webhooks;
  readonly states: Readonly<Record<string, number>>;
  /** What the server held after each wave in which it was not killed; the first one is the warm-up. */
  readonly steady: readonly Figures[];
  readonly last: Figures;
  readonly fileBytes: number;
  readonly seconds: number;
}

/** Which share of the time each part has; the rest is that of the restarts. */
const WARM_UP = 0.2;
const STEADY = 0.4;
const STEADY_WAVES = 4;

/** Soaks a server: load that does not end, then the same with kills, then a look at all that is there. */
export async function soak(settings: SoakSettings): Promise<SoakReport> {
  const { seed, seconds, tell } = settings;
  const folder = mkdtempSync(join(tmpdir(), 'parley-soak-'));
  const file = join(folder, 'soak.db');
  const ledger = new Ledger((finding) => tell(`Found: ${finding}`));
  const subject = new Subject(file, ledger);
  const random = new Random(seed, 0);
  const line = new BadLine(
    () => subject.port,
    () => mishap(random),
  );
  const webhooks = new Webhooks(new Random(seed, 2), ledger);
  try {
    await subject.start();
    await webhooks.listen();
    const url = await line.listen();
    const load = new Load({ ...settings, url, webhooks }, ledger);
    const begun = performance.now();
    const steady: Figures[] = [];
    let sentWarm = 0;
    const workFor = async (share: number) => {
      const until = performance.now() + share * seconds * 1_000;
      await load.work(() => performance.now() >= until);
      line.reset();
    };
    for (let wave = 0; wave <= STEADY_WAVES; wave += 1) {
      await workFor(wave === 0 ? WARM_UP : STEADY / STEADY_WAVES);
      steady.push(await subject.figuresAtRest());
      if (wave === 0) sentWarm = ledger.sent;
      tell(`${ledger.sent} messages, ${ledger.events} events, ${ledger.findingCount} findings`);
    }
    const [warm] = steady;
    const rested = steady.at(-1);
    if (warm && rested) for (const leak of findLeaks(warm, rested, ledger.sent - sentWarm)) ledger.find(leak);
    const restarts = new AbortController();
    const killing = killAgainAndAgain(subject, new Random(seed, 1), ledger, restarts.signal);
    await workFor(1 - WARM_UP - STEADY);
    restarts.abort();
    await killing;
    const direct = `http://127.0.0.1:${subject.port}`;
    tell(
      `${ledger.sent} messages, ${ledger.events} events, ${ledger.findingCount} findings; every task is read back now`,
    );
    await cancelForgotten(direct, ledger);
    const states = await checkTasks(direct, ledger);
    tell('Every task is read; what webhooks were told is held against the logs');
    await awaitWebhooks(webhooks, ledger);
    const last = await subject.figuresAtRest();
    await subject.end('SIGTERM');
    await checkWebhooks(file, webhooks, ledger);
    for (const fault of faultsOfFile(file)) ledger.find(fault);
    return {
      ledger,
      webhooks,
      states,
      steady,
      last,
      fileBytes: statSync(file).size,
      seconds: (performance.now() - begun) / 1_000,
    };
  } finally {
    await line.close();
    await webhooks.close();
    await subject.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Two of three connections are good. */
function mishap(random: Random): Mishap {
  if (random.chance(0.66)) return {};
  const end = random.chance(0.8) ? 'cut' : 'half-close';
  return { end, endAfter: random.between(1, 30_000), piece: random.chance(0.2) ? 100 : undefined };
}

/** So many events were read in each life of a server, so that load gets through however long a start takes. */
const EVENTS_OF_LIFE = 200;

async function killAgainAndAgain(subject: Subject, random: Random, ledger: Ledger, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const begun = ledger.events;
    await pause(random.between(300, 4_000));
    while (ledger.events < begun + EVENTS_OF_LIFE && !over.aborted) await pause(20);
    if (over.aborted) return;
    const isKill = random.chance(0.75);
    await subject.end(isKill ? 'SIGKILL' : 'SIGTERM');
    if (isKill) ledger.kills += 1;
    else ledger.restarts += 1;
    await subject.start();
  }
}
