import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { lab } from '../../../../../examples/agents/index.ts';
import { startServer, type Wire } from '../../support/rpc.ts';

type Headers = Record<string, string | string[] | undefined>;

/** A request as a defect sees it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** The body as JSON, undefined where it is none. */
  readonly json: Wire;
}

/** One thing that a server does wrong: what it changes in requests and responses of a server that is right. */
export interface Defect {
  /** Changes the JSON of a request. */
  readonly request?: (json: Wire, seen: Seen) => Wire;
  /** Changes the headers of a request. */
  readonly requestHeaders?: (headers: Headers, seen: Seen) => Headers;
  /** Changes the JSON of a response that is no stream. */
  readonly response?: (json: Wire, seen: Seen) => Wire;
  /** Changes the card. */
  readonly card?: (card: Wire) => Wire;
  readonly headers?: (headers: Headers, seen: Seen) => Headers;
  readonly status?: (status: number, seen: Seen) => number;
  /** Changes the JSON of an event; undefined drops it. */
  readonly event?: (json: Wire, index: number, seen: Seen) => Wire;
  /** Leaves streams open that are over. */
  readonly keepsOpen?: boolean;
}

/** The lab behind a proxy that brings the defect in. Its card declares no extension: only the protocol's own rules count. */
export async function brokenServer(defect: Defect): Promise<string> {
  const { server } = startServer([lab], { push: { retry: { firstDelay: 20 } } });
  await server.listen({ port: 0 });
  const target = new URL(server.url ?? '');
  const proxy = createServer((incoming, outgoing) => {
    // Whoever goes away in mid-stream is not waited for.
    relay(incoming, outgoing, target, defect).catch(() => outgoing.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function relay(incoming: IncomingMessage, outgoing: ServerResponse, target: URL, defect: Defect): Promise<void> {
  // A length that is a lie is refused by the server itself.
  const announced = Number(incoming.headers['content-length'] ?? 0);
  const text = announced > 2 ** 20 ? '' : await textOf(incoming);
  const seen: Seen = {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    json: parse(text),
  };
  const changed = seen.json === undefined ? undefined : defect.request?.(structuredClone(seen.json), seen);
  const body = changed === undefined ? text : JSON.stringify(changed);
  const headers = { ...(defect.requestHeaders?.({ ...incoming.headers }, seen) ?? incoming.headers) };
  if (announced <= 2 ** 20) headers['content-length'] = String(Buffer.byteLength(body));
  const upstream = request({ host: target.hostname, port: target.port, method: seen.method, path: seen.path, headers });
  upstream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstream.destroy());
  upstream.end(body);
  const [response] = (await once(upstream, 'response').catch(() => [])) as [IncomingMessage?];
  if (response) await answer(response, outgoing, seen, defect);
}

async function answer(response: IncomingMessage, outgoing: ServerResponse, seen: Seen, defect: Defect): Promise<void> {
  const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
  const status = defect.status?.(response.statusCode ?? 0, seen) ?? response.statusCode ?? 0;
  const headers = { ...(defect.headers?.({ ...response.headers }, seen) ?? response.headers) };
  for (const name of ['content-length', 'transfer-encoding']) delete headers[name];
  for (const [name, value] of Object.entries(headers)) if (value === undefined) delete headers[name];
  if (isStream) {
    outgoing.writeHead(status, headers);
    await answerStream(response, outgoing, seen, defect);
    return;
  }
  const text = await textOf(response);
  const json = parse(text);
  const isCard = seen.path.includes('/.well-known/');
  const change = isCard ? changeCard(defect) : defect.response;
  const changed = json === undefined || change === undefined ? text : JSON.stringify(change(json, seen));
  outgoing.writeHead(status, headers).end(changed);
}

function changeCard(defect: Defect): (card: Wire) => Wire {
  return (card) => {
    const plain = { ...card, capabilities: { ...card.capabilities, extensions: undefined } };
    return defect.card?.(plain) ?? plain;
  };
}

async function answerStream(
  response: IncomingMessage,
  outgoing: ServerResponse,
  seen: Seen,
  defect: Defect,
): Promise<void> {
  let pending = '';
  let index = 0;
  for await (const chunk of response.setEncoding('utf8')) {
    pending += chunk;
    const blocks = pending.split('\n\n');
    pending = blocks.pop() ?? '';
    for (const block of blocks) {
      const json = parse(/^data: (.*)$/m.exec(block)?.[1] ?? '');
      const changed = json === undefined ? json : defect.event ? defect.event(json, index, seen) : json;
      if (json !== undefined) index += 1;
      if (json === undefined) outgoing.write(`${block}\n\n`);
      else if (changed !== undefined) outgoing.write(`data: ${JSON.stringify(changed)}\n\n`);
    }
  }
  if (!defect.keepsOpen) outgoing.end();
}

async function textOf(stream: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  } catch {
    // Whoever left gets no more than that.
  }
  return text;
}

function parse(text: string): Wire {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
