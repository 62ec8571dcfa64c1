import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { CarriedResponse, Carrier } from './carrier.ts';
import type { Outgoing } from './exchange.ts';
import { headOf } from './response-head.ts';

/** Carries requests over HTTP to any address. Nothing is decoded, repeated or tidied up. */
export class HttpCarrier implements Carrier {
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  };

  /** A connection that the server closed while idle is made again, once. */
  async open(sent: Outgoing, signal: AbortSignal): Promise<CarriedResponse> {
    try {
      return await this.#attempt(sent, signal, false);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return this.#attempt(sent, signal, true);
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #attempt(sent: Outgoing, signal: AbortSignal, fresh: boolean): Promise<CarriedResponse> {
    const url = new URL(sent.url);
    const isTls = url.protocol === 'https:';
    const { body } = sent;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options: RequestOptions = {
      method: sent.method,
      headers: { ...length, ...sent.headers },
      agent: fresh ? false : this.#agents[isTls ? 'https:' : 'http:'],
      signal,
    };
    return new Promise((resolve, reject) => {
      const request = (isTls ? requestHttps : requestHttp)(url, options);
      request.once('response', (response) => resolve(carried(response)));
      request.on('error', (error: NodeJS.ErrnoException) => {
        // Only a connection that was used before may have been closed without a fault.
        const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(isStale ? new StaleConnection(error.message) : error);
      });
      request.end(body);
    });
  }
}

class StaleConnection extends Error {}

function carried(response: IncomingMessage): CarriedResponse {
  // A response that breaks off tells its reader; one without a reader may break off, too.
  response.on('error', () => {});
  return {
    ...headOf(response),
    body: response as AsyncIterable<Buffer>,
    close: () => void response.destroy(),
  };
}
