import { pause } from '../../support/script.ts';
import { type Journal, RUNNING, WAITING } from '../check/journal.ts';
import type { Calls } from './calls.ts';
import type { Random } from './random.ts';

const WEIGHTS = {
  stream: 6,
  send: 4,
  keyed: 4,
  retry: 3,
  hang: 2,
  cancel: 2,
  note: 2,
  answer: 4,
  list: 1,
  get: 2,
  resume: 4,
  subscribe: 2,
} as const;

/** Clients of one server process. They go on until it is killed. */
export class Clients {
  readonly #calls: Calls;
  readonly #journal: Journal;
  readonly #background: Promise<void>[] = [];
  #over = false;

  constructor(calls: Calls, journal: Journal) {
    this.#calls = calls;
    this.#journal = journal;
  }

  /** From now on a lost connection is no surprise. */
  expectTheEnd(): void {
    this.#over = true;
  }

  /** One client that does one thing after the other. */
  async run(random: Random): Promise<void> {
    while (!this.#over) await this.#survive(() => this.#act(random));
    await Promise.all(this.#background);
  }

  async #survive(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#over) this.#journal.problems.push(`A client failed before the crash: ${(error as Error).stack}`);
    }
  }

  /** Something that may not end before the server does. */
  #start(work: () => Promise<void>): Promise<void> {
    this.#background.push(this.#survive(work));
    return Promise.resolve();
  }

  #act(random: Random): Promise<void> {
    const journal = this.#journal;
    const calls = this.#calls;
    // All numbers are drawn first, so that what a client does hangs as little as possible on what it saw.
    const action = random.weighted(WEIGHTS);
    const chunks = random.chance(0.2) ? random.between(100, 600) : random.between(0, 30);
    const verb = random.weighted({ count: 5, require: 2, ask: 2, reply: 1 });
    const text = `${verb} ${chunks} ${random.between(1, 40)}`;
    const chosen = random.unit();
    const withOne = <T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
      const index = Math.floor(chosen * list.length);
      return index in list ? work(list[index] as T) : pause(1);
    };
    switch (action) {
      case 'stream':
        return calls.send('SendStreamingMessage', text);
      case 'send':
        return calls.send('SendMessage', text, { configuration: { returnImmediately: chosen < 0.4 } });
      case 'keyed': {
        const method = chosen < 0.5 ? 'SendMessage' : 'SendStreamingMessage';
        return calls.send(method, text, { key: crypto.randomUUID() });
      }
      case 'retry': {
        const keyed = [...journal.sent.values()].filter(({ key }) => key !== undefined);
        return withOne(keyed.slice(-40), (sent) => calls.deliver(sent));
      }
      case 'hang':
        return this.#start(() => calls.send('SendStreamingMessage', `hang ${chunks} 5`));
      case 'cancel':
        return withOne(journal.inState(...RUNNING, WAITING).slice(-30), (id) => calls.cancel(id));
      case 'note':
        return withOne(journal.inState(...RUNNING).slice(-10), (taskId) =>
          this.#start(() => calls.send('SendMessage', 'note 0', { taskId })),
        );
      case 'answer': {
        const method = chosen < 0.5 ? 'SendMessage' : 'SendStreamingMessage';
        const answer = `count ${chunks} 4`;
        return withOne(journal.inState(WAITING).slice(-30), (taskId) => calls.send(method, answer, { taskId }));
      }
      case 'list':
        return calls.list();
      case 'get':
        return withOne([...journal.known.keys()].slice(-50), (id) => calls.get(id));
      case 'resume':
        return withOne(journal.readings.slice(-60), ({ taskId, frames }) =>
          this.#start(() => calls.subscribe(taskId, (frames.at(-1)?.id ?? 0) - (chunks % 3))),
        );
      case 'subscribe':
        return withOne(journal.inState(...RUNNING, WAITING).slice(-10), (id) =>
          this.#start(() => calls.subscribe(id, undefined)),
        );
      default:
        return action satisfies never;
    }
  }
}
