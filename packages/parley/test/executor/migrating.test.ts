import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { blocksOf } from '../setup/support/documents.ts';
import { startProgram } from '../setup/support/programs.ts';
import { ROOT, temporaryFolder } from '../setup/support/repository.ts';
import { freePort } from '../support/http/free-port.ts';

/** The blocks of the page that have a file's name in their first line. */
const FILES = new Map(
  blocksOf('docs/migrating.md', 'ts').map((block) => {
    const [, name = '', code = ''] = /^\/\/ ([a-z-]+\.ts)\n(.*)$/s.exec(block) ?? [];
    return [name, code] as const;
  }),
);

/** A file of the page as a program of its own, with the executor in it where it imports that. */
function program(name: string, port: number, database: string): string {
  const executor = FILES.get('word-counter.ts') ?? '';
  const code = FILES.get(name) ?? '';
  const withExecutor = code.replace(/^import .* from '\.\/word-counter\.ts';$/m, () => executor);
  return withExecutor.replaceAll('4000', String(port)).replace("'tasks.db'", JSON.stringify(database));
}

it('names every block', () => {
  expect([...FILES.keys()]).toEqual([
    'word-counter.ts',
    'server-before.ts',
    'server-after.ts',
    'word-counter-agent.ts',
    'client-before.ts',
    'client-after.ts',
    'cancel-before.ts',
    'cancel-after.ts',
  ]);
});

it('has code that compiles, before and after', async () => {
  const folder = join(ROOT, 'node_modules/.cache/parley-migrating');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, code] of FILES) writeFileSync(join(folder, name), code);
  const config = { extends: '../../../tsconfig.json', include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

it.each([
  'server-before.ts',
  'server-after.ts',
  'word-counter-agent.ts',
])('has servers that serve either client: %s', async (server) => {
  const { folder, remove } = temporaryFolder();
  const port = await freePort();
  const { child, ended } = startProgram(program(server, port, join(folder, 'tasks.db')));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    remove();
  });
  const ready = once(child.stdout, 'data').then(([text]) => String(text));
  expect(await Promise.race([ready, ended.then(({ stderr }) => stderr)])).toBe('ready\n');
  for (const client of ['client-before.ts', 'client-after.ts']) {
    const { code, stdout, stderr } = await startProgram(program(client, port, '')).ended;
    expect({ client, code, stdout, stderr }).toMatchObject({ code: 0, stdout: '1 to\n2 be\n3 or\n4 not\n' });
  }
});
