import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closedLoop } from './unary.ts';

/** Receives webhooks and counts them; nothing is verified. */
export class WebhookCounter {
  count = 0;
  #awaited = Number.POSITIVE_INFINITY;
  #reached = Promise.withResolvers<void>();
  readonly #server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      this.count += 1;
      if (this.count >= this.#awaited) this.#reached.resolve();
    });
  });

  static async listen(): Promise<WebhookCounter> {
    const counter = new WebhookCounter();
    counter.#server.listen(0, '127.0.0.1');
    await once(counter.#server, 'listening');
    return counter;
  }

  url(index: number): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${index}`;
  }

  /** Resolves when so many have come, from the beginning. */
  async reached(count: number): Promise<void> {
    if (this.count >= count) return;
    this.#awaited = count;
    this.#reached = Promise.withResolvers<void>();
    await this.#reached.promise;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const CONNECTIONS = 64;

/** Registers so many webhooks, spread over the tasks. */
export async function registerWebhooks(
  port: number,
  tasks: readonly string[],
  count: number,
  receiver: WebhookCounter,
): Promise<void> {
  const body = (index: number): string => {
    const params = { taskId: tasks[index % tasks.length], id: `hook-${index}`, url: receiver.url(index) };
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'CreateTaskPushNotificationConfig', params });
  };
  if (count > 0) await closedLoop({ port, connections: Math.min(CONNECTIONS, count), count, body });
}
