import type { Import } from '../setup/support/imports.ts';

/** Whoever uses an adapter has its framework; nothing else may ask for one. */
export const FRAMEWORK_OF: Readonly<Record<string, string>> = {
  'adapters/express.ts': 'express',
  'adapters/fastify.ts': 'fastify',
  'adapters/hono.ts': 'hono',
  'adapters/koa.ts': 'koa',
  'adapters/next.ts': 'next',
};

export function isOwnFramework({ from, to }: Import): boolean {
  const framework = FRAMEWORK_OF[from];
  return framework !== undefined && (to === framework || to.startsWith(`${framework}/`));
}

/** Optional peers of a folder. They are loaded when they are used, so that whoever does not use them needs none. */
export const PEERS_OF: Readonly<Record<string, readonly string[]>> = {
  'bus/nats/': ['@nats-io/transport-node'],
  'bus/postgres/': ['pg'],
  'cli/serve/': ['pino', 'pino-pretty'],
  'stores/postgres/': ['pg'],
  'llm/': ['ai', '@ai-sdk/openai-compatible'],
  'server/telemetry/': ['@opentelemetry/api', '@opentelemetry/sdk-node', 'pino', 'pino-pretty', 'prom-client'],
  'bridges/mcp/': ['@modelcontextprotocol/server', '@modelcontextprotocol/client'],
};

/** Folders that are loaded whole, by a dynamic import, where their peers are needed: within them peers are imported like any other. */
export const LOADED_WHOLE: Readonly<Record<string, readonly string[]>> = {
  'bindings/grpc/': ['@bufbuild/protobuf', '@grpc/grpc-js'],
  'adapters/grpc/': ['@bufbuild/protobuf', '@grpc/grpc-js'],
  'check/grpc/': ['@bufbuild/protobuf', '@grpc/grpc-js'],
};

export function isOwnPeer({ from, to, kind }: Import): boolean {
  const peers = Object.entries(PEERS_OF).flatMap(([folder, names]) => (from.startsWith(folder) ? names : []));
  const [, inner = []] = Object.entries(LOADED_WHOLE).find(([folder]) => from.startsWith(folder)) ?? [];
  const isOneOf = (names: readonly string[]) => names.some((name) => to === name || to.startsWith(`${name}/`));
  return (kind !== 'value' && isOneOf(peers)) || isOneOf(inner);
}
