import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { A2AError } from '../../../../model/errors/errors.ts';
import type { Awaitable } from '../../../options.ts';
import type { Redirection } from '../flows/authorization-code.ts';

export interface LoopbackOptions {
  /** Opens the page in a browser, or asks a person to. */
  readonly open: (pageUrl: string) => Awaitable<void>;
  /** The port to listen on. Default 0: any free one (RFC 8252 §7.3). */
  readonly port?: number | undefined;
  /** Milliseconds to wait for the person. Default five minutes. */
  readonly timeout?: number | undefined;
}

const PATH = '/callback';
const LONGEST_WAIT_MS = 300_000;
const LARGEST_HEADERS = 16_384;

/** Takes the answer of the page at an address of this machine, `http://127.0.0.1:PORT/callback`. */
export function loopback(options: LoopbackOptions): () => Promise<Redirection> {
  return () => listenForRedirect(options);
}

/** Listens for the one request by which a browser comes back. */
async function listenForRedirect({ open, port = 0, timeout = LONGEST_WAIT_MS }: LoopbackOptions): Promise<Redirection> {
  let answer: ((url: string) => void) | undefined;
  const answered = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const server = createServer({ maxHeaderSize: LARGEST_HEADERS, requestTimeout: 10_000 }, (request, response) => {
    const url = URL.parse(request.url ?? '', redirectUri);
    const isAnswer = url?.pathname === PATH && (url.searchParams.has('code') || url.searchParams.has('error'));
    if (request.method !== 'GET' || !url || !isAnswer) {
      respond(response, 404, 'Nothing is here.');
      return;
    }
    respond(response, 200, 'Thank you. You may close this page and go back to the program.');
    answer?.(url.href);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  return {
    redirectUri,
    async visit(pageUrl, signal) {
      const limit = AbortSignal.timeout(timeout);
      const ended = new Promise<never>((_, reject) => {
        limit.addEventListener('abort', () =>
          reject(new A2AError('UNAUTHENTICATED', `Nobody answered the page within ${timeout} ms`)),
        );
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (signal?.aborted) reject(signal.reason);
      });
      ended.catch(() => undefined);
      await open(pageUrl);
      return Promise.race([answered, ended]);
    },
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** The page has no script and no link, and nothing of the request. */
function respond(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    .end(`${text}\n`);
}
