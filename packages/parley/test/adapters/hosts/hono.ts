import { Hono as Hono4, type MiddlewareHandler } from 'hono';
import { a2aHono } from 'parley-a2a/hono';
import { type LocalHost, listening, localHost, type Parsing } from '../support/host.ts';
import { webServer } from '../support/web-bridge.ts';

export const honoHost = honoHostOf('Hono', Hono4);

export function honoHostOf(name: string, Hono: typeof Hono4): LocalHost {
  return localHost(
    { name, isApp: true, mounts: true, parsing: ['object', 'text', 'bytes', 'lost'] },
    (server, { prefix = '/', parsing }) => {
      const app = new Hono();
      if (parsing) app.use(reader(parsing));
      app.route(prefix, a2aHono(server));
      for (const path of ['/own', '/healthz']) app.get(path, (context) => context.text('the app'));
      return listening(webServer((request, surroundings) => app.fetch(request, surroundings)));
    },
  );
}

function reader(parsing: Parsing): MiddlewareHandler {
  return async ({ req }, next) => {
    if (req.raw.body) {
      if (parsing === 'object') await req.json().catch(() => undefined);
      if (parsing === 'text') await req.text();
      if (parsing === 'bytes') await req.arrayBuffer();
      if (parsing === 'lost') await req.raw.text();
    }
    await next();
  };
}
