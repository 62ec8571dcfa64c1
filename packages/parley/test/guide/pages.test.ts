import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, readJson } from '../setup/support/repository.ts';
import { freePort } from '../support/http/free-port.ts';
import { openDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import { type Command, readSteps, type Step } from './support/guide.ts';
import { environmentOn, packAll, Translation } from './support/machine.ts';
import { agentFile, WORLDS } from './support/pages.ts';
import { type Registry, startRegistry } from './support/registry.ts';
import { assertStarted, Foreground, type Place, runScript, startServer } from './support/shell.ts';
import { assertShown } from './support/shown.ts';

/** The database to which the page on stores copies. */
const DATABASE = 'postgres://parley@127.0.0.1:5432/agents';
/** Packages that pages install beside ours: those of this repository, as the registry of the test has none of them. */
const OTHERS = ['@grpc/grpc-js', '@bufbuild/protobuf', '@modelcontextprotocol/server', '@modelcontextprotocol/client'];
const PEERS = ['pg', '@opentelemetry/api', '@opentelemetry/sdk-node', '@modelcontextprotocol/node'];
const MARK = '=== end of the command ===';

const titleOf = ({ line, text }: Step) => `${line}: ${text.split('\n')[0]?.slice(0, 80)}`;

/** Readers who open any page and run its commands, with the package installed. */
describe('the commands of', () => {
  const base = join(tmpdir(), `parley-pages-${process.pid}`);
  let registry: Registry;
  let database: TestDatabase;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    mkdirSync(base);
    registry = await startRegistry(await packAll(join(base, 'packing')));
    database = await openDatabase();
    const machine = environmentOn(base);
    const npm_config_registry = registry.url;
    env = { ...machine, npm_config_registry, PATH: `${join(base, 'node_modules/.bin')}:${machine.PATH}` };
    writeFileSync(join(base, 'package.json'), '{"private":true,"type":"module"}');
    const installed = await runScript('npm install parley-a2a', { cwd: base, env });
    if (installed.code !== 0) throw new Error(installed.output);
    linkOthers();
  });

  afterAll(async () => {
    registry?.close();
    await database?.drop();
    rmSync(base, { recursive: true, force: true });
  });

  function linkOthers(): void {
    for (const name of [...OTHERS, ...PEERS]) {
      const target = join(base, 'node_modules', name);
      if (existsSync(target)) continue;
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), target);
    }
  }

  describe.each(Object.entries(WORLDS))('%s', (page, world) => {
    const folder = join(base, 'pages', page.replaceAll(/[/.]/g, '-'));
    const servers: Foreground[] = [];
    let place: Place;
    let translation: Translation;

    beforeAll(async () => {
      const [demo, second, third, mcp, grpc] = await Promise.all(Array.from({ length: 5 }, freePort));
      mkdirSync(folder, { recursive: true });
      translation = new Translation(base, {
        '4000': demo,
        '4001': second,
        '4002': third,
        '4100': mcp,
        '50051': grpc,
      } as Record<string, number>);
      place = { cwd: folder, env: world.hasDemo ? env : { ...env, PORT: String(demo) } };
      writeFileSync(join(folder, 'agent.ts'), agentFile());
      world.prepare?.(folder, toHere);
      if (world.hasDemo) {
        const start: string = readJson(ROOT, 'package.json').scripts.start;
        const settings = { ...env, PORT: String(demo), PARLEY_DB: 'memory' };
        servers.push(await startServer(start, 'Stop with Ctrl+C.', { cwd: ROOT, env: settings }));
      }
      if (world.before !== undefined)
        expect(await runScript(world.before, place)).toMatchObject({ code: 0, output: '' });
      if (world.server !== undefined) servers.push(await startServer(toHere(world.server), 'ready', place));
    });

    afterAll(() => {
      for (const server of servers) server.kill();
    });

    const toHere = (text: string) => translation.toHere(text).replaceAll(DATABASE, database.url);
    const toPage = (text: string) => translation.toGuide(text.replaceAll(database.url, DATABASE));

    async function runCommands({ page, line, text, ...step }: Step): Promise<void> {
      const others = OTHERS.reduce((all, name) => all.replaceAll(` ${name}`, ''), text);
      const { code, output } = await runScript(toHere(others), place);
      // npm takes away what it has not installed.
      if (text.includes('npm install')) linkOthers();
      if (code !== 0) throw new Error(`${page}:${line} fails with ${code}:\n${text}\n${toPage(output)}`);
      if (step.kind === 'run' && step.seen) assertShown(toPage(output), step.seen);
    }

    /** All commands of a session are typed into one shell. What one of them prints is what the page shows, whatever its exit code. */
    async function runSession(commands: readonly Command[]): Promise<void> {
      const script = commands.map(({ text }) => `${toHere(text)} || true\necho '${MARK}'`).join('\n');
      const { output } = await runScript(script, place);
      const outputs = toPage(output).split(MARK);
      for (const [index, { seen }] of commands.entries()) assertShown(outputs[index] ?? '', seen);
    }

    const steps = readSteps(page);
    it.for(
      steps.filter(({ kind }) => kind !== 'file').map((step) => ({ title: titleOf(step), step })),
    )('line $title', async ({ step }) => {
      const files = steps.filter(({ kind, line }) => kind === 'file' && line < step.line);
      for (const file of files)
        if (file.kind === 'file') writeFileSync(join(folder, basename(file.name)), toHere(file.text));
      if (step.kind === 'session') return runSession(step.commands);
      if (step.kind !== 'serve') return runCommands(step);
      const server = new Foreground(toHere(step.text), place);
      servers.push(server);
      await assertStarted(server, step.seen, toPage);
    });

    if (steps.length === 0) it('has none that can be run here', () => expect(steps).toEqual([]));
  });
});
