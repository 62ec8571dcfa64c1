import { type IncomingHttpHeaders, type OutgoingHttpHeaders, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';

type Options = Omit<RequestOptions, 'headers'> & { readonly headers: OutgoingHttpHeaders };

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Tells connections apart. */
  readonly localPort: number | undefined;
}

/** A request over a socket of the caller's choice. */
export function httpRequest(url: string, options: Options, body = ''): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': Buffer.byteLength(body), ...options.headers };
    const outgoing = request(url, { ...options, headers }, (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming;
      const { localPort } = incoming.socket;
      text(incoming).then((whole) => resolve({ status, headers: received, body: whole, localPort }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
