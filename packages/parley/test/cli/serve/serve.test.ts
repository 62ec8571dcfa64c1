import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { echo, lab, reporter } from '../../../../../examples/agents/index.ts';
import { agentsIn } from '../../../src/cli/serve/agents.ts';
import { ROOT } from '../../setup/support/repository.ts';
import { eventually } from '../../support/eventually.ts';
import { tempFile } from '../../support/temp-folder.ts';
import { complete, type Running, start } from '../support/child.ts';
import { cli, objectsOf } from '../support/in-process.ts';

const PACKAGE = join(ROOT, 'packages/parley/src/index.ts');

/** A module with an agent that says words, one by one. */
function agentModule(name: string, words: readonly string[], pause = 0): string {
  return `import { defineAgent } from ${JSON.stringify(PACKAGE)};
export const ${name} = defineAgent({
  name: '${name}', description: 'Says something', version: '1.0.0',
  async *run(task: { readonly text: string }) {
    for (const word of ${JSON.stringify(words)}) {
      yield word + '\\n';
      await new Promise((resolve) => setTimeout(resolve, ${pause}));
    }
  },
});
`;
}

/** Files in a folder that is removed when the test ends. */
function files(contents: Readonly<Record<string, string>>): string {
  const folder = dirname(tempFile());
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

function listening(running: Running): Promise<string> {
  return running.until((stdout) => /listening on (\S+).*Stop with Ctrl\+C/s.exec(stdout)?.[1], 'a greeting');
}

/** Resolves once what is on stderr fits, however long that takes. */
function saidOn(running: Running, fits: (stderr: string) => boolean): Promise<true> {
  return running.until(() => fits(running.output.stderr) || undefined, 'these words on stderr');
}

const KEPT = 'parley: The version before goes on serving.\n';
/** Every version is a process of its own, which takes its time on a busy machine. */
const SLOW = { timeout: 180_000 };

describe('serve', () => {
  it('serves the agents of its files and says how to talk to them', async () => {
    const folder = files({ 'one.ts': agentModule('one', ['first']), 'two.mts': agentModule('two', ['second']) });
    const running = start(['serve', 'one.ts', 'two.mts', '--port', '0'], { cwd: folder });
    const url = await listening(running);
    const { stdout } = running.output;
    expect(stdout).toContain('agents    one (the default), two\n');
    expect(stdout).toContain(`card      ${url}/.well-known/agent-card.json\n`);
    expect(stdout).toContain('tasks     in memory');
    expect(stdout).toContain('open to   this machine only\n');
    for (const command of [`parley card ${url}`, `parley stream ${url} Hello`, `parley chat ${url}`]) {
      expect(stdout).toContain(`\n${command}\n`);
    }
    expect((await cli(['send', url, 'go'])).stdout).toBe('first\n');
    expect((await cli(['send', `${url}/a2a/agents/two`, 'go'])).stdout).toBe('second\n');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('keeps tasks in a file', async () => {
    const folder = files({ 'one.ts': agentModule('one', ['kept']) });
    const args = ['serve', 'one.ts', '--port', '0', '--db', 'tasks.db'];
    const before = start(args, { cwd: folder });
    const [task] = objectsOf((await cli(['send', await listening(before), 'go', '--json'])).stdout);
    before.child.kill('SIGTERM');
    expect((await before.ended).code).toBe(0);
    const after = start(args, { cwd: folder });
    const url = await listening(after);
    expect((await cli(['get', url, task.id])).stdout).toBe('kept\n');

    const second = await complete(args, undefined, { cwd: folder });
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/^parley: tasks\.db is in use by another server: [^\n]+--db FILE[^\n]+\n$/);
  });

  it('tells what a program needs as JSON', async () => {
    const folder = files({ 'one.ts': agentModule('one', ['first']), 'two.ts': agentModule('two', ['second']) });
    const running = start(['serve', 'one.ts', 'two.ts', '-p', '0', '--default', 'two', '--json'], { cwd: folder });
    const line = await running.until((stdout) => /.+\n/.exec(stdout)?.[0], 'a line');
    const { url, agents } = JSON.parse(line);
    expect(agents.map(({ name }: { readonly name: string }) => name)).toEqual(['two', 'one']);
    expect((await cli(['send', url, 'go'])).stdout).toBe('second\n');
  });

  it.each([
    ['a file of their own', 'keys.json', '--file'],
    ['the file of the tasks', 'tasks.db', '--db'],
  ])('lets in those who have a key in %s, while keys come and go', SLOW, async (_, keys, place) => {
    const folder = files({ 'agent.ts': agentModule('one', ['hello']) });
    const args = ['serve', 'agent.ts', '--host', '0.0.0.0', '--port', '0', '--db', 'tasks.db', '--keys', keys];
    const running = start(args, { cwd: folder });
    const url = await listening(running);
    expect(running.output.stdout).toContain(`every machine that can reach this one, with a key of ${keys}`);
    expect(running.output.stdout).toContain(`\nparley keys create alice ${place} ${keys}\n`);
    expect(running.output.stdout).toContain(`\nparley chat ${url} --token KEY\n`);
    const file = join(folder, keys);
    const made = await cli(['keys', 'create', 'ada', '--id', 'adas', place, file]);
    const key = made.stdout.trim();
    expect((await cli(['tasks', url])).code).not.toBe(0);
    // The server may have looked a moment ago, when there was no key.
    await eventually(async () => (await cli(['send', url, 'Hi', '--token', key])).stdout.trim()).toBe('hello');
    await cli(['keys', 'revoke', 'adas', place, file]);
    await eventually(async () => (await cli(['tasks', url, '--token', key])).code).not.toBe(0);
  });

  it('says what is wrong in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const folder = files({
      'agent.ts': agentModule('one', ['x']),
      'none.ts': 'export const nothing = 1;',
      'types.ts': 'export const a = 1;\nexport const b: = 2;\n',
      'script.mjs': 'const a = 1;\n\nconst a = 2;\n',
      'inner.ts': "import './script.mjs';",
      'enum.ts': '\nenum A { B }\n',
      'throws.ts': "\nthrow new Error('no luck');\n",
      'lost.ts': "import 'not-installed';",
      'folder/x.ts': '',
    });
    const cases: readonly (readonly [args: readonly string[], code: number, said: RegExp])[] = [
      [['missing.ts'], 2, /^There is no file missing\.ts; /],
      [['folder'], 2, /^folder is a folder; /],
      [['none.ts'], 2, /^none\.ts exports no agent; export one that defineAgent made/],
      [['types.ts'], 1, /^types\.ts:2 has a syntax error: /],
      [['script.mjs'], 1, /^script\.mjs:3 has a syntax error: Identifier 'a' has already been declared\.$/],
      [['inner.ts'], 1, /^script\.mjs:3 has a syntax error: /],
      [['enum.ts'], 1, /^enum\.ts:2 has a syntax error: .*enum/],
      [['throws.ts'], 1, /^throws\.ts:2 fails when it is loaded: no luck\.$/],
      [['lost.ts'], 1, /^lost\.ts imports not-installed, which cannot be found; /],
      [['agent.ts', '--port', String(port)], 1, /^Port \d+ on 127\.0\.0\.1 is taken by another program; --port 0 /],
      [['agent.ts', '--host', '192.0.2.1', '--open'], 1, /is not an address of this machine; --host /],
      [['agent.ts', '--host', '0.0.0.0', '--port', '0'], 1, /has no auth; --keys FILE .*, --open lets in anybody\.?$/],
      [
        ['agent.ts', '--keys', 'agent.ts'],
        2,
        /^--keys cannot be used: \S+agent\.ts is no file of API keys: it must be JSON of the form \{ "keys": \[…\] \}\.$/,
      ],
      [['agent.ts', '--lease', '5'], 2, /^--lease is for servers that share a store/],
      [['agent.ts', '--keys', 'keys.json', '--open'], 2, /^Either --keys or --open/],
      [['agent.ts', '--default', 'on'], 2, /^There is no agent on; did you mean one\?/],
      [['agent.ts', '--db', 'nowhere/tasks.db'], 1, /nowhere\/tasks\.db cannot be written/],
    ];
    for (const [args, code, said] of cases) {
      const ended = await complete(['serve', ...args], undefined, { cwd: folder });
      expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code, stdout: '' });
      expect(ended.stderr).toMatch(/^parley: [^\n]+\n$/);
      expect(ended.stderr.trim().replace('parley: ', '')).toMatch(said);
    }
  });
});

