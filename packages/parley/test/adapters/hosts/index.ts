import { registerHooks } from 'node:module';
import type { LocalHost } from '../support/host.ts';

/** Loaded by name, for processes that have one host and nothing else. */
export const LOCAL_HOSTS: Readonly<Record<string, () => Promise<LocalHost>>> = {
  listen: async () => (await import('./node.ts')).listenHost,
  'node:http': async () => (await import('./node.ts')).nodeHost,
  'node:http middleware': async () => (await import('./node.ts')).middlewareHost,
  fetch: async () => (await import('./fetch.ts')).fetchHost,
  'Express 5': async () => (await import('./express.ts')).express5Host,
  'Express 4': async () => {
    // The adapter takes the Express that the app has.
    registerHooks({ resolve: (name, context, next) => next(name === 'express' ? 'express4' : name, context) });
    return (await import('./express-4.ts')).express4Host;
  },
  Hono: async () => (await import('./hono.ts')).honoHost,
  Fastify: async () => (await import('./fastify.ts')).fastifyHost,
  Koa: async () => (await import('./koa.ts')).koaHost,
};
