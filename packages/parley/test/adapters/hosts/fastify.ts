import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type FastifyInstance, fastify as fastify5 } from 'fastify';
import { a2aFastify } from 'parley-a2a/fastify';
import { type LocalHost, localHost, type Parsing } from '../support/host.ts';

export const fastifyHost = fastifyHostOf('Fastify 5', fastify5);

export function fastifyHostOf(name: string, fastify: typeof fastify5): LocalHost {
  return localHost(
    { name, isApp: true, mounts: true, parsing: ['object', 'text', 'bytes', 'lost'] },
    async (server, { prefix, parsing }) => {
      const app = fastify({ forceCloseConnections: true });
      if (parsing) addReader(app, parsing);
      await app.register(a2aFastify(server), prefix === undefined ? {} : { prefix });
      for (const path of ['/own', '/healthz']) app.get(path, async () => 'the app');
      return { url: await app.listen({ port: 0, host: '127.0.0.1' }), stop: () => app.close() };
    },
  );
}

/** Fastify parses JSON by itself; parsers of the app do not reach into the plugin, hooks do. */
function addReader(app: FastifyInstance, parsing: Parsing): void {
  const type = 'application/json';
  if (parsing === 'text') app.addContentTypeParser(type, { parseAs: 'string' }, (_, body, done) => done(null, body));
  if (parsing === 'bytes') {
    // As plugins do that unpack bodies: the bytes come from another stream than the request.
    app.addHook('preParsing', async (_request, _reply, payload) => Readable.from([await buffer(payload)]));
  }
  if (parsing === 'lost') {
    app.addHook('preParsing', async (_request, _reply, payload) => {
      await buffer(payload);
      return payload;
    });
  }
}
