import type { ExchangeRequest, ExchangeResponse } from '../../../../bindings/exchange.ts';
import { piecesOf } from '../../../../bindings/http/stream-pieces.ts';
import type { CarriedResponse, Carrier } from '../../../../check/wire/carrier.ts';
import type { OutboundGuard } from '../../../outbound/guard.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import { belowPrefix } from '../../../routing/paths.ts';
import { OwnExchange } from './own-exchange.ts';

/** The largest response of an outside agent, in bytes; the check itself reads less. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Carries requests to the server that runs the check, within the process. `base`: where it is, as its cards say. */
export function ownCarrier(
  base: string,
  operator: ExchangeRequest,
  handle: (request: ExchangeRequest) => Promise<ExchangeResponse>,
): Carrier {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/(?<!\/)\/+$/, '');
  return {
    async open(sent, signal) {
      const { origin: asked, pathname: path, search } = new URL(sent.url);
      const url = asked === origin ? belowPrefix(path + search, prefix) : undefined;
      if (url === undefined) throw new Error('the address is none of this server');
      const responding = handle(new OwnExchange(sent, url, operator, signal));
      const response = await unlessAborted(responding, signal);
      if (sent.method === 'HEAD' && typeof response.body === 'object') response.body.close();
      const body = sent.method === 'HEAD' ? undefined : response.body;
      return carried(response.status, Object.entries(response.headers), body, signal);
    },
    close() {},
  };
}

/** Carries requests to outside agents, to addresses that the guard allows. */
export function guardedCarrier(guard: OutboundGuard, timeout: number): Carrier {
  return {
    async open({ url, method, headers, body: text }, signal) {
      const body = text === undefined ? undefined : new TextEncoder().encode(text);
      const opening = guard.open(url, { method, headers, body, signal, timeout, maxBytes: MOST_BYTES });
      const response = await opening.catch((error: unknown): never => {
        // The guard's text continues a field's name.
        if (error instanceof OutboundError) throw new Error(`the address ${error.message}`, { cause: error });
        throw error;
      });
      return carried(response.status, response.headers, response.body, signal);
    },
    close() {},
  };
}

/** A response that comes after the signal is let go. */
async function unlessAborted(responding: Promise<ExchangeResponse>, signal: AbortSignal): Promise<ExchangeResponse> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(new Error('the request was cut'));
      void responding.then(
        ({ body }) => typeof body === 'object' && body.close(),
        () => undefined,
      );
    };
    signal.addEventListener('abort', leave, { once: true });
    responding.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function carried(
  status: number,
  headers: readonly (readonly [name: string, value: string])[],
  body: ExchangeResponse['body'],
  signal: AbortSignal,
): CarriedResponse {
  const joined: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    joined[key] = key in joined ? `${joined[key]}, ${value}` : value;
  }
  const close = () => {
    signal.removeEventListener('abort', close);
    if (typeof body === 'object') body.close();
  };
  signal.addEventListener('abort', close, { once: true });
  return { status, headers: joined, body: wholeOf(body), close };
}

/** The bytes of a body. Throws where it was ended before its end. */
async function* wholeOf(body: ExchangeResponse['body']): AsyncGenerator<Uint8Array, void, undefined> {
  yield* piecesOf(body);
  if (typeof body === 'object' && body.isComplete === false) throw new Error('the response broke off');
}
