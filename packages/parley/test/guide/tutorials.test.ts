import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../setup/support/repository.ts';
import { freePort } from '../support/http/free-port.ts';
import { callTool, type OpenAIServer, openaiServer } from '../support/openai/openai-server.ts';
import { openDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import { readGuide, type Step } from './support/guide.ts';
import { environmentOn, packAll, Translation } from './support/machine.ts';
import { TUTORIALS } from './support/pages.ts';
import { type Registry, startRegistry } from './support/registry.ts';
import { assertStarted, Foreground, Shell } from './support/shell.ts';
import { assertShown } from './support/shown.ts';

/** The database of the page on many nodes, and the model of the page on language models. */
const DATABASE = 'postgres://postgres:secret@127.0.0.1:5432/postgres';
const MODEL = 'http://127.0.0.1:11434/v1';

const titleOf = ({ text }: Step) => text.split('\n')[0]?.slice(0, 80);

/** Does what the page on language models shows: two tools, one after the other, then a sentence. */
const SCRIPT = [
  callTool('forecast', { city: 'Oslo' }),
  callTool('remind', { text: 'umbrella' }),
  ['Take an umbrella: ', 'rain and 8 °C ', 'are expected in Oslo.'],
];

/** Readers who follow the tutorials to the letter, each on an empty machine with Node. */
describe('the tutorials', () => {
  const base = join(tmpdir(), `parley-tutorials-${process.pid}`);
  let registry: Registry;
  let model: OpenAIServer;
  let database: TestDatabase;

  beforeAll(async () => {
    mkdirSync(base);
    registry = await startRegistry(await packAll(join(base, 'packing')));
    model = await openaiServer(SCRIPT);
    database = await openDatabase();
  });

  afterAll(async () => {
    registry?.close();
    await model?.close();
    await database?.drop();
    rmSync(base, { recursive: true, force: true });
  });

  describe.each(TUTORIALS)('%s', (page, folder) => {
    const machine = join(base, basename(page, '.md'));
    const project = join(machine, folder);
    const servers = new Map<string, Foreground>();
    let translation: Translation;
    let env: NodeJS.ProcessEnv;
    let shell: Shell;

    beforeAll(async () => {
      mkdirSync(machine);
      const ports = await Promise.all([freePort(), freePort(), freePort()]);
      const [first, second, third] = ports;
      translation = new Translation(machine, { '4000': first, '4001': second, '4002': third });
      env = { ...environmentOn(machine), npm_config_registry: registry.url };
      shell = new Shell({ cwd: machine, env });
    });

    afterAll(() => {
      shell?.close();
      for (const server of servers.values()) server.kill();
    });

    const toHere = (text: string) =>
      translation.toHere(text).replaceAll(DATABASE, database.url).replaceAll(MODEL, model.url);

    async function runCommands(text: string): Promise<string> {
      const [, others = ''] = /npm install parley-a2a(.*)$/m.exec(text) ?? [];
      const output = await shell.run(toHere(text).replace(others, ''));
      // Packages of others are those of this repository: the registry of the test has none of them.
      for (const other of others.split(' ').filter((word) => word !== '')) link(other);
      return translation.toGuide(output);
    }

    function link(other: string): void {
      const target = join(project, 'node_modules', other);
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', other), target);
    }

    const steps = readGuide(page);
    it.for(
      steps.map((step, index) => ({ index, title: titleOf(step), step })),
    )('step $index works as it stands: $title', async ({ step }) => {
      switch (step.kind) {
        case 'session':
          throw new Error(
            `${step.page}:${step.line} is a block of commands with their output, which only other pages have`,
          );
        case 'file':
          writeFileSync(join(project, step.name), toHere(step.text));
          break;
        case 'run': {
          const output = await runCommands(step.text);
          if (step.seen !== undefined) assertShown(output, step.seen);
          break;
        }
        case 'serve': {
          await servers.get(step.terminal)?.stop();
          const started = new Foreground(toHere(step.text), { cwd: project, env });
          servers.set(step.terminal, started);
          await assertStarted(started, step.seen, (output) => translation.toGuide(output));
          break;
        }
      }
    });
  });

  it('many-nodes shows a task that two processes have counted', () => {
    const seen = readFileSync(join(base, 'many-nodes/nodes/seen.txt'), 'utf8');
    const processes = seen
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\d+ by process /, ''));
    expect(processes).toHaveLength(15);
    expect(new Set(processes).size).toBe(2);
  });
});
