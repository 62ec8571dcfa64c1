import { Agent, request as httpRequest } from 'node:http';

const CONNECTIONS = new Agent({ keepAlive: true, maxSockets: 4 });

/** A request whose path and headers go out as they are written here: no client makes them any better. */
export interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** A list repeats a header. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | undefined;
}

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case, in alphabetical order, without the date. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request over a socket and reads the response to its end, or up to what `isEnough`. */
export function sendRaw(
  url: string,
  { method, path, headers, body }: RawRequest,
  isEnough: (body: string) => boolean = () => false,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ hostname, port, method, path, agent: CONNECTIONS, headers: writable(headers) });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let text = '';
      const { statusCode = 0, headers: received } = incoming;
      const finish = () => {
        resolve({ status: statusCode, headers: sorted(received), body: text });
        if (!incoming.complete) outgoing.destroy();
      };
      incoming.setEncoding('utf8');
      incoming.on('data', (piece: string) => {
        text += piece;
        if (isEnough(text)) finish();
      });
      incoming.on('end', finish);
      incoming.on('error', reject);
    });
    outgoing.end(body);
  });
}

function writable(headers: RawRequest['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}

function sorted(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'date')
      .map(([name, value]) => [name, String(value)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
