import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../../engine/ports.ts';
import { isLoopbackAddress } from '../../routing/locality.ts';

/** The metrics as a text, and its content type. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Requests of one scraper and a few people: everything else is no use of this port. */
const MOST_CONNECTIONS = 32;
/** Milliseconds until the headers of a request must be there. */
const HEADERS_TIMEOUT = 5000;
const LARGEST_HEADERS = 8192;

/** Serves metrics, and nothing else, on a port of their own. */
export class MetricsPort {
  readonly #server: Server;
  readonly #metrics: MetricsText;
  readonly #log: Logger;
  #isLoopback = false;

  constructor(metrics: MetricsText, log: Logger) {
    this.#metrics = metrics;
    this.#log = log;
    const bounds = { headersTimeout: HEADERS_TIMEOUT, requestTimeout: HEADERS_TIMEOUT, maxHeaderSize: LARGEST_HEADERS };
    this.#server = createServer(bounds, (request, response) => void this.#respond(request, response));
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  /** Rejects with one clear sentence where the port cannot be had. */
  async listen(port: number, host = '127.0.0.1'): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => reject(problemOf(error, port, host)));
      this.#server.listen(port, host, resolve);
    });
    this.#isLoopback = isLoopbackAddress((this.#server.address() as AddressInfo).address);
  }

  /** The address that it listens on. */
  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address.includes(':') ? `[${address}]` : address}:${port}/metrics`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #respond({ method, url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      // A page that a browser shows may call a name of its own that leads here.
      if (this.#isLoopback && !isLocalHost(headers.host)) return refuse(response, 421, 'Ask for localhost');
      if (url.split('?')[0] !== '/metrics') return refuse(response, 404, 'Metrics are at /metrics');
      if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Use GET', { allow: 'GET, HEAD' });
      const text = await this.#metrics.text();
      response.writeHead(200, { 'content-type': this.#metrics.contentType, 'cache-control': 'no-store' });
      response.end(method === 'HEAD' ? undefined : text);
    } catch (error) {
      this.#log.error('Metrics could not be told', { error });
      if (!response.headersSent) refuse(response, 500, 'Metrics could not be told; the log has the reason');
      else response.destroy();
    }
  }
}

function refuse(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`);
}

function isLocalHost(host: string | undefined): boolean {
  const name = (host ?? '').replace(/:\d+$/, '').toLowerCase();
  return name === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'));
}

function problemOf(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const place = `Port ${port} on ${host} (metrics.port)`;
  if (error.code === 'EADDRINUSE') return new Error(`${place} is taken by another program`, { cause: error });
  if (error.code === 'EACCES') return new Error(`${place} may not be used by this user`, { cause: error });
  return new Error(`${place} cannot be listened on: ${error.message}`, { cause: error });
}
