import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { a2aNode } from 'parley-a2a/node';
import { type AppOptions, listening, localHost, type Parsing } from '../support/host.ts';
import { parsedAs } from '../support/parsing.ts';

/** The server's own way of listening. */
export const listenHost = localHost({ name: 'listen', isApp: false, mounts: false, parsing: [] }, async (server) => {
  await server.listen({ port: 0 });
  return { url: server.url ?? '', stop: async () => {} };
});

/** The listener alone, as the whole of a server. */
export const nodeHost = localHost(
  { name: 'node:http', isApp: false, mounts: true, parsing: [] },
  (server, { prefix }) => listening(createServer(a2aNode(server, { prefix }))),
);

/** The listener as a middleware among others. */
export const middlewareHost = localHost(
  { name: 'node:http middleware', isApp: true, mounts: true, parsing: ['object', 'text', 'bytes', 'lost'] },
  (server, { prefix, parsing }: AppOptions) => {
    const middleware = a2aNode(server, { prefix });
    return listening(
      createServer((incoming, outgoing) => {
        parseBefore(incoming, parsing).then(
          () => middleware(incoming, outgoing, () => answerItself(incoming, outgoing)),
          () => outgoing.destroy(),
        );
      }),
    );
  },
);

async function parseBefore(incoming: IncomingMessage & { body?: unknown }, parsing: Parsing | undefined) {
  if (parsing) incoming.body = parsedAs(parsing, await buffer(incoming));
}

function answerItself({ url }: IncomingMessage, outgoing: ServerResponse): void {
  const isOwn = url === '/own' || url === '/healthz';
  outgoing.writeHead(isOwn ? 200 : 404).end(isOwn ? 'the app' : 'not in the app');
}
