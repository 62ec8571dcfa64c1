import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { watchCards } from '../../bridges/mcp/serving/agents/card-watch.ts';
import { HttpBridge } from '../../bridges/mcp/serving/http/http-bridge.ts';
import { BODY_TIMEOUT, OPEN_REQUESTS, REQUEST_BYTES, REQUESTS_BYTES } from '../../bridges/mcp/serving/limits.ts';
import type { BridgeServerOptions } from '../../bridges/mcp/serving/server.ts';
import { systemClock } from '../../engine/node/clock.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { HeldBodies } from '../../server/http/held/held-bodies.ts';
import { problemOf } from '../../server/operator/problems.ts';
import { EXIT } from '../exit-codes.ts';
import { type Options, wholeNumber } from '../options.ts';
import { stopped } from '../serve/stopped.ts';
import { CommandError } from '../show/problems.ts';
import type { Surroundings } from '../surroundings.ts';
import { McpDoor } from './door.ts';
import { type ReadBody, readBody, requestOf, respond } from './node-web.ts';

const PATH = '/mcp';
const BODY_LIMITS = { bodyBytes: REQUEST_BYTES, bodiesBytes: REQUESTS_BYTES, bodyTimeout: BODY_TIMEOUT };

/** Serves clients at `/mcp` of a port until it is told to stop. */
export async function serveHttp(
  parts: BridgeServerOptions,
  options: Options,
  surroundings: Surroundings,
  log: (line: string) => void,
): Promise<void> {
  const port = wholeNumber('http', options.http ?? '', 0, 65_535);
  const host = options.host ?? '127.0.0.1';
  const door = await McpDoor.open({ ...options, host }, surroundings.cwd, log);
  const bridge = new HttpBridge(parts, (error) => log(error.message));
  const entry = { bridge, door, bodies: new HeldBodies(BODY_LIMITS, systemClock) };
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    const taken = open > OPEN_REQUESTS ? respond(response, crowded(door)) : take(request, response, entry);
    taken.catch((error: unknown) => {
      log(`A request failed: ${String(error)}`);
      response.destroy();
    });
  });
  await listen(server, host, port);
  const address = server.address();
  const url = `http://${nameOf(host)}:${typeof address === 'object' ? address?.port : port}${PATH}`;
  surroundings.stdout.write(`${url}\n`);
  const unwatch = watchCards(parts.roster);
  await stopped(surroundings);
  unwatch();
  server.close();
  await bridge.close();
  server.closeAllConnections();
  await parts.cancellations.settled();
}

interface Entry {
  readonly bridge: HttpBridge;
  readonly door: McpDoor;
  readonly bodies: HeldBodies;
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  { bridge, door, bodies }: Entry,
): Promise<void> {
  const refusal = await door.refusalOf(request);
  if (refusal) return respond(response, refusal);
  if (request.url?.split('?')[0] !== PATH) {
    return respond(response, door.refuse(404, `MCP is served at ${PATH}`));
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let body: ReadBody | undefined;
  try {
    body = await readBody(request, bodies);
    await respond(response, await bridge.handle(requestOf(request, body.text, gone.signal), body.text));
  } catch (error) {
    // A client that has left is told nothing.
    if (gone.signal.aborted) return;
    if (body || !isA2AError(error)) throw error;
    const { status } = problemOf(error);
    await respond(response, door.refuse(status, error.message, { connection: 'close', ...retryAfter(status) }));
  } finally {
    body?.release();
  }
}

function crowded(door: McpDoor): Response {
  const text = `${OPEN_REQUESTS} requests are open already; come back in a moment`;
  return door.refuse(503, text, { connection: 'close', ...retryAfter(503) });
}

function retryAfter(status: number): Readonly<Record<string, string>> {
  return status === 503 ? { 'retry-after': '1' } : {};
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = code === 'EADDRINUSE' ? `Port ${port} is taken; --http 0 takes any free one` : message;
    throw new CommandError(text, EXIT.failed);
  }
}

/** A server on all addresses is also on that of this machine; those of IPv6 have brackets. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
