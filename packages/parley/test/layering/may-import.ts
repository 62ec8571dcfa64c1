/** What all dialects have at their front: the rest of the package sees no folder of one dialect. */
const DIALECT_FRONT = ['dialects/*', 'dialects/cards/', 'dialects/calling/'];

/**
 * Which way imports go. A folder may import itself and what stands here: a folder with all that is in it, a folder with
 * `*` for the files directly in it, or one file. `type` in front means that only types may be imported.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  dialects: ['model/'],
  bindings: ['model/', ...DIALECT_FRONT],
  engine: ['model/'],
  // A database that nodes share is their bus as well.
  stores: ['model/', 'type engine/ports.ts', 'type engine/log/events.ts', 'bus/postgres/postgres-bus.ts'],
  bus: ['model/', 'type engine/ports.ts'],
  // The forms of webhooks, for servers that send them and programs that receive them.
  push: ['model/', ...DIALECT_FRONT],
  // Signing and verifying, for servers and clients.
  cards: ['model/', ...DIALECT_FRONT.map((rule) => `type ${rule}`), 'bindings/'],
  client: ['model/', ...DIALECT_FRONT, 'bindings/', 'cards/'],
  agent: ['model/', 'type engine/turn/runner.ts', 'type engine/ports.ts', 'type client/'],
  // Agents of language models; the AI SDK is theirs alone.
  llm: [
    'model/',
    'agent/',
    'type engine/turn/runner.ts',
    'type engine/ports.ts',
    'client/',
    'bindings/http/bounded-messages.ts',
  ],
  server: [
    'model/',
    ...DIALECT_FRONT,
    'bindings/',
    'engine/',
    'agent/',
    'client/',
    'push/',
    'cards/',
    'stores/memory.ts',
    'stores/with-store.ts',
    'bus/local.ts',
    // Loaded for an operator who checks an agent, and for nobody else.
    'check/',
  ],
  adapters: ['model/', 'bindings/', 'server/'],
  'a2a-server.ts': ['model/', 'type bindings/jsonrpc/messages.ts', 'agent/', 'server/', 'adapters/'],
  // The names of a seed on top of everything else: whoever uses them sees no more of the package than its users do.
  compat: ['model/', ...DIALECT_FRONT, 'bindings/', 'agent/', 'client/', 'server/', 'type v0_3/', 'a2a-server.ts'],
  'index.ts': [
    'model/',
    'type ports.ts',
    'type types.ts',
    'type extensions.ts',
    'client/',
    'agent/',
    'server/',
    'adapters/',
    'stores/*',
    'a2a-server.ts',
  ],
  // What the front door has no room for.
  'types.ts': [
    'type model/',
    'type bindings/jsonrpc/messages.ts',
    'type client/',
    'type agent/',
    'type server/',
    'type a2a-server.ts',
  ],
  'extensions.ts': ['model/'],
  // Types for users, who write peers of their own.
  v0_3: [],
  'sqlite.ts': ['stores/'],
  'postgres.ts': ['stores/'],
  'nats.ts': ['bus/nats/'],
  'grpc.ts': ['bindings/grpc/calling/', 'adapters/grpc/'],
  'auth.ts': ['server/auth/'],
  'cards.ts': ['cards/', 'server/cards/generate-card.ts', 'type model/catalog.ts'],
  'oauth.ts': ['client/auth/oauth/'],
  'oauth-node.ts': ['client/auth/oauth/'],
  'push.ts': ['push/', 'server/outbound/', 'type dialects/notifications.ts', 'type model/task.ts'],
  'telemetry.ts': ['bindings/http/current-trace.ts', 'model/basics/trace-context.ts', 'server/telemetry/node/'],
  // Types for users, who write stores, buses and bindings of their own, and what helps them.
  'ports.ts': [
    'bindings/*',
    'bindings/http/body/body.ts',
    'bindings/http/early-errors.ts',
    'model/call.ts',
    'server/limits/failures/',
    'server/limits/rates/',
    'type model/operations.ts',
    'type engine/ports.ts',
    'type engine/log/events.ts',
    'stores/*',
  ],
  testing: [
    'model/',
    'bindings/',
    'engine/',
    'agent/',
    'client/',
    'server/',
    'adapters/',
    'stores/memory.ts',
    'stores/with-store.ts',
    'a2a-server.ts',
  ],
  // Agents for protocols of others, and theirs for agents: each on top of the client, as any user of it.
  // Calls of MCP are part of the trace of the work at hand.
  bridges: ['model/', 'type client/', 'bindings/http/current-trace.ts', 'bindings/http/bounded-messages.ts'],
  'mcp.ts': ['bridges/mcp/'],
  // Calls as texts that can be run, for the console.
  snippets: ['model/', 'type testing/record.ts', 'cli/text/'],
  // Looks at servers from outside: nothing of what it judges, or of what tidies up responses, is in its way.
  // The messages of gRPC are the protocol's; another library than Parley's codec reads them.
  check: ['model/errors/', 'cards/payload/', 'bindings/grpc/gen/'],
  // Settings of the command line; its entry has types alone.
  config: ['model/', 'type server/options.ts', 'server/limits/limits.ts'],
  cli: [
    'model/',
    'config/',
    'check/',
    'cards/',
    'client/',
    'push/',
    'type agent/agent.ts',
    'server/auth/',
    'server/telemetry/',
    'server/http/door/',
    'server/http/held/',
    'server/operator/problems.ts',
    'server/operator/node/',
    'server/routing/locality.ts',
    'type server/cards/card-setting.ts',
    'type server/options.ts',
    'type server/console/settings.ts',
    'stores/sqlite/api-key-file.ts',
    'stores/sqlite/file/inspect.ts',
    'stores/postgres/inspect.ts',
    'stores/sqlite/care/',
    'stores/copy/copy-to-postgres.ts',
    'stores/store-error.ts',
    'engine/log/task-fold.ts',
    'type engine/log/events.ts',
    'type engine/ports.ts',
    'engine/node/clock.ts',
    'server/routing/locality.ts',
    'adapters/node/certificates.ts',
    'adapters/node/stall-watch.ts',
    'a2a-server.ts',
    'adapters/stray-errors.ts',
    'type ports.ts',
    'sqlite.ts',
    'postgres.ts',
    'nats.ts',
    'bridges/',
  ],
};
