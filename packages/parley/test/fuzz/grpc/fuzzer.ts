import { A2AClient, type A2AServer, isTask } from 'parley-a2a';
import { collectedHeap } from '../heap.ts';
import { type Random, randomFrom } from '../random.ts';
import type { FuzzReport } from '../report.ts';
import { ASK, startSubject } from '../subject.ts';
import { GRPC_TEMPLATES } from './messages.ts';
import { type FuzzedCall, mutateCall } from './mutations.ts';
import { problemOfCall } from './oracle.ts';
import { RawCalls } from './raw-calls.ts';

export interface GrpcFuzzOptions {
  readonly seed: number;
  readonly requests: number;
  readonly until?: number | undefined;
  readonly onRound?: ((report: FuzzReport) => void) | undefined;
}

/** After so many calls the server is asked a right one, and what has ended is removed. */
const ROUND = 2_000;
const AT_ONCE = 8;
const TASKS = 50;
/** Rounds before memory is measured. */
const WARM_ROUNDS = 3;
const MOST_PROBLEMS = 10;

/** Sends changed calls of both versions over gRPC to a server, byte by byte as they are, and judges how each ends. */
export async function fuzzGrpc(options: GrpcFuzzOptions): Promise<FuzzReport> {
  const { server, logged } = startSubject({ grpc: { port: 0 } });
  await server.listen({ port: 0 });
  const calls = new RawCalls(server.grpcAddress ?? '');
  try {
    return await new GrpcFuzzer(server, calls, logged, options).run();
  } finally {
    calls.close();
    await server.close();
  }
}

class GrpcFuzzer {
  readonly #server: A2AServer;
  readonly #client: A2AClient;
  readonly #calls: RawCalls;
  readonly #logged: readonly string[];
  readonly #options: GrpcFuzzOptions;
  readonly #random: Random;
  readonly #problems: string[] = [];
  #tasks: readonly string[] = [];
  #requests = 0;
  #served = 0;
  #warmHeap = 0;

  constructor(server: A2AServer, calls: RawCalls, logged: readonly string[], options: GrpcFuzzOptions) {
    this.#server = server;
    this.#client = new A2AClient('http://localhost', {
      fetch: (input, init) => server.fetch(new Request(input, init)),
    });
    this.#calls = calls;
    this.#logged = logged;
    this.#options = options;
    this.#random = randomFrom(options.seed);
  }

  async run(): Promise<FuzzReport> {
    const { requests, until = Number.POSITIVE_INFINITY, onRound } = this.#options;
    for (let round = 1; this.#requests < requests && Date.now() < until; round += 1) {
      const end = Math.min(requests, this.#requests + ROUND);
      const sent = await Promise.all(Array.from({ length: TASKS }, () => this.#client.sendMessage(ASK)));
      this.#tasks = sent.filter(isTask).map(({ id }) => id);
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
    const asked = Array.from({ length: count }, () => {
      const { rpc, bytesFor } = random.pick(GRPC_TEMPLATES);
      return mutateCall(rpc.path, bytesFor(random.pick(this.#tasks)), random);
    });
    await Promise.all(asked.map((call) => this.#ask(call)));
  }

  async #ask(call: FuzzedCall): Promise<void> {
    try {
      const end = await this.#calls.ask(call);
      if (end.isServed) this.#served += 1;
      const problem = problemOfCall(call, end);
      if (problem) this.#note(problem, call);
    } catch (error) {
      this.#note(String(error), call);
    }
  }

  /** Right calls are served after all that, nothing was logged as an error, and nothing is held. */
  async #lookAfter(): Promise<void> {
    for await (const { id } of this.#client.listTasks({ state: 'input-required' })) await this.#client.cancelTask(id);
    for (const { rpc, bytesFor } of GRPC_TEMPLATES.filter(({ rpc: { operation } }) => operation === 'sendMessage')) {
      const message = bytesFor('');
      const head = Buffer.alloc(5);
      head.writeUInt32BE(message.length, 1);
      const end = await this.#calls.ask({ path: rpc.path, metadata: {}, body: Buffer.concat([head, message]) });
      if (!end.isServed) this.#note(`the canary of ${rpc.path} got ${JSON.stringify(end)}`);
    }
    await this.#server.purgeTasks({ endedBefore: Number.MAX_SAFE_INTEGER });
    for (const line of this.#logged.slice(this.#problems.length, 1)) this.#note(`logged: ${line}`);
  }

  #note(problem: string, call?: FuzzedCall): void {
    if (this.#problems.length >= MOST_PROBLEMS) return;
    const shown = call && { ...call, body: call.body.subarray(0, 1_000).toString('hex') };
    this.#problems.push(`${problem}\n${shown ? JSON.stringify(shown) : ''}`);
  }

  #report(): FuzzReport {
    return {
      requests: this.#requests,
      served: this.#served,
      templates: GRPC_TEMPLATES.length,
      problems: this.#problems,
      heap: [this.#warmHeap, collectedHeap()],
    };
  }
}
