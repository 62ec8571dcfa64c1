import { A2AClient, isA2AError } from 'parley-a2a';
import { Random } from '../../crash/load/random.ts';
import { WAYS } from '../../exact/foreign-ways.ts';
import { SPEAKERS } from '../../support/speakers.ts';
import { CALLERS } from '../callers.ts';
import type { Ledger } from '../ledger.ts';
import { OPERATIONS, type Speaking } from './operations.ts';
import { readByHand } from './raw-reader.ts';
import type { Webhooks } from './webhooks.ts';

/** Never tired: connections are cut, and servers are killed, all the time. A server that stops says to come back in a second. */
const PATIENT = { attempts: 100_000, firstDelay: 5, longestDelay: 1_000 } as const;

/** Whoever waits for longer than any restart takes, on a machine that is busy with much else, waits for ever. */
const LONGEST_MS = 600_000;

/** Their cards do not declare the extension, so that a message may be lost with its connection. */
const CANNOT_REPEAT: ReadonlySet<string> = new Set(['cogitator', 'jaf']);

const LOST: ReadonlySet<string> = new Set(['STREAM_INTERRUPTED', 'UNREACHABLE', 'UNAVAILABLE']);

export interface LoadSettings {
  readonly url: string;
  readonly seed: number;
  /** How many clients of ours, and how many readers by hand, are at work at the same time. */
  readonly clients: number;
  readonly readers: number;
  readonly webhooks: Webhooks;
}

/** Everybody who calls the server. */
export class Load {
  readonly #settings: LoadSettings;
  readonly #ledger: Ledger;
  readonly #clients = new Map<string, Promise<A2AClient>>();
  #wave = 0;

  constructor(settings: LoadSettings, ledger: Ledger) {
    this.#settings = settings;
    this.#ledger = ledger;
  }

  /** Lets all of them work until it is over; resolves when each has come to the end of what it was at. */
  async work(isOver: () => boolean): Promise<void> {
    const { clients, readers, seed } = this.#settings;
    this.#wave += 1;
    const workers = Array.from({ length: clients + readers }, async (_, index) => {
      const random = new Random(seed, this.#wave, index);
      while (!isOver()) await (index < clients ? this.#speak(random) : this.#read(random));
    });
    await Promise.all(workers);
  }

  async #speak(random: Random): Promise<void> {
    const ledger = this.#ledger;
    const speaker = random.pick(SPEAKERS);
    const caller = random.pick(CALLERS);
    if (!speaker || !caller) return;
    const { name: form } = speaker;
    const able = OPERATIONS.filter(({ except, only }) => !except?.includes(form) && (only?.includes(form) ?? true));
    const weights = Object.fromEntries(able.map(({ name, weight }) => [name, weight]));
    const chosen = random.weighted(weights);
    const operation = able.find(({ name }) => name === chosen);
    const sentBefore = ledger.sent;
    try {
      const client = await inTime(this.#client(form, caller.name), `${form} connecting`);
      const speaking: Speaking = { client, form, random, ledger, webhooks: this.#settings.webhooks };
      if (operation) await inTime(operation.perform(speaking), `${form} ${chosen}`);
      ledger.count(`${form} ${chosen}`);
    } catch (error) {
      if (CANNOT_REPEAT.has(form) && isA2AError(error) && LOST.has(error.code)) ledger.count(`${form} lost`);
      else ledger.find(`${form} ${chosen} by ${caller.name} after ${sentBefore}: ${describe(error)}`);
    }
  }

  async #read(random: Random): Promise<void> {
    const ledger = this.#ledger;
    const way = random.pick(WAYS);
    const caller = random.pick(CALLERS);
    if (!way || !caller) return;
    const script = ledger.compose('count', random.between(1, 120), random.between(3, 40));
    const patience = () => (random.chance(0.5) ? random.between(1, 20) : Number.POSITIVE_INFINITY);
    try {
      await inTime(readByHand({ url: this.#settings.url, way, caller, ledger, patience }, script), way.name);
      ledger.count(`by hand: ${way.name}`);
    } catch (error) {
      ledger.find(`${way.name} by hand: ${describe(error)}`);
    }
  }

  #client(form: string, callerName: string): Promise<A2AClient> {
    const key = `${form} ${callerName}`;
    const known = this.#clients.get(key);
    if (known) return known;
    const speaker = SPEAKERS.find(({ name }) => name === form);
    const caller = CALLERS.find(({ name }) => name === callerName);
    const made = A2AClient.connect(`${this.#settings.url}${speaker?.path}`, {
      ...speaker?.options,
      headers: { ...caller?.headers },
      // A server that starts on a busy machine takes its time, and so does the call that waits for it.
      timeout: LONGEST_MS,
      reconnect: PATIENT,
      retry: PATIENT,
      onReconnect: () => {
        this.#ledger.reconnects += 1;
      },
    });
    this.#clients.set(key, made);
    return made;
  }
}

async function inTime<Result>(work: Promise<Result>, what: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end in ${LONGEST_MS} ms`)), LONGEST_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` because of ${error.cause.message}` : '';
  return `${isA2AError(error) ? error.code : ''} ${(error as Error).stack}${cause}`;
}
