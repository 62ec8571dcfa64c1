import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { watchCards } from '../../bridges/mcp/serving/agents/card-watch.ts';
import { HttpBridge } from '../../bridges/mcp/serving/http/http-bridge.ts';
import type { BridgeServerOptions } from '../../bridges/mcp/serving/server.ts';
import { EXIT } from '../exit-codes.ts';
import { type Options, wholeNumber } from '../options.ts';
import { stopped } from '../serve/stopped.ts';
import { CommandError } from '../show/problems.ts';
import type { Surroundings } from '../surroundings.ts';
import { McpDoor } from './door.ts';
import { BodyTooLarge, readBody, requestOf, respond } from './node-web.ts';

const PATH = '/mcp';

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
  const server = createServer((request, response) => {
    take(request, response, bridge, door).catch((error: unknown) => {
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

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  bridge: HttpBridge,
  door: McpDoor,
): Promise<void> {
  const refusal = await door.refusalOf(request);
  if (refusal) return respond(response, refusal);
  if (request.url?.split('?')[0] !== PATH) {
    return respond(response, door.refuse(404, `MCP is served at ${PATH}`));
  }
  let body = '';
  try {
    body = await readBody(request);
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error;
    return respond(response, door.refuse(413, error.message, { connection: 'close' }));
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    await respond(response, await bridge.handle(requestOf(request, body, gone.signal), body));
  } catch (error) {
    // A client that has left is told nothing.
    if (!gone.signal.aborted) throw error;
  }
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
