import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCycle, type Import, importsIn, reachable, readImports } from './setup/support/imports.ts';
import { ROOT, readJson } from './setup/support/repository.ts';
import { filesUnder } from './setup/support/workspace-copy.ts';

const PACKAGE = join(ROOT, 'packages/parley');
const SOURCE = join(PACKAGE, 'src');
const FILES = filesUnder(SOURCE);
const IMPORTS = readImports(SOURCE);
const INSIDE = IMPORTS.filter(({ to }) => FILES.includes(to));
const OUTSIDE = IMPORTS.filter(({ to }) => !FILES.includes(to));

/** What all dialects have at their front: the rest of the package sees no folder of one dialect. */
const DIALECT_FRONT = ['dialects/*', 'dialects/cards/', 'dialects/calling/'];

/**
 * Which way imports go. A folder may import itself and what stands here: a folder with all that is in it, a folder with
 * `*` for the files directly in it, or one file. `type` in front means that only types may be imported.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
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

/** Folders whose subfolders are alternatives to each other: none of them imports another. */
const ALTERNATIVES = ['dialects', 'bindings', 'stores', 'bus'];
/** Folders that collect alternatives, and are none themselves. */
const COLLECTING = ['dialects/cards', 'dialects/calling'];
/** What the alternatives have in common. */
const SHARED = ['dialects/wire', 'stores/sql', 'bindings/http', 'bindings/sse', 'bus/carried'];

/** Informal dialects are an official one but for some of its words; they take the rest from it. */
const DERIVED: Readonly<Record<string, readonly string[]>> = {
  'dialects/jaf': ['dialects/v0_3'],
  'dialects/v1_draft': ['dialects/v1_0', 'dialects/v0_3'],
  // Errors have the statuses that HTTP+JSON names.
  'bindings/grpc': ['bindings/rest'],
  // From the one into the other.
  'stores/copy': ['stores/sqlite', 'stores/postgres'],
};

/** Files that are started rather than imported. */
const STARTED = ['stores/sqlite/write/writer-thread.ts', 'cli/main.ts'];

/** Files that the console is built from, beside the entries. */
const CONSOLE = ['snippets/curl.ts', 'snippets/check-command.ts', 'snippets/test-code.ts'];

/** What is installed with the package; it runs anywhere. */
const DEPENDENCIES = Object.keys(readJson(PACKAGE, 'package.json').dependencies ?? {});

/** Only these may need Node itself; all the rest runs anywhere. */
const NODE_ONLY = [
  'adapters/node/listen.ts',
  'adapters/node/tls.ts',
  'adapters/node/certificates.ts',
  'adapters/node/client-certificate.ts',
  'adapters/node.ts',
  'adapters/grpc/',
  'adapters/stray-errors.ts',
  'adapters/node/node-response.ts',
  'adapters/body/node-body.ts',
  'adapters/body/node-unpacking.ts',
  'adapters/body/node-body-reading.ts',
  'adapters/head/',
  'adapters/node/node-exchange.ts',
  'adapters/node/stall-watch.ts',
  'adapters/express.ts',
  'adapters/fastify.ts',
  'adapters/koa.ts',
  'server/auth/node/',
  'server/outbound/node/',
  'server/operator/node/',
  'server/console/node/',
  'server/telemetry/node/',
  'client/auth/oauth/node/',
  'stores/copy/',
  'stores/postgres/name-digest.ts',
  'stores/sqlite/',
  'stores/postgres/write/rate-counts.ts',
  'bus/nats/',
  'bus/postgres/',
  'check/',
  'cli/',
];

/** Whoever uses an adapter has its framework; nothing else may ask for one. */
const FRAMEWORK_OF: Readonly<Record<string, string>> = {
  'adapters/express.ts': 'express',
  'adapters/fastify.ts': 'fastify',
  'adapters/hono.ts': 'hono',
  'adapters/koa.ts': 'koa',
  'adapters/next.ts': 'next',
};

function isOwnFramework({ from, to }: Import): boolean {
  const framework = FRAMEWORK_OF[from];
  return framework !== undefined && (to === framework || to.startsWith(`${framework}/`));
}

