import { LOCAL_HOSTS } from '../../packages/parley/test/adapters/hosts/index.ts';
import { benchServer } from './parley.ts';
import type { AdapterKind } from './protocol.ts';

type LocalKind = Exclude<AdapterKind, 'next'>;

/** The apps in which the adapters are tested. */
const HOSTS: Readonly<Record<LocalKind, string>> = {
  listen: 'listen',
  node: 'node:http',
  express: 'Express 5',
  express4: 'Express 4',
  fastify: 'Fastify',
  koa: 'Koa',
  fetch: 'fetch',
  hono: 'Hono',
};

export async function startAdapter(kind: LocalKind): Promise<number> {
  const host = await LOCAL_HOSTS[HOSTS[kind]]?.();
  if (!host) throw new Error(`There is no host ${HOSTS[kind]}`);
  const { url } = await host.serve(benchServer(), {});
  return Number(new URL(url).port);
}
