import { A2AClient, collect, type Task, textOf } from 'parley-a2a';

const RECONNECT = { firstDelay: 5, longestDelay: 40, attempts: 1_000 };
const RETRY = { firstDelay: 5, longestDelay: 40, attempts: 1_000 };

/** Where the server is now; the address stays while the port changes, as behind a load balancer. */
export interface Place {
  port: number;
}

export async function clientOf(place: Place): Promise<A2AClient> {
  const viaCurrent: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    url.port = String(place.port);
    return fetch(url, init);
  };
  const options = { fetch: viaCurrent, reconnect: RECONNECT, retry: RETRY, timeout: 0 };
  return A2AClient.connect(`http://127.0.0.1:${place.port}`, options);
}

/** One client with one task, from its begin to its end through all kills. */
export class Errand {
  readonly #client: A2AClient;
  readonly #answer: string;
  /** The task as the events made it. */
  collected: Task | undefined;
  /** What `textStream` gave of the last stream. */
  text = '';
  isOver = false;

  constructor(client: A2AClient, answer: string) {
    this.#client = client;
    this.#answer = answer;
  }

  async run(): Promise<void> {
    await this.#follow(this.#client.sendMessageStream('go'));
    for (let question = 0; this.collected?.status.state === 'input-required'; question += 1) {
      await this.#follow(this.#client.sendMessageStream(this.#answer, { taskId: this.collected.id }));
      if (question > 2) throw new Error('It asks again and again');
    }
    this.isOver = true;
  }

  async #follow(stream: ReturnType<A2AClient['sendMessageStream']>): Promise<void> {
    this.text = '';
    const texts = (async () => {
      for await (const piece of stream.textStream) this.text += piece;
    })();
    let note: Promise<unknown> | undefined;
    for await (const task of collect(stream)) {
      this.collected = task;
      if (textOf(task).includes(` for ${this.#answer}`)) note ??= this.#note(task.id);
    }
    await texts;
    await note;
  }

  /** Sends a message to the task while it works; one that comes too late is refused. */
  #note(taskId: string): Promise<unknown> {
    return this.#client.sendMessage('9', { taskId, returnImmediately: true }).catch(() => {});
  }

  /** All words that came from finished steps, as this client has seen them. */
  get seenSteps(): readonly string[] {
    return this.collected ? (textOf(this.collected).match(/\w+!/g) ?? []) : [];
  }
}
