import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import Koa3, { type Context } from 'koa';
import { a2aKoa } from 'parley-a2a/koa';
import { type LocalHost, listening, localHost } from '../support/host.ts';
import { parsedAs } from '../support/parsing.ts';

export const koaHost = koaHostOf('Koa 3', Koa3);

export function koaHostOf(name: string, Koa: typeof Koa3): LocalHost {
  return localHost(
    { name, isApp: true, mounts: true, parsing: ['object', 'text', 'bytes', 'lost'] },
    (server, { prefix, parsing }) => {
      const app = new Koa();
      // Requests that break off are not printed.
      app.silent = true;
      if (parsing) {
        app.use(async ({ request, req }: Context, next) => {
          Object.assign(request, { body: parsedAs(parsing, await buffer(req)) });
          await next();
        });
      }
      app.use(a2aKoa(server, { prefix }));
      app.use((context) => {
        if (context.path === '/own' || context.path === '/healthz') context.body = 'the app';
      });
      const handle = app.callback();
      return listening(createServer((incoming, outgoing) => void handle(incoming, outgoing)));
    },
  );
}
