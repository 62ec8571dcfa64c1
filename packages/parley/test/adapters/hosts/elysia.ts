import { Elysia } from 'elysia';
import { a2aFetch } from 'parley-a2a/fetch';
import { listening, localHost } from '../support/host.ts';
import { webServer } from '../support/web-bridge.ts';

/** As `docs/hosting.md` has it: at the root it is mounted, below a prefix it is a route, which keeps the whole path. */
export const elysiaHost = localHost(
  { name: 'Elysia', isApp: false, mounts: true, parsing: [] },
  (server, { prefix }) => {
    const app = new Elysia().get('/own', 'the app');
    if (prefix === undefined) app.mount(server.fetch);
    else {
      const handler = a2aFetch(server, { prefix });
      for (const path of [prefix, `${prefix}/*`]) app.all(path, ({ request }) => handler(request), { parse: 'none' });
    }
    return listening(webServer((request) => app.handle(request)));
  },
);
