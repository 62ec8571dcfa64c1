/// <reference lib="esnext.disposable" preserve="true" />
import { A2AServer } from '../a2a-server.ts';
import type { Agent } from '../agent/agent.ts';
import type { Timing } from '../client/call/timing.ts';
import { A2AClient } from '../client/every-dialect-client.ts';
import type { ClientOptions } from '../client/options.ts';
import type { Store } from '../engine/ports.ts';
import { anything, type Checks, checkOptions, having, listOf, object } from '../model/options/checks.ts';
import type { A2AServerOptions } from '../server/options.ts';
import { memory } from '../stores/memory.ts';
import { Line } from './line.ts';
import { mortalStore } from './mortal-store.ts';
import { CLOCK_CHECKS, stoppableClock, TestClock, type TestClockOptions } from './test-clock.ts';

export interface TestAgentOptions extends TestClockOptions {
  /** Other agents of the same server, such as those that the agent calls. */
  readonly agents?: readonly Agent[] | undefined;
  /** Keeps the tasks, even across `restart`. Default: in memory. */
  readonly store?: Store | undefined;
  /** Options of the server. */
  readonly server?: Omit<Partial<A2AServerOptions>, 'agents' | 'store' | 'clock'> | undefined;
  /** Options of the client. */
  readonly client?: ClientOptions | undefined;
}

/** What the server and the client take is looked at by them. */
const OPTIONS: Checks<TestAgentOptions> = {
  ...CLOCK_CHECKS,
  agents: listOf(anything, 'a list of agents'),
  store: having('a store, such as memory()', 'commit', 'load', 'read'),
  server: object,
  client: object,
};

/** A line of the server's log. */
export interface LogEntry {
  readonly level: 'error' | 'warn';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Life {
  readonly server: A2AServer;
  die(): void;
}

const URL_OF_TESTS = 'http://agent.test';

/** An agent under test: served without a socket, with a client, a clock and a store that the test has in hand. */
export class TestAgent implements AsyncDisposable {
  /** The address under which `fetch` knows the agent. */
  readonly url = URL_OF_TESTS;
  readonly clock: TestClock;
  readonly store: Store;
  readonly client: A2AClient;
  readonly logged: LogEntry[] = [];
  readonly #options: TestAgentOptions;
  readonly #line = new Line((request) => this.server.fetch(request));
  #agent: Agent;
  #life: Life;
  #opened: Promise<void> | undefined;

  constructor(agent: Agent, options: TestAgentOptions = {}) {
    checkOptions('testAgent', options, OPTIONS);
    this.#agent = agent;
    this.#options = options;
    this.clock = new TestClock({ start: options.start, frozen: options.frozen });
    this.store = options.store ?? memory({ now: this.clock.now });
    this.#life = this.#begin();
    this.client = this.connect();
  }

  /** The server that runs now; another one after each restart. */
  get server(): A2AServer {
    return this.#life.server;
  }

  /** Reaches the server as the network would. */
  get fetch(): typeof fetch {
    return this.#line.fetch;
  }

  /** Another client, with other options or of another agent. */
  connect(options: ClientOptions = {}, agent?: string): A2AClient {
    const { now, after } = this.clock;
    const timing: Timing = { now, after, random: () => 0.5 };
    const url = agent === undefined ? this.url : `${this.url}/a2a/agents/${encodeURIComponent(agent)}`;
    return new A2AClient(url, { fetch: this.fetch, timing, ...this.#options.client, ...options });
  }

  /** Moves the time of server and clients on; see TestClock. */
  advance(milliseconds: number): Promise<void> {
    return this.clock.advance(milliseconds);
  }

  /**
   * The server dies in the middle of what it does, and another one starts on the same store. Connections break, and what
   * was not committed is gone. A run cannot be stopped from outside: the code of the old one may go on, but whatever it
   * asks of its task is never answered. `agent` is what takes the agent's place, under the same name.
   */
  async restart(agent: Agent = this.#agent): Promise<void> {
    this.#life.die();
    this.#line.cut();
    this.#agent = agent;
    this.#life = this.#begin();
    const health = await this.server.fetch(new Request(`${this.url}/healthz`));
    if (!health.ok) throw new Error(`The server did not start again: ${await health.text()}`);
  }

  async close(): Promise<void> {
    this.clock.release();
    await this.server.close();
    this.#line.cut();
    if (this.#opened) await this.store.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #begin(): Life {
    const { clock, stop } = stoppableClock(this.clock);
    const mortal = mortalStore(this.store, () => this.#open());
    const { agents = [], server: options } = this.#options;
    const note = (level: LogEntry['level']): ((message: string, details: LogEntry['details']) => void) => {
      return (message, details) => void this.logged.push({ level, message, details });
    };
    const server = new A2AServer({
      anonymous: 'shared',
      log: { error: note('error'), warn: note('warn') },
      // Runs that a test leaves behind must not hold up its end.
      drainTimeout: 0,
      ...options,
      agents: [this.#agent, ...agents],
      store: mortal.store,
      clock,
    });
    return {
      server,
      die: () => {
        stop();
        mortal.die();
      },
    };
  }

  async #open(): Promise<void> {
    this.#opened ??= Promise.resolve(this.store.open());
    await this.#opened;
  }
}

/**
 * Runs an agent in memory, without a socket.
 *
 * @example
 * const { client } = testAgent(reporter);
 * expect(await client.run('Report on Q4')).toContain('revenue');
 */
export function testAgent(agent: Agent, options?: TestAgentOptions): TestAgent {
  return new TestAgent(agent, options);
}