/** Optional peers of a folder. They are loaded when they are used, so that whoever does not use them needs none. */
const PEERS_OF: Readonly<Record<string, readonly string[]>> = {
  'bus/nats/': ['@nats-io/transport-node'],
  'bus/postgres/': ['pg'],
  'cli/serve/': ['pino', 'pino-pretty'],
  'stores/postgres/': ['pg'],
  'llm/': ['ai', '@ai-sdk/openai-compatible'],
  'server/telemetry/': ['@opentelemetry/api', '@opentelemetry/sdk-node', 'pino', 'pino-pretty', 'prom-client'],
  'bridges/mcp/': ['@modelcontextprotocol/server', '@modelcontextprotocol/client'],
};

/** Folders that are loaded whole, by a dynamic import, where their peers are needed: within them peers are imported like any other. */
const LOADED_WHOLE: Readonly<Record<string, readonly string[]>> = {
  'bindings/grpc/': ['@bufbuild/protobuf', '@grpc/grpc-js'],
  'adapters/grpc/': ['@bufbuild/protobuf', '@grpc/grpc-js'],
  'check/grpc/': ['@bufbuild/protobuf', '@grpc/grpc-js'],
};

function isOwnPeer({ from, to, kind }: Import): boolean {
  const peers = Object.entries(PEERS_OF).flatMap(([folder, names]) => (from.startsWith(folder) ? names : []));
  const [, inner = []] = Object.entries(LOADED_WHOLE).find(([folder]) => from.startsWith(folder)) ?? [];
  const isOneOf = (names: readonly string[]) => names.some((name) => to === name || to.startsWith(`${name}/`));
  return (kind !== 'value' && isOneOf(peers)) || isOneOf(inner);
}

function layerOf(file: string): string {
  return file.split('/')[0] ?? file;
}

/** The subfolder that a file is in; `stores/memory.ts` is the front of `stores/memory/` and counts as part of it. */
function subfolderOf(file: string): string | undefined {
  const folder = file.split('/').slice(0, 2).join('/').replace(/\.ts$/, '');
  return FILES.some((other) => other.startsWith(`${folder}/`)) ? folder : undefined;
}

function fits(file: string, rule: string): boolean {
  if (rule.endsWith('/*')) return file.startsWith(rule.slice(0, -1)) && file.split('/').length === 2;
  return rule.endsWith('/') ? file.startsWith(rule) : file === rule;
}

function isAllowed({ from, to, kind }: Import): boolean {
  if (layerOf(from) === layerOf(to)) return true;
  return (MAY_IMPORT[layerOf(from)] ?? []).some((rule) =>
    rule.startsWith('type ') ? kind === 'type' && fits(to, rule.slice('type '.length)) : fits(to, rule),
  );
}

function show({ from, to, kind }: Import): string {
  return `${from} -> ${to} (${kind})`;
}

