import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { REQUEST_BYTES } from '../../src/bridges/mcp/serving/limits.ts';
import { KeptResults } from '../../src/bridges/mcp/serving/tasks/kept-results.ts';
import { readBody, respond } from '../../src/cli/mcp/node-web.ts';
import { systemClock } from '../../src/engine/node/clock.ts';
import { isA2AError } from '../../src/model/errors/errors.ts';
import { HeldBodies } from '../../src/server/http/held/held-bodies.ts';
import { problemOf } from '../../src/server/operator/problems.ts';

async function listening(take: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(take);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('requests to the bridge over HTTP', () => {
  /** Responds with the length of the body, or the status of the refusal. */
  const bodiesServer = (limits: { readonly bodiesBytes: number; readonly bodyTimeout: number }) => {
    const bodies = new HeldBodies({ bodyBytes: REQUEST_BYTES, ...limits }, systemClock);
    return listening((incoming, outgoing) => {
      readBody(incoming, bodies).then(
        ({ text, release }) => {
          release();
          outgoing.end(String(text.length));
        },
        (error: unknown) => {
          outgoing.statusCode = isA2AError(error) ? problemOf(error).status : 500;
          outgoing.end();
        },
      );
    });
  };
  const post = (port: number, length: number, sent = length) => {
    const outgoing = request({ port, method: 'POST', headers: { 'content-length': length } });
    outgoing.on('error', () => {});
    if (sent === length) outgoing.end('x'.repeat(length));
    else outgoing.write('x'.repeat(sent));
    const status = new Promise<number>((resolve) => {
      outgoing.once('response', (incoming) => {
        incoming.resume();
        resolve(incoming.statusCode ?? 0);
      });
    });
    return { outgoing, status };
  };

  it('hold so many bytes together, and those of clients that leave are free again', async () => {
    const port = await bodiesServer({ bodiesBytes: 200_000, bodyTimeout: 600_000 });
    const first = post(port, 150_000, 10);
    // Small ones always find room; with its response the large one before it has been counted.
    await expect.poll(() => post(port, 100_000).status).toBe(503);
    expect(await post(port, 1000).status).toBe(200);
    first.outgoing.destroy();
    await expect.poll(() => post(port, 100_000).status).toBe(200);
  });

  it('that are too large, or never end, are refused as such', async () => {
    const port = await bodiesServer({ bodiesBytes: 64 * 1024 * 1024, bodyTimeout: 50 });
    expect(await post(port, REQUEST_BYTES + 1, 10).status).toBe(413);
    expect(await post(port, 1000, 10).status).toBe(408);
  });

  it('are cut where their response is not read', async () => {
    const cut = Promise.withResolvers<void>();
    const port = await listening((_, outgoing) => {
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      });
      outgoing.once('close', () => {
        // One listener for each wait would be too many soon.
        expect(outgoing.listenerCount('drain')).toBeLessThan(5);
        cut.resolve();
      });
      void respond(outgoing, new Response(endless), 50);
    });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    onTestFinished(() => void socket.destroy());
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await cut.promise;
  });
});

describe('replies that are kept for clients of 2025-11-25', () => {
  const agent = { key: 'agent' } as never;
  const reply = (length: number) => ({ content: [{ type: 'text' as const, text: 'x'.repeat(length) }] });

  it('go, the oldest first, when all together are too long', () => {
    const results = new KeptResults(1000);
    const [first, second, third] = [400, 400, 400].map((length) => results.keep(agent, reply(length)).taskId);
    expect(results.get(first ?? '')).toBeUndefined();
    expect(results.get(second ?? '')).toBeDefined();
    const { taskId: long } = results.keep(agent, reply(5000));
    expect(results.get(third ?? '')).toBeUndefined();
    expect(results.get(long)?.result).toEqual(reply(5000));
  });

  it('are no more than 256', () => {
    const results = new KeptResults();
    const ids = Array.from({ length: 257 }, () => results.keep(agent, reply(1)).taskId);
    expect(ids.filter((id) => results.get(id) === undefined)).toEqual([ids[0]]);
  });
});
