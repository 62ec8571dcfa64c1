import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { ROOT } from '../../setup/support/repository.ts';
import { startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

/** What `parley-a2a` resolves to. */
const ENTRY = join(ROOT, 'packages/parley/src/index.ts');

const PROGRAM = `import { A2AClient, collect } from ${JSON.stringify(ENTRY)}; globalThis.client = { A2AClient, collect };`;

/** What `parley-a2a/client` resolves to. */
const CLIENT_ENTRY = join(ROOT, 'packages/parley/src/client/index.ts');

/** What a bundler for browsers makes of a program that uses the client. */
async function bundled(program: string, format: 'esm' | 'iife' = 'esm') {
  const entry = join(import.meta.dirname, 'program.js');
  const warnings: string[] = [];
  const build = await rolldown({
    input: entry,
    cwd: ROOT,
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'import', 'default'] },
    external: /^node:/,
    onLog: (_level, { message }) => warnings.push(message),
    plugins: [
      {
        name: 'program',
        resolveId: (id: string) => (id === entry ? id : undefined),
        load: (id: string) => (id === entry ? program : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format, minify: true });
  await build.close();
  return { output, warnings };
}

it('needs nothing of Node, and little else, in a bundle for browsers', async () => {
  const { output, warnings } = await bundled(PROGRAM);
  expect(warnings).toEqual([]);
  const [chunk, ...others] = output;
  expect(others).toEqual([]);
  expect(chunk.imports).toEqual([]);
  expect(chunk.dynamicImports).toEqual([]);
  const modules = Object.keys(chunk.modules).filter((id) => (chunk.modules[id]?.renderedLength ?? 0) > 0);
  const foreign = modules.filter((id) => !id.includes('/packages/parley/src/') && !id.endsWith('program.js'));
  expect(foreign).toEqual([]);
  const served = modules.filter((id) => /\/src\/(engine|server|stores|bus|agent|adapters)\//.test(id));
  expect(served).toEqual([]);
  // As a member, `process` is only asked for.
  expect(chunk.code).not.toMatch(/\bnode:|(?<!\.)\bprocess\b|\bBuffer\b|\brequire\(/);
  // As a figure to notice when it grows.
  expect(chunk.code.length).toBeLessThan(177_000);
});

it('has nothing of gRPC and of other optional packages in a bundle for Workers', async () => {
  const { metafile } = await build({
    stdin: {
      contents: `import { A2AServer } from ${JSON.stringify(ENTRY)}; globalThis.server = A2AServer;`,
      resolveDir: ROOT,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'import'],
    external: ['node:*', '@opentelemetry/api', 'prom-client'],
    metafile: true,
    logLevel: 'silent',
  });
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  expect([...new Set(packages)]).toEqual([]);
});

/** The client of `parley-a2a/client` in one file, minified and gzipped (docs/decisions/0015-client-entry.md). */
const LARGEST_CLIENT_BYTES = 30_000;

const CLIENT_PROGRAM = `export { A2AClient } from ${JSON.stringify(CLIENT_ENTRY)};`;

/** A page that asks an agent once. */
const CLIENT_PAGE = `import { A2AClient } from ${JSON.stringify(CLIENT_ENTRY)};
const client = await A2AClient.connect('http://agent.example');
console.log(await client.run('hi'));`;

/** The usual level of gzip, which servers and bundlers take, and its best. */
const LEVELS = [6, 9];

function gzippedLengths(code: string | Uint8Array): readonly number[] {
  return LEVELS.map((level) => gzipSync(code, { level }).length);
}

it('parley-a2a/client leaves out what users hand to it, and does not grow', async () => {
  const { output, warnings } = await bundled(CLIENT_PROGRAM);
  expect(warnings).toEqual([]);
  const [chunk, ...others] = output;
  expect(others).toEqual([]);
  expect([...chunk.imports, ...chunk.dynamicImports]).toEqual([]);
  const modules = Object.keys(chunk.modules).filter((id) => (chunk.modules[id]?.renderedLength ?? 0) > 0);
  const informal = /\/dialects\/(jaf|v1_draft|v0_3\/(rxjs|cogitator|banterop))\//;
  expect(Object.keys(chunk.modules).filter((id) => informal.test(id))).toEqual([]);
  const handed =
    /\/(client\/skill|model\/schema)\/|rest\/learning|file-encoding|auth\/oauth|input\/answering|card-faults|\/src\/cards\//;
  expect(modules.filter((id) => handed.test(id))).toEqual([]);
  expect(Math.max(...gzippedLengths(chunk.code))).toBeLessThanOrEqual(LARGEST_CLIENT_BYTES);
});

it('what verifies cards and lists agents needs nothing of Node, nor of any library', async () => {
  const entry = JSON.stringify(join(ROOT, 'packages/parley/src/cards.ts'));
  const { output, warnings } = await bundled(`export { listAgents, signCard, verifiedCards } from ${entry};`);
  const [chunk, ...others] = output;
  expect([warnings, others, chunk.imports, chunk.dynamicImports]).toEqual([[], [], [], []]);
  const modules = Object.keys(chunk.modules).filter((id) => (chunk.modules[id]?.renderedLength ?? 0) > 0);
  expect(
    modules.filter((id) => !/\/src\/(cards|bindings|dialects|model)\//.test(id) && !id.endsWith('cards.ts')),
  ).toEqual([]);
  expect(chunk.code).not.toMatch(/\bnode:|\bprocess\b|\bBuffer\b|\brequire\(/);
});

it.each([
  ['alone', CLIENT_PROGRAM],
  ['in a page', CLIENT_PAGE],
])('parley-a2a/client is no larger by esbuild, %s', async (_, contents) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    write: false,
  });
  const [{ contents: code }, ...others] = outputFiles as [(typeof outputFiles)[number]];
  expect(others).toEqual([]);
  expect(Math.max(...gzippedLengths(code))).toBeLessThanOrEqual(LARGEST_CLIENT_BYTES);
});

it('calls an agent where there is nothing of Node', async () => {
  const { output } = await bundled(PROGRAM, 'iife');
  const { server } = startServer(
    agentOf(async function* (task) {
      yield 'Hello, ';
      yield task.text;
    }),
  );
  // What browsers, workers, Deno and Bun have in common.
  const timers = { setTimeout: (callback: () => void, ms: number) => Number(setTimeout(callback, ms)), clearTimeout };
  const streams = { ReadableStream, TextDecoder, TextEncoder };
  const web = {
    AbortController,
    AbortSignal,
    Blob,
    Headers,
    Request,
    Response,
    URL,
    URLSearchParams,
    atob,
    btoa,
    crypto,
  };
  const fetchOfWorld: typeof fetch = (input, init) => server.fetch(new Request(input, init));
  const world = createContext({ ...timers, ...streams, ...web, fetch: fetchOfWorld });
  runInContext(output[0].code, world);
  const running = "client.A2AClient.connect('http://localhost').then((agent) => agent.run('world'))";
  expect(await runInContext(running, world)).toBe('Hello, world');
});
