import { bodyOf, type ReceivedHeaders, readChunks } from '../verify/received-request.ts';
import type { Delivery, Receipt } from './receiver.ts';

/** A request of `node:http`, as it is or as Express and its like have it, with a `body` that may have been read. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly rawBody?: unknown;
  /** False until the first read. */
  readonly readableDidRead?: boolean | undefined;
}

/** A response of `node:http`. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
}

/** A request of Node. A body that was read before must be raw: `express.raw({ type: 'application/*+json' })`, or nothing at all. */
export function nodeDelivery(request: NodeRequest): Delivery {
  const { method = '', headers, body, rawBody, readableDidRead } = request;
  // Some parsers leave an empty object where they have read nothing.
  const read = rawBody ?? (readableDidRead === false ? undefined : body);
  return {
    method,
    headers,
    readBody: (most, seen) =>
      read === undefined
        ? readChunks(request, most, seen)
        : bodyOf({ headers, body: read as string | Uint8Array }, most, seen),
  };
}

/** A request of the Fetch API. */
export function webDelivery(request: Request): Delivery {
  const { method, headers } = request;
  return { method, headers: headers as ReceivedHeaders, readBody: (most, seen) => bodyOf(request, most, seen) };
}

export function respondNode(response: NodeResponse, { status, headers, body }: Receipt): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === '') response.end();
  else response.end(body);
}

export function webResponse({ status, headers, body }: Receipt): Response {
  return new Response(body === '' ? null : body, { status, headers });
}
