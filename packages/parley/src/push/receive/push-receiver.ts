import {
  type NodeRequest,
  type NodeResponse,
  nodeDelivery,
  respondNode,
  webDelivery,
  webResponse,
} from './node-delivery.ts';
import type { PushReceiverOptions } from './options.ts';
import { Receiver } from './receiver.ts';

/** A receiver of webhooks as the handlers of its route. Both are bound, and may be passed on. */
export interface PushReceiver {
  /** For everything that speaks the Fetch API: Hono, Next.js, Bun, Deno, Workers. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** For `node:http`, Express, Fastify's `raw`, Koa's `req` and `res`. */
  readonly node: (request: NodeRequest, response: NodeResponse) => Promise<void>;
}

/**
 * A receiver of webhooks: it verifies each notification, drops those that came before, and hands the events of each task over
 * in order.
 *
 * @example
 * const receiver = pushReceiver({ secret, onEvent: (event, { taskId }) => console.log(taskId, event.kind) });
 * app.post('/webhooks/a2a', receiver.node);
 */
export function pushReceiver(options: PushReceiverOptions): PushReceiver {
  const receiver = new Receiver(options);
  return {
    fetch: async (request) => webResponse(await receiver.receive(webDelivery(request))),
    node: async (request, response) => respondNode(response, await receiver.receive(nodeDelivery(request))),
  };
}
