import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isTerminal } from 'parley-a2a';
import { newPushSecret, pushReceiver } from 'parley-a2a/push';
import type { Random } from '../../crash/load/random.ts';
import type { Ledger } from '../ledger.ts';

/** What becomes of a request of a webhook: refused before it is read, heard of without a response, or answered. */
const WEIGHTS = { answered: 80, refused: 10, cut: 5, unanswered: 5 } as const;

/** Connections are soon closed that nobody uses, so that a server at rest has none, and so that one which is used again may be gone. */
const KEPT_MS = 200;

/** A receiver of webhooks that fails now and then, and keeps what it was told of each task. */
export class Webhooks {
  readonly secret: string = newPushSecret();
  /** The places in the log, by task, in the order in which they came. */
  readonly told = new Map<string, number[]>();
  readonly #ended = new Set<string>();
  readonly #random: Random;
  readonly #ledger: Ledger;
  readonly #server = createServer({ keepAliveTimeout: KEPT_MS }, (request, response) => {
    this.#answer(request, response).catch((error: unknown) => {
      response.destroy();
      // A server that is killed takes its requests with it.
      if (!request.destroyed) this.#ledger.find(`The receiver of webhooks failed: ${String(error)}`);
    });
  });
  readonly #receiver = pushReceiver({
    secret: this.secret,
    onEvent: (event, { taskId, seq }) => {
      const told = this.told.get(taskId) ?? [];
      this.told.set(taskId, told);
      told.push(seq ?? -1);
      const status = event.kind === 'task' ? event.task.status : event.kind === 'status' ? event.status : undefined;
      if (status && isTerminal(status.state)) this.#ended.add(taskId);
    },
  });
  requests = 0;

  constructor(random: Random, ledger: Ledger) {
    this.#random = random;
    this.#ledger = ledger;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Whether the end of a task was told. */
  isTold(taskId: string): boolean {
    return this.#ended.has(taskId);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const fate = this.#random.weighted(WEIGHTS);
    const body = await buffer(request);
    if (fate === 'cut') return void response.destroy();
    if (fate === 'refused') return void response.writeHead(500).end();
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const heard = await this.#receiver.fetch(new Request(this.url, { method: 'POST', headers, body }));
    if (heard.status >= 300) {
      const about = `${decodeURIComponent(request.url ?? '')} ${body.toString().slice(0, 500)}`;
      this.#ledger.find(`A webhook was answered ${heard.status}: ${await heard.text()} ${about}`);
    }
    if (fate === 'unanswered') return void response.destroy();
    response.writeHead(heard.status).end();
  }
}