describe('imports', () => {
  it('are read in all their forms', () => {
    const source = [
      "import { a } from './a.ts';",
      "import type { B } from './b.ts';",
      "import {\n  type C,\n  type D,\n} from './c.ts';",
      "import './d.ts';",
      "export * from './e.ts';",
      "export type {\n  F,\n} from './f.ts';",
      "const g = await import('./g.ts');",
      "let h: import('./h.ts').H;",
      "import * as i from 'node:fs';",
      "/**\n * import { no } from './no.ts';\n */",
      "// import './no.ts';",
      "export const text = 'from';",
    ];
    expect(importsIn(source.join('\n')).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      './a.ts value',
      './b.ts type',
      // Under `verbatimModuleSyntax` such a statement stays when its names are erased.
      './c.ts value',
      './d.ts value',
      './e.ts value',
      './f.ts type',
      'node:fs value',
      './g.ts dynamic',
      './h.ts dynamic',
    ]);
  });

  it('lead to files of the package, to Node, to a dependency or to the framework of an adapter', () => {
    expect(FILES.length).toBeGreaterThan(50);
    expect(INSIDE.length).toBeGreaterThan(FILES.length);
    const elsewhere = OUTSIDE.filter(
      (step) =>
        !step.to.startsWith('node:') && !DEPENDENCIES.includes(step.to) && !isOwnFramework(step) && !isOwnPeer(step),
    );
    expect(elsewhere.map(show)).toEqual([]);
  });

  it('have a rule for every folder', () => {
    expect([...new Set(FILES.map(layerOf))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it('go one way', () => {
    expect(INSIDE.filter((step) => !isAllowed(step)).map(show)).toEqual([]);
  });

  it('never cross between alternatives: versions, bindings, stores', () => {
    const crossing = INSIDE.filter(({ from, to }) => {
      const [ours, other] = [subfolderOf(from), subfolderOf(to)];
      if (!ours || !other || ours === other || layerOf(from) !== layerOf(to)) return false;
      if (COLLECTING.includes(ours) || COLLECTING.includes(other)) return false;
      const isMeant = SHARED.includes(other) || DERIVED[ours]?.includes(other);
      return ALTERNATIVES.includes(layerOf(to)) && !isMeant;
    });
    expect(crossing.map(show)).toEqual([]);
  });

  it('reach a version folder only from inside dialects/', () => {
    const reaching = INSIDE.filter(
      ({ from, to }) => /^dialects\/(?!cards\/|calling\/).+\//.test(to) && layerOf(from) !== 'dialects',
    );
    expect(reaching.map(show)).toEqual([]);
  });

  it('leave the names of dialects to their folders: the server and the bindings know none', () => {
    const names = /\b(v\d_\d|jaf|v1_?draft|rxjs|cogitator|banterop)/i;
    const isOfProto = (file: string) => /^bindings\/grpc\/(gen|proto)\//.test(file);
    const places = FILES.filter((file) => ['server', 'bindings'].includes(layerOf(file)) && !isOfProto(file));
    expect(places.filter((file) => names.test(readFileSync(join(SOURCE, file), 'utf8')))).toEqual([]);
  });

  it('have no cycle between folders', () => {
    const between = INSIDE.filter(({ from, to }) => layerOf(from) !== layerOf(to));
    expect(findCycle(between.map(({ from, to }) => [layerOf(from), layerOf(to)]))).toBeUndefined();
  });

  it('have no cycle between files when the program runs', () => {
    const running = INSIDE.filter(({ kind }) => kind === 'value');
    expect(findCycle(running.map(({ from, to }) => [from, to]))).toBeUndefined();
  });

  it('would be caught going round', () => {
    const edges = [
      ['a', 'b'],
      ['b', 'c'],
      ['d', 'b'],
    ] as const;
    expect(findCycle(edges)).toBeUndefined();
    expect(findCycle([...edges, ['c', 'b']])).toEqual(['b', 'c', 'b']);
  });
});

describe('the entries of the package', () => {
  const { exports } = readJson(PACKAGE, 'package.json');
  const entries = Object.values<string | { readonly 'parley-source': string }>(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [target['parley-source'].replace('./src/', '')],
  );

  it('are files that exist', () => {
    const adapters = ['express', 'hono', 'fastify', 'koa', 'next', 'node', 'fetch'].map(
      (name) => `adapters/${name}.ts`,
    );
    expect(entries).toEqual([
      'index.ts',
      'client/index.ts',
      'compat/index.ts',
      'compat/rxjs/index.ts',
      'dialects/index.ts',
      'v0_3/index.ts',
      'postgres.ts',
      'sqlite.ts',
      'grpc.ts',
      'nats.ts',
      'types.ts',
      'extensions.ts',
      'auth.ts',
      'config/config.ts',
      'cards.ts',
      'oauth.ts',
      'oauth-node.ts',
      'push.ts',
      'telemetry.ts',
      'mcp.ts',
      'llm/index.ts',
      'ports.ts',
      'testing/index.ts',
      ...adapters,
    ]);
    expect([...entries, ...STARTED, ...CONSOLE].filter((file) => !FILES.includes(file))).toEqual([]);
  });

  it('reach every file', () => {
    const reached = reachable(IMPORTS, [...entries, ...STARTED, ...CONSOLE]);
    expect(FILES.filter((file) => file.endsWith('.ts') && !reached.has(file))).toEqual([]);
  });

  it('need Node only in the files that are for it', () => {
    const needing = OUTSIDE.filter(
      (step) =>
        !DEPENDENCIES.includes(step.to) &&
        !isOwnFramework(step) &&
        !isOwnPeer(step) &&
        !NODE_ONLY.some((place) => fits(step.from, place)),
    );
    expect(needing.map(show)).toEqual([]);
  });

  it('start without Node where the package is loaded by its name', () => {
    const loaded = reachable(IMPORTS, ['index.ts'], ({ kind }) => kind === 'value');
    expect([...loaded].filter((file) => file.startsWith('node:'))).toEqual([]);
    expect([...loaded].filter((file) => file.startsWith('testing/'))).toEqual([]);
    for (const peer of Object.values(LOADED_WHOLE).flat()) {
      expect([...loaded].filter((file) => file === peer || file.startsWith(`${peer}/`))).toEqual([]);
    }
    const kit = reachable(IMPORTS, ['testing/index.ts'], ({ kind }) => kind === 'value');
    expect([...kit].filter((file) => file.startsWith('node:'))).toEqual([]);
    // The walk got somewhere, and the Node adapter is there for whoever calls `listen`.
    expect(loaded).toContain('engine/engine.ts');
    expect(loaded).not.toContain('adapters/node/listen.ts');
    expect(reachable(IMPORTS, ['index.ts'])).toContain('node:http');
  });

  it('serve web requests without Node', () => {
    for (const entry of ['adapters/fetch.ts', 'adapters/hono.ts']) {
      const loaded = reachable(IMPORTS, [entry], ({ kind }) => kind === 'value');
      expect([...loaded].filter((file) => file.startsWith('node:'))).toEqual([]);
    }
  });

  it('verify tokens only where authenticators are asked for, and start without Node', () => {
    const using = new Set(OUTSIDE.filter(({ to }) => to === 'jose').map(({ from }) => from));
    const places = ['server/auth/jwt/', 'push/verify/'];
    expect([...using].filter((file) => !places.some((place) => file.startsWith(place)))).toEqual([]);
    for (const entry of ['index.ts', 'client/index.ts', 'adapters/fetch.ts']) {
      expect(reachable(IMPORTS, [entry])).not.toContain('jose');
    }
    for (const entry of ['auth.ts', 'push.ts']) {
      const loaded = [...reachable(IMPORTS, [entry], ({ kind }) => kind === 'value')];
      expect(loaded).toContain('jose');
      expect(loaded.filter((file) => file.startsWith('node:'))).toEqual([]);
    }
  });

  it('load a framework only as its adapter, and none but Express and Hono when the program runs', () => {
    const { peerDependencies, peerDependenciesMeta } = readJson(PACKAGE, 'package.json');
    for (const name of [...Object.values(FRAMEWORK_OF), ...Object.values(PEERS_OF).flat()]) {
      expect(peerDependencies).toHaveProperty(name);
      expect(peerDependenciesMeta[name]).toEqual({ optional: true });
    }
    const running = OUTSIDE.filter((step) => isOwnFramework(step) && step.kind === 'value');
    expect(running.map(({ to }) => to).filter((name) => name !== 'next')).toEqual(['express', 'hono']);
  });

  it('load packages of language models when an agent runs, and not before', () => {
    const loaded = reachable(IMPORTS, ['llm/index.ts'], ({ kind }) => kind === 'value');
    expect([...loaded].filter((file) => !FILES.includes(file))).toEqual([]);
  });

  it('call agents without Node, and without any of what serves them', () => {
    const called = [...reachable(IMPORTS, ['client/index.ts'])];
    expect(called.filter((file) => file.startsWith('node:'))).toEqual([]);
    expect([...new Set(called.filter((file) => FILES.includes(file)).map(layerOf))].sort()).toEqual([
      'bindings',
      'client',
      'dialects',
      'model',
    ]);
  });

  it('log in without Node, where no page of this machine is needed for it', () => {
    const called = [...reachable(IMPORTS, ['oauth.ts'])];
    expect(called).toContain('client/auth/oauth/flows/authorization-code.ts');
    expect(called.filter((file) => file.startsWith('node:'))).toEqual([]);
  });

  it('call agents without any informal dialect', () => {
    const loaded = [...reachable(IMPORTS, ['client/index.ts'], ({ kind }) => kind === 'value')];
    const informal = /^dialects\/(jaf|v1_draft|v0_3\/(rxjs|cogitator|banterop))\//;
    expect(FILES.filter((file) => informal.test(file)).length).toBeGreaterThan(20);
    expect(loaded.filter((file) => informal.test(file))).toEqual([]);
    expect(loaded.some((file) => file.startsWith('dialects/v1_0/'))).toBe(true);
  });
});

it('lets the examples see only what every user sees', () => {
  const examples = join(ROOT, 'examples');
  const imports = readImports(examples).filter(({ from }) => !from.endsWith('.test.ts'));
  const elsewhere = imports.filter(({ to }) => to.startsWith('..') || to.startsWith('parley-a2a/src'));
  expect(elsewhere.map(show)).toEqual([]);
});