describe('serve --watch', () => {
  it('starts again on a change, also of what is imported, while streams go on', SLOW, async () => {
    const words = (word: string) => `export const words = ['${word} 1', '${word} 2', '${word} 3'];\n`;
    const module = agentModule('one', []).replace('[]', 'words').replace(/^/, "import { words } from './words.ts';\n");
    const folder = files({ 'one.ts': module.replace(', 0)', ', 400)'), 'words.ts': words('old') });
    const running = start(['serve', 'one.ts', '--port', '0', '--db', 'tasks.db', '--watch'], { cwd: folder });
    const url = await listening(running);
    expect(running.output.stdout).toContain('watching  the files and what they import\n');

    const streamed = start(['stream', url, 'go', '--json']);
    await streamed.until((stdout) => stdout.includes('old 1') || undefined, 'the first word');
    writeFileSync(join(folder, 'words.ts'), words('new'));
    await running.until((stdout) => stdout.includes(`Started again: one on ${url}\n`) || undefined, 'another start');
    expect(running.output.stderr).toContain('words.ts has changed.\n');

    // The stream has lived through it: it tells the end of the task, whatever that is.
    const { stdout } = await streamed.ended;
    const events = objectsOf(stdout);
    expect(events.at(-1).status.state).toMatch(/completed|failed/);
    const positions = events.map(({ seq }) => seq);
    expect(new Set(positions).size).toBe(positions.length);
    expect((await cli(['send', url, 'go'])).stdout).toBe('new 1\nnew 2\nnew 3\n');

    writeFileSync(join(folder, 'words.ts'), 'export const words = ;\n');
    await saidOn(running, (stderr) => stderr.includes(KEPT));
    expect(running.output.stderr).toMatch(/words\.ts:1 has a syntax error/);
    expect((await cli(['send', url, 'go'])).stdout).toBe('new 1\nnew 2\nnew 3\n');
    writeFileSync(join(folder, 'words.ts'), words('newest'));
    await eventually(async () => (await cli(['send', url, 'go'])).stdout).toContain('newest 3');

    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
    expect((await cli(['card', url])).code).toBe(3);
  });
});

