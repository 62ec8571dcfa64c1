import { A2AClient, type A2AServer, isTask } from 'parley-a2a';
import { collectedHeap } from './heap.ts';
import { type FuzzedRequest, mutate } from './mutations.ts';
import { problemOf } from './oracle.ts';
import { type Random, randomFrom } from './random.ts';
import type { FuzzReport } from './report.ts';
import { ASK, startSubject } from './subject.ts';
import { aboutTask, recordTemplates, type Template } from './templates.ts';
import { type Transport, throughFetch, throughSockets } from './transports.ts';

export interface FuzzOptions {
  readonly seed: number;
  /** Ends after so many requests. */
  readonly requests: number;
  /** Ends at this time, if that comes first. */
  readonly until?: number | undefined;
  readonly over: 'fetch' | 'sockets';
  /** Called after each round. */
  readonly onRound?: ((report: FuzzReport) => void) | undefined;
}

/** After so many requests the server is asked a right one, and what has ended is removed. */
const ROUND = 2_000;
const AT_ONCE = 8;
/** New tasks in each round, which wait for their caller. */
const TASKS = 50;
/** Rounds before memory is measured: compiled code and caches grow at first. */
const WARM_ROUNDS = 3;
const MOST_PROBLEMS = 10;

/** Sends changed requests of every dialect and binding to a server, and judges each response. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { server, logged } = startSubject();
  const templates = await recordTemplates(server);
  const transport = await transportTo(server, options.over);
  try {
    return await new Fuzzer(server, templates, transport, logged, options).run();
  } finally {
    transport.close();
    await server.close();
  }
}

async function transportTo(server: A2AServer, over: FuzzOptions['over']): Promise<Transport> {
  if (over === 'fetch') return throughFetch(server);
  await server.listen({ port: 0 });
  return throughSockets(server.url ?? '', AT_ONCE);
}

class Fuzzer {
  readonly #server: A2AServer;
  /** For right requests. */
  readonly #client: A2AClient;
  readonly #templates: readonly Template[];
  readonly #transport: Transport;
  readonly #logged: readonly string[];
  readonly #options: FuzzOptions;
  readonly #random: Random;
  readonly #problems: string[] = [];
  #tasks: readonly string[] = [];
  #requests = 0;
  #served = 0;
  #warmHeap = 0;

  constructor(
    server: A2AServer,
    templates: readonly Template[],
    transport: Transport,
    logged: readonly string[],
    options: FuzzOptions,
  ) {
    this.#server = server;
    const fetch: typeof globalThis.fetch = (input, init) => server.fetch(new Request(input, init));
    this.#client = new A2AClient('http://localhost', { fetch });
    this.#templates = templates;
    this.#transport = transport;
    this.#logged = logged;
    this.#options = options;
    this.#random = randomFrom(options.seed);
  }

  async run(): Promise<FuzzReport> {
    const { requests, until = Number.POSITIVE_INFINITY, onRound } = this.#options;
    for (let round = 1; this.#requests < requests && Date.now() < until; round += 1) {
      const end = Math.min(requests, this.#requests + ROUND);
      this.#tasks = await askingTasks(this.#client);
      while (this.#requests < end) await this.#askSome(Math.min(AT_ONCE, end - this.#requests));
      await this.#lookAfter();
      if (round === WARM_ROUNDS) this.#warmHeap = collectedHeap();
      onRound?.(this.#report());
      if (this.#problems.length >= MOST_PROBLEMS) break;
    }
    return this.#report();
  }

  async #askSome(count: number): Promise<void> {
    this.#requests += count;
    const random = this.#random;
    const asked = Array.from({ length: count }, () =>
      mutate(aboutTask(random.pick(this.#templates), random.pick(this.#tasks)), random),
    );
    await Promise.all(asked.map((fuzzed) => this.#ask(fuzzed)));
  }

  async #ask(fuzzed: FuzzedRequest): Promise<void> {
    try {
      const response = await this.#transport.ask(fuzzed);
      if (response.status < 300 && !response.text.includes('"error"')) this.#served += 1;
      const problem = problemOf(fuzzed, response);
      if (problem) this.#note(`${problem}: ${response.text.slice(0, 300)}`, fuzzed);
    } catch (error) {
      this.#note(String(error instanceof Error ? (error.cause ?? error) : error), fuzzed);
    }
  }

  /** A right request is served after all that, nothing was logged as an error, and nothing is held. */
  async #lookAfter(): Promise<void> {
    for await (const { id } of this.#client.listTasks({ state: 'input-required' })) await this.#client.cancelTask(id);
    await this.#server.purgeTasks({ endedBefore: Number.MAX_SAFE_INTEGER });
    const [canary] = this.#templates;
    if (!canary) throw new Error('There are no templates');
    const ask = this.#templates.find(({ name }) => name.endsWith(' send')) ?? canary;
    const body = ask.body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(ask.body));
    const { status, text } = await this.#transport.ask({ ...ask, body });
    if (status !== 200 || !text.includes('hello')) this.#note(`the canary got ${status} ${text.slice(0, 300)}`);
    for (const line of this.#logged.slice(this.#problems.length, 1)) this.#note(`logged: ${line}`);
  }

  #note(problem: string, fuzzed?: FuzzedRequest): void {
    if (this.#problems.length >= MOST_PROBLEMS) return;
    const shown = fuzzed && {
      ...fuzzed,
      body: fuzzed.body && new TextDecoder().decode(fuzzed.body).slice(0, 1_500),
    };
    this.#problems.push(`${problem}\n${shown ? JSON.stringify(shown) : ''}`);
  }

  #report(): FuzzReport {
    return {
      requests: this.#requests,
      served: this.#served,
      templates: this.#templates.length,
      problems: this.#problems,
      heap: [this.#warmHeap, collectedHeap()],
    };
  }
}

/** Tasks that wait for their caller, for requests about a task. */
async function askingTasks(client: A2AClient): Promise<readonly string[]> {
  const tasks = await Promise.all(Array.from({ length: TASKS }, () => client.sendMessage(ASK)));
  return tasks.filter(isTask).map(({ id }) => id);
}
