import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAY_IMPORT } from './layering/may-import.ts';
import { FRAMEWORK_OF, isOwnFramework, isOwnPeer, LOADED_WHOLE, PEERS_OF } from './layering/peers.ts';
import { findCycle, type Import, importsIn, reachable, readImports } from './setup/support/imports.ts';
import { ROOT, readJson } from './setup/support/repository.ts';
import { filesUnder } from './setup/support/workspace-copy.ts';

const PACKAGE = join(ROOT, 'packages/parley');
const SOURCE = join(PACKAGE, 'src');
const FILES = filesUnder(SOURCE);
const IMPORTS = readImports(SOURCE);
const INSIDE = IMPORTS.filter(({ to }) => FILES.includes(to));
const OUTSIDE = IMPORTS.filter(({ to }) => !FILES.includes(to));

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