describe('serve --watch, while a file is wrong', () => {
  const save = (folder: string, content: string) => writeFileSync(join(folder, 'one.ts'), content);

  it('keeps the last good version, with its tasks', SLOW, async () => {
    const folder = files({ 'one.ts': agentModule('one', ['good']) });
    const args = ['serve', 'one.ts', '--port', '0', '--default', 'one', '--watch'];
    const running = start(args, { cwd: folder });
    const url = await listening(running);
    const [task] = objectsOf((await cli(['send', url, 'go', '--json'])).stdout);

    const mistakes: readonly (readonly [content: string, said: RegExp])[] = [
      ['export const one = ;\n', /one\.ts:1 has a syntax error/],
      ["throw new Error('no luck');\n", /one\.ts:1 fails when it is loaded: no luck/],
      [agentModule('other', ['other']), /There is no agent one/],
    ];
    for (const [index, [content, said]] of mistakes.entries()) {
      save(folder, content);
      await saidOn(running, (stderr) => stderr.split(KEPT).length > index + 1);
      expect(running.output.stderr).toMatch(said);
      // Its tasks are in the memory of the process that was there from the start.
      expect((await cli(['get', url, task.id])).stdout).toBe('good\n');
    }
    expect(running.output.stdout).not.toContain('Started again');
    save(folder, agentModule('one', ['better']));
    await running.until((stdout) => stdout.includes(`Started again: one on ${url}\n`) || undefined, 'another start');
    expect((await cli(['send', url, 'go'])).stdout).toBe('better\n');
  });

  it('waits for a first good version where there is none yet', SLOW, async () => {
    const folder = files({ 'one.ts': 'export const one = ;\n' });
    const running = start(['serve', 'one.ts', '--port', '0', '--watch'], { cwd: folder });
    await saidOn(running, (stderr) => stderr.includes('it starts again when a file changes.'));
    expect(running.output.stderr).toMatch(/one\.ts:1 has a syntax error/);
    expect(running.output.stderr).not.toContain(KEPT);
    save(folder, agentModule('one', ['mended']));
    const [, url = ''] = await running.until(
      (stdout) => /Started again: one on (\S+)\n/.exec(stdout) ?? undefined,
      'a start',
    );
    expect((await cli(['send', url, 'go'])).stdout).toBe('mended\n');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
  });
});

describe('the agents of a module', () => {
  const names = (module: Readonly<Record<string, unknown>>) => agentsIn(module).map(({ name }) => name);

  it('are its default export, its lists and records, and its named exports', () => {
    expect(names({ default: lab })).toEqual(['lab']);
    expect(names({ echo, lab })).toEqual(['echo', 'lab']);
    expect(names({ default: reporter, echo, lab })).toEqual(['reporter', 'echo', 'lab']);
    expect(names({ all: [lab, echo] })).toEqual(['lab', 'echo']);
    expect(names({ agents: { reporter, echo }, echo, reporter })).toEqual(['reporter', 'echo']);
    expect(names({ text: 'x', number: 1, make: () => lab, nothing: null, object: { a: 1 } })).toEqual([]);
  });

  it('are those of the demo in its order', async () => {
    const demo: Readonly<Record<string, unknown>> = await import('../../../../../examples/agents/index.ts');
    expect(names(demo)).toEqual(['reporter', 'analyst', 'echo', 'lab']);
  });
});

it('tells what to do with a module that package.json makes CommonJS', async () => {
  const folder = files({ 'package.json': '{ "type": "commonjs" }', 'agent.ts': agentModule('one', ['x']) });
  const { code, stderr } = await complete(['serve', 'agent.ts'], '', { cwd: folder });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'agent.ts is taken for CommonJS, which has no import; add "type": "module" to package.json, or call the file agent.mts',
  );
});

it('has a page that names every command and option', async () => {
  const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
  const { COMMANDS } = await import('../../../src/cli/commands/index.ts');
  for (const { name, options } of COMMANDS) {
    expect(page).toContain(`parley ${name}`);
    for (const option of options) expect(page).toContain(`--${option}`);
  }
});
