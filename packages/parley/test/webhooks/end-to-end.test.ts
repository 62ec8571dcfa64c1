import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { A2AClient, A2AServer, defineAgent, isTask, textOf } from 'parley-a2a';
import { newPushSecret, type PushNotification, type PushReceiverOptions, pushReceiver } from 'parley-a2a/push';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';

const writer = defineAgent({
  name: 'writer',
  description: 'Writes three words',
  version: '1.0.0',
  async *run(task) {
    await task.status('Writing');
    yield* ['one ', 'two ', 'three'];
  },
});

interface Place {
  readonly url: string;
  readonly jwksUrl: string;
  readonly told: PushNotification[];
  /** The bodies and headers as they came. */
  readonly raw: { readonly body: string; readonly headers: Record<string, string> }[];
  readonly ended: Promise<void>;
  readonly client: A2AClient;
}

/** A server on loopback, and a receiver that fails at first, so that everything comes at least twice. */
async function places(options: (jwksUrl: string) => Partial<PushReceiverOptions>): Promise<Place> {
  const server = await new A2AServer({
    agents: [writer],
    push: { retry: { firstDelay: 1, factor: 1, jitter: 0 } },
    log: { error: () => undefined, warn: () => undefined },
  }).listen({ port: 0 });
  onTestFinished(() => server.close());
  const jwksUrl = `${server.url}/.well-known/jwks.json`;
  const told: PushNotification[] = [];
  const raw: Place['raw'] = [];
  const ended = Promise.withResolvers<void>();
  const receiver = pushReceiver({
    ...options(jwksUrl),
    onEvent: (event, notification) => {
      told.push(notification);
      if (event.kind === 'status' && event.status.state === 'completed') ended.resolve();
    },
  });
  let count = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += chunk;
    raw.push({ body, headers: request.headers as Record<string, string> });
    const init = { method: 'POST', headers: request.headers as Record<string, string>, body };
    const { status } = await receiver.fetch(new Request('http://hooks.test/', init));
    count += 1;
    // Handled, but the sender does not hear of it: it sends the same again.
    response.writeHead(count % 2 === 1 ? 500 : status).end();
  };
  const listener = createServer((...exchange) => void answer(...exchange)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
  const client = await A2AClient.connect(server.url ?? '');
  return { url, jwksUrl, told, raw, ended: ended.promise, client };
}

describe('what a server sends', () => {
  it('is received once and in order although each is sent twice, by secret [rule:push.receiver-idempotent]', async () => {
    const secret = newPushSecret();
    const { url, told, raw, ended, client } = await places(() => ({ secret }));
    const answer = await client.sendMessage('Go', { pushConfig: { url, token: secret } });
    await ended;
    const positions = told.map(({ seq }) => seq ?? 0);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
    expect(raw.length).toBeGreaterThan(told.length);
    expect(new Set(told.map(({ taskId }) => taskId))).toEqual(new Set([isTask(answer) ? answer.id : '']));
    const artifacts = told.flatMap(({ event }) => (event.kind === 'artifact' ? [textOf(event.artifact)] : []));
    expect(artifacts).toEqual(['one two three']);
    // The secret is never sent, and the library of others verifies the same requests.
    for (const { body, headers } of raw) {
      expect(JSON.stringify(headers)).not.toContain(secret);
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    }
  });

  it('is verified by the keys that the server publishes, without any secret', async () => {
    const { url, told, ended, client } = await places((jwksUrl) => ({ jwksUrl }));
    await client.sendMessage('Go', { pushConfig: { url } });
    await ended;
    expect(told.map(({ event }) => event.kind)).toContain('artifact');
  });
});
