import { a2aFetch } from 'parley-a2a/fetch';
import { listening, localHost } from '../support/host.ts';
import { webServer } from '../support/web-bridge.ts';

export const fetchHost = localHost({ name: 'fetch', isApp: false, mounts: true, parsing: ['lost'] }, (server, app) => {
  const handler = a2aFetch(server, { prefix: app.prefix });
  return listening(
    webServer(async (request, surroundings) => {
      if (app.parsing === 'lost' && request.body) await request.text();
      return handler(request, surroundings);
    }),
  );
});
