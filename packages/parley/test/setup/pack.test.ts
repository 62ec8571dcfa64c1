import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { openDatabase } from '../support/postgres/postgres.ts';
import { BROWSER_BUILDS, writeProgram } from './support/browser-builds.ts';
import { linksOf, problemOf } from './support/links.ts';
import { nodeOnPath } from './support/node-on-path.ts';
import { ROOT, readJson, shellEnvironment, temporaryFolder } from './support/repository.ts';
import { copyWorkspace, filesUnder, npm, packDependencies, packInto, snapshot } from './support/workspace-copy.ts';

const run = promisify(execFile);
const CONSUMER = join(import.meta.dirname, 'consumer');

describe('the packed package', () => {
  const folder = join(tmpdir(), `parley-pack-${process.pid}`);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'workspace');
  const project = join(folder, 'project');
  const installed = join(project, 'node_modules/parley-a2a');
  const before = () => snapshot(join(workspace, 'packages/parley'));
  let changedByPacking: boolean;

  beforeAll(async () => {
    copyWorkspace(workspace);
    const unpacked = before();
    const tarball = await packInto(workspace, join(folder, 'packed'));
    changedByPacking = JSON.stringify([...before()]) !== JSON.stringify([...unpacked]);
    const manifest = readJson(workspace, 'packages/parley/package.json');
    const overrides = await packDependencies(manifest, join(folder, 'dependencies'));
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', overrides }));
    // The cache is new: whatever this machine's npm has kept from other projects must not matter.
    const cache = join(folder, 'cache');
    await npm(project, 'install', '--offline', '--cache', cache, '--no-audit', '--no-fund', tarball);
  });

  it('leaves the work tree as it was', () => {
    expect(changedByPacking).toBe(false);
  });

  it('has what was built and the documents for users, nothing else', () => {
    const files = filesUnder(installed);
    const templates = filesUnder(join(workspace, 'packages/parley/templates'));
    expect(files.filter((path) => path.startsWith('templates/'))).toEqual(templates.map((path) => `templates/${path}`));
    expect(files.filter((path) => !/^(?:dist|docs|templates)\//.test(path))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'man/parley.1',
      'package.json',
      'parley.config.schema.json',
    ]);
    const documents = files.filter((path) => path.startsWith('docs/'));
    expect(documents).toEqual(expect.arrayContaining(['docs/README.md', 'docs/hosting.md', 'docs/llms.txt']));
    const unwanted = documents.filter(
      (path) => !/\.(md|txt|svg|webp)$/.test(path) || /^docs\/(decisions|reference)\//.test(path),
    );
    expect(unwanted).toEqual([]);

    const sources = filesUnder(join(workspace, 'packages/parley/src')).filter((path) => path.endsWith('.ts'));
    const names = sources.map((path) => path.replace(/\.ts$/, ''));
    const built = names.flatMap((path) => [`dist/${path}.d.ts`, `dist/${path}.js`]).sort();
    const isOfConsole = (path: string) => path.startsWith('dist/console/');
    expect(files.filter((path) => path.startsWith('dist/') && !isOfConsole(path))).toEqual(built);
    expect(files.filter(isOfConsole)).toContain('dist/console/index.html');
  });

  it('has documents whose links lead to files of the package', () => {
    const pages = filesUnder(installed).filter((path) => /\.(md|txt)$/.test(path) && !/^(dist|templates)\//.test(path));
    expect(pages.length).toBeGreaterThan(40);
    const broken = pages.flatMap((page) =>
      linksOf(page, installed).flatMap((link) => problemOf(link, installed) ?? []),
    );
    expect(broken).toEqual([]);
  });

  it('leads only to files that are there', () => {
    const { exports } = readJson(installed, 'package.json');
    const adapters = ['express', 'hono', 'fastify', 'koa', 'next', 'node', 'fetch'];
    expect(exports).toEqual({
      ...Object.fromEntries(
        adapters.map((name) => [
          `./${name}`,
          { types: `./dist/adapters/${name}.d.ts`, default: `./dist/adapters/${name}.js` },
        ]),
      ),
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './client': { types: './dist/client/index.d.ts', default: './dist/client/index.js' },
      './compat': { types: './dist/compat/index.d.ts', default: './dist/compat/index.js' },
      './compat/rxjs': { types: './dist/compat/rxjs/index.d.ts', default: './dist/compat/rxjs/index.js' },
      './dialects': { types: './dist/dialects/index.d.ts', default: './dist/dialects/index.js' },
      './v0_3': { types: './dist/v0_3/index.d.ts', default: './dist/v0_3/index.js' },
      './postgres': { types: './dist/postgres.d.ts', default: './dist/postgres.js' },
      './sqlite': { types: './dist/sqlite.d.ts', default: './dist/sqlite.js' },
      './grpc': { types: './dist/grpc.d.ts', default: './dist/grpc.js' },
      './nats': { types: './dist/nats.d.ts', default: './dist/nats.js' },
      './types': { types: './dist/types.d.ts', default: './dist/types.js' },
      './extensions': { types: './dist/extensions.d.ts', default: './dist/extensions.js' },
      './auth': { types: './dist/auth.d.ts', default: './dist/auth.js' },
      './config': { types: './dist/config/config.d.ts', default: './dist/config/config.js' },
      './cards': { types: './dist/cards.d.ts', default: './dist/cards.js' },
      './oauth': { types: './dist/oauth.d.ts', default: './dist/oauth.js' },
      './oauth/node': { types: './dist/oauth-node.d.ts', default: './dist/oauth-node.js' },
      './llm': { types: './dist/llm/index.d.ts', default: './dist/llm/index.js' },
      './push': { types: './dist/push.d.ts', default: './dist/push.js' },
      './telemetry': { types: './dist/telemetry.d.ts', default: './dist/telemetry.js' },
      './mcp': { types: './dist/mcp.d.ts', default: './dist/mcp.js' },
      './ports': { types: './dist/ports.d.ts', default: './dist/ports.js' },
      './testing': { types: './dist/testing/index.d.ts', default: './dist/testing/index.js' },
      './package.json': './package.json',
    });
    const targets = Object.values<string | Record<string, string>>(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    expect(targets.filter((target) => !existsSync(join(installed, target)))).toEqual([]);
  });

  it('brings little with it', () => {
    const manifest = readJson(installed, 'package.json');
    expect(Object.keys(manifest.dependencies)).toEqual(['jose']);
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest.engines).toEqual({ node: '>=22.18' });
    const folders = new Set(filesUnder(join(project, 'node_modules')).map((path) => path.split('/')[0]));
    expect(folders).toEqual(new Set(['.package-lock.json', 'jose', 'parley-a2a']));
  });

  it.for(Object.entries(BROWSER_BUILDS))('is built for browsers by %s, without anything of Node', async ([, build]) => {
    writeProgram(project);
    const code = await build(project);
    expect(code).toContain('/.well-known/agent-card.json');
    expect(/\bnode:|\bprocess\.|\bBuffer\b|\brequire\(|\bimport\b/.exec(code)).toBeNull();
  });

  /** Runs one of the consumer's programs as if it were part of the project. */
  async function runProgram(node: string, program: string, flags: readonly string[], ...args: readonly string[]) {
    copyFileSync(join(CONSUMER, program), join(project, program));
    const line = ['--disable-warning=ExperimentalWarning', ...flags, program, ...args];
    const { stdout, stderr } = await run(node, line, { cwd: project, env: shellEnvironment(), timeout: 300_000 });
    expect(stderr).toBe('');
    return stdout;
  }

  function smoke(node: string): Promise<string> {
    const { folder: data, remove: removeData } = temporaryFolder();
    onTestFinished(removeData);
    return runProgram(node, 'smoke.mjs', [], join(data, 'tasks.db'));
  }

  it('serves an agent and keeps its tasks on this Node', async () => {
    expect(await smoke(process.execPath)).toBe(`served and kept on ${process.version}\n`);
  });

  const oldest = process.env.PARLEY_NODE22;
  const how = oldest ? '' : ' (skipped: npm run test:oldest brings one)';
  it.skipIf(!oldest)(`serves an agent and keeps its tasks on the oldest Node that is supported${how}`, async () => {
    expect(await smoke(oldest ?? '')).toMatch(/^served and kept on v22\./);
  });

  const tooOld = nodeOnPath((version) => Number(version.split('.')[0]) < 22);
  const whyNot = tooOld ? '' : ' (skipped: no such Node is on the PATH)';
  it.skipIf(!tooOld)(`names the Node that it needs to a program on an older one${whyNot}`, async () => {
    copyFileSync(join(CONSUMER, 'smoke.mjs'), join(project, 'smoke.mjs'));
    const running = run(tooOld ?? '', ['smoke.mjs', 'tasks.db'], { cwd: project, env: shellEnvironment() });
    await expect(running).rejects.toMatchObject({ stderr: expect.stringContaining('Node 22.18 or newer is needed') });
  });

  it('serves an agent where there is nothing of Node', async () => {
    const served = await runProgram(process.execPath, 'elsewhere.mjs', ['--experimental-vm-modules']);
    expect(served).toMatch(/^served from \d+ files\n$/);
  });

  it('serves in the frameworks that a project has', async () => {
    const frameworks = ['express', 'hono', 'fastify', 'koa'];
    const links = frameworks.map((name) => join(project, 'node_modules', name));
    for (const [index, name] of frameworks.entries()) symlinkSync(join(ROOT, 'node_modules', name), links[index] ?? '');
    onTestFinished(() => {
      for (const link of links) rmSync(link);
    });
    const served = await runProgram(process.execPath, 'frameworks.mjs', []);
    expect(served).toBe('served with node, fetch, express, fastify, hono, koa\n');
  });

  describe('has a command line', () => {
    /** As a shell finds it, with this Node as the one on the path. */
    function parley(...args: readonly string[]) {
      const env = { ...shellEnvironment(), PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
      return spawn(join(project, 'node_modules/.bin/parley'), args, {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    }

    async function outputOf(child: ReturnType<typeof parley>) {
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      return { code, stdout, stderr };
    }

    it('that explains itself', async () => {
      const { code, stdout, stderr } = await outputOf(parley('--help'));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('parley COMMAND');
      const { version } = readJson(installed, 'package.json');
      expect(await outputOf(parley('--version'))).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    });

    it('that serves an agent in TypeScript, keeps its tasks and calls it', async () => {
      copyFileSync(join(CONSUMER, 'agent.ts'), join(project, 'agent.ts'));
      const server = parley('serve', 'agent.ts', '--port', '0', '--db', 'agent.db', '--json');
      onTestFinished(() => void server.kill('SIGKILL'));
      const served = outputOf(server);
      const [line] = await once(server.stdout, 'data');
      const { url } = JSON.parse(String(line));
      expect(await outputOf(parley('send', url, 'reader'))).toEqual({
        code: 0,
        stdout: 'Hello, reader!\n',
        stderr: '',
      });
      server.kill('SIGINT');
      expect(await served).toMatchObject({ code: 0, stderr: '' });
    });

    it('that serves as one of two nodes: a task is canceled by the other one, which takes over when it is killed', async () => {
      const database = await openDatabase();
      onTestFinished(() => database.drop());
      const driver = join(project, 'node_modules/pg');
      symlinkSync(join(ROOT, 'node_modules/pg'), driver);
      onTestFinished(() => rmSync(driver));
      copyFileSync(join(CONSUMER, 'waiting.ts'), join(project, 'waiting.ts'));
      const serve = async () => {
        const node = parley('serve', 'waiting.ts', '--port', '0', '--store', database.url, '--lease', '2', '--json');
        onTestFinished(() => void node.kill('SIGKILL'));
        const [line] = await once(node.stdout, 'data');
        return { node, url: String(JSON.parse(String(line)).url) };
      };
      const [one, other] = await Promise.all([serve(), serve()]);
      const send = async (file: string) => {
        const { stdout } = await outputOf(parley('send', one.url, file, '--no-wait'));
        return stdout.trim();
      };
      const canceled = await outputOf(parley('cancel', other.url, await send('never')));
      expect(canceled).toMatchObject({ code: 0, stdout: expect.stringContaining('canceled') });

      const watcher = parley('watch', other.url, await send('go'));
      const watched = outputOf(watcher);
      let seen = '';
      watcher.stdout.on('data', (bytes) => {
        seen += bytes;
      });
      await eventually(() => seen).toContain(`begun by ${one.node.pid}\n`);
      one.node.kill('SIGKILL');
      writeFileSync(join(project, 'go'), '');
      const whole = `begun by ${one.node.pid}\nended by ${other.node.pid}\n`;
      expect(await watched).toMatchObject({ code: 0, stdout: expect.stringContaining(whole) });
    });
  });

  const oldestTypeScript = process.env.PARLEY_TYPESCRIPT;
  const compilers = [
    ['', join(ROOT, 'node_modules/typescript')],
    ...(oldestTypeScript ? [[' in the oldest TypeScript that is supported', oldestTypeScript] as const] : []),
  ] as const;
  const projects = [
    ['Node', { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2023'], types: ['node'] }],
    ['bundlers', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: [] }],
  ] as const;
  it.for(
    compilers.flatMap(([which, compiler]) =>
      projects.map(([name, settings]) => ({ name: `${name}${which}`, compiler, settings })),
    ),
  )('has types that hold for $name', async ({ name, compiler, settings }) => {
    expect(await compileErrors(name, ['consumer.ts', 'unannotated.ts'], compiler, settings)).toBe('');
  });

  it.for(projects)('has types that hold for %s with the AI SDK', async ([name, settings]) => {
    for (const peer of ['ai', 'zod']) {
      const link = join(project, 'node_modules', peer);
      symlinkSync(join(ROOT, 'node_modules', peer), link);
      onTestFinished(() => rmSync(link));
    }
    const compiler = join(ROOT, 'node_modules/typescript');
    // The SDK's own types need both.
    const both = { ...settings, lib: ['es2023', 'dom'], types: ['node'] };
    expect(await compileErrors(`${name} ai`, ['language-models.ts'], compiler, both)).toBe('');
  });

  /** What the compiler says about programs of the consumer; libraries are not skipped. */
  async function compileErrors(name: string, files: readonly string[], compiler: string, settings: object) {
    const types = join(project, 'node_modules/@types');
    if (!existsSync(types)) symlinkSync(join(ROOT, 'node_modules/@types'), types);
    for (const file of files) copyFileSync(join(CONSUMER, file), join(project, file));
    // Declarations are written: a type that is inferred and has no name that can be imported is an error (TS2742, TS4023).
    const output = { declaration: true, emitDeclarationOnly: true, outDir: join(project, 'declarations') };
    const compilerOptions = { ...settings, ...output, target: 'es2022', strict: true };
    const config = join(project, `tsconfig.${name.replaceAll(' ', '-')}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions, files }));
    const { stdout } = await run(process.execPath, [join(compiler, 'bin/tsc'), '-p', config]).catch(
      (error: { stdout: string }) => error,
    );
    return stdout;
  }
});

describe('packing that fails', () => {
  function workspaceOfTest(): string {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    copyWorkspace(folder);
    return folder;
  }

  it('restores the work tree', async () => {
    const workspace = workspaceOfTest();
    const packed = join(workspace, 'packages/parley');
    const before = snapshot(packed);
    // npm gives up after the folder was prepared: it cannot write the tarball.
    await expect(npm(packed, 'pack', '--pack-destination', join(workspace, 'missing'))).rejects.toThrow('ENOENT');
    await vi.waitFor(() => expect(snapshot(packed)).toEqual(before), { timeout: PATIENCE_MS });
  });

  it('touches nothing where the sources do not compile', async () => {
    const workspace = workspaceOfTest();
    const packed = join(workspace, 'packages/parley');
    appendFileSync(join(packed, 'src/index.ts'), "export const port: number = 'four thousand';\n");
    const before = snapshot(packed);
    await expect(npm(packed, 'pack', '--pack-destination', workspace)).rejects.toThrow('TS2322');
    expect(snapshot(packed)).toEqual(before);
    expect(filesUnder(workspace).filter((path) => path.endsWith('.tgz'))).toEqual([]);
  });
});
