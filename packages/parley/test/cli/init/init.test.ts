import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MANAGER_NAMES } from '../../../src/cli/init/package-manager.ts';
import { ownTarball } from '../../../src/cli/init/parley-package.ts';
import { filesOf, TEMPLATE_NAMES } from '../../../src/cli/init/templates.ts';
import { ROOT, readJson, temporaryFolder } from '../../setup/support/repository.ts';
import { filesUnder } from '../../setup/support/workspace-copy.ts';
import { cli, objectsOf } from '../support/in-process.ts';

const QUIET = ['--no-install', '--no-git'];

function folderOfTest(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

async function init(cwd: string, ...args: readonly string[]) {
  return cli(['init', ...args], { cwd, env: { PATH: process.env.PATH ?? '' } });
}

describe('parley init', () => {
  it.for(TEMPLATE_NAMES)('makes a project of the template %s', async (template) => {
    const cwd = folderOfTest();
    const ran = await init(cwd, 'weather-desk', '--template', template, ...QUIET);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const project = join(cwd, 'weather-desk');
    expect(filesUnder(project)).toEqual([...filesOf(template).keys()].sort());
    expect(readJson(project, 'package.json')).toMatchObject({ name: 'weather-desk', private: true, type: 'module' });
    const texts = filesUnder(project).map((path) => readFileSync(join(project, path), 'utf8'));
    expect(texts.filter((text) => text.includes('my-agent'))).toEqual([]);
    expect(texts.some((text) => text.includes("name: 'weather-desk'"))).toBe(true);
    for (const path of ['.gitignore', '.dockerignore', 'Dockerfile', 'README.md', 'tsconfig.json']) {
      expect(existsSync(join(project, path))).toBe(true);
    }
    expect(existsSync(join(project, '.github/workflows/ci.yml'))).toBe(true);
  });

  it.for(TEMPLATE_NAMES)('has the template %s on the versions that are tested here', (template) => {
    const { dependencies, devDependencies } = JSON.parse(filesOf(template).get('package.json') ?? '');
    const ours = readJson(ROOT, 'package.json').devDependencies;
    const { 'parley-a2a': _, ...others } = { ...dependencies, ...devDependencies };
    const known = Object.keys(others).map((name) => [name, `^${ours[name]}`]);
    expect(others).toEqual(Object.fromEntries(known));
  });

  it('says what to do next, and as JSON what it has done', async () => {
    const cwd = folderOfTest();
    const { stdout } = await init(cwd, 'one two', ...QUIET);
    expect(stdout).toContain("  cd 'one two'\n  npm install\n  npm run dev\n");
    const made = await init(cwd, 'three', '--json', '--template', 'basic', ...QUIET);
    expect(objectsOf(made.stdout)).toEqual([
      expect.objectContaining({
        name: 'three',
        template: 'basic',
        isInstalled: false,
        isRepository: false,
        replaced: [],
      }),
    ]);
  });

  it('makes a git repository, unless it is in one', async () => {
    const cwd = folderOfTest();
    try {
      execFileSync('git', ['--version'], { stdio: 'ignore' });
    } catch {
      // Without git it says so, and goes on.
      expect(await init(cwd, 'one', '--no-install')).toMatchObject({ code: 0, stderr: /git is not installed/ });
      return;
    }
    await init(cwd, 'one', '--no-install', '--git');
    expect(existsSync(join(cwd, 'one/.git'))).toBe(true);
    await init(cwd, 'one/inner', '--no-install', '--git');
    expect(existsSync(join(cwd, 'one/inner/.git'))).toBe(false);
  });

  it('takes the present folder, and one with nothing but a repository', async () => {
    const cwd = folderOfTest();
    mkdirSync(join(cwd, '.git'));
    expect(await init(cwd, '--name', 'here', ...QUIET)).toMatchObject({ code: 0 });
    expect(readJson(cwd, 'package.json').name).toBe('here');
  });

  it('refuses a folder that is not empty, and leaves it as it is', async () => {
    const cwd = folderOfTest();
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(cwd, name), '');
    expect(await init(cwd, '.', ...QUIET)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'parley: The folder . is not empty: it has a, b, c and 1 more. Name another folder, or add --force, which keeps files of the same name as NAME.replaced-TIME.\n',
    });
    expect(readdirSync(cwd)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('loses nothing with --force', async () => {
    const cwd = folderOfTest();
    const outside = join(folderOfTest(), 'precious.txt');
    writeFileSync(outside, 'precious');
    writeFileSync(join(cwd, 'package.json'), '{"name": "old"}');
    symlinkSync(outside, join(cwd, 'README.md'));
    const { code, stderr } = await init(cwd, '.', '--force', '--name', 'fresh', ...QUIET);
    expect(code).toBe(0);
    const aside = readdirSync(cwd).filter((name) => name.includes('.replaced-'));
    expect(aside).toHaveLength(2);
    for (const name of aside) expect(stderr).toContain(name);
    expect(aside.map((name) => readFileSync(join(cwd, name), 'utf8')).sort()).toEqual(['precious', '{"name": "old"}']);
    expect(readFileSync(outside, 'utf8')).toBe('precious');
    expect(readJson(cwd, 'package.json').name).toBe('fresh');
    // Once more changes nothing: all files are there.
    expect(await init(cwd, '.', '--force', '--name', 'fresh', ...QUIET)).toMatchObject({ code: 0, stderr: '' });
  });

  it.for([
    [['x', '--template', 'nxt'], '--template must be one of basic, llm, express, next, not "nxt"; did you mean next?'],
    [['x', '--name', "a'; rm -rf /"], '--name must be small letters and digits joined by - _ or . (at most 64)'],
    [['x', '--name', 'Upper'], '--name must be small letters'],
    [
      ['x', '--name', 'parley-a2a'],
      '--name cannot be parley-a2a, which is the name of a package that the project needs',
    ],
    [['x', '--git'], '--git and --no-git exclude each other; give one of them'],
    [['x', '--package-manager', 'pip'], '--package-manager must be one of npm, pnpm, yarn, bun, not "pip"'],
    [['x', '--package', 'gone.tgz'], '--package names gone.tgz, and there is no such file'],
    [['x', 'y'], 'init takes only [DIR]; "y" is too much'],
  ] as const)('refuses %j and makes nothing', async ([args, problem]) => {
    const cwd = folderOfTest();
    const { code, stdout, stderr } = await init(cwd, ...args, '--no-install', '--no-git');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('refuses places where no folder can be', async () => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, 'file'), '');
    for (const place of ['file', 'file/inner', '/proc/nowhere', `${'x'.repeat(300)}`]) {
      const { code, stderr } = await init(cwd, place, ...QUIET);
      expect(code).toBe(1);
      expect(stderr).toMatch(/name another folder\.\n$/);
    }
  });

  it.for([
    ['.', 'my-agent'],
    ['Ünïcode & Söhne', 'n-code-s-hne'],
    ['express', 'express-agent'],
  ])('derives a name from the folder: %s', async ([dir = '', name]) => {
    const cwd = join(folderOfTest(), '___');
    await init(cwd, dir, '--template', 'express', ...QUIET);
    expect(readJson(cwd, dir, 'package.json').name).toBe(name);
  });

  it.for(MANAGER_NAMES)('speaks of %s where that has started it', async (manager) => {
    const cwd = folderOfTest();
    const env = { npm_config_user_agent: `${manager}/9.1.0 npm/? node/v24.0.0 linux x64` };
    const { stdout } = await cli(['init', 'x', ...QUIET], { cwd, env });
    expect(stdout).toContain(`${manager} install\n`);
    const dockerfile = readFileSync(join(cwd, 'x/Dockerfile'), 'utf8');
    const readme = readFileSync(join(cwd, 'x/README.md'), 'utf8');
    expect(dockerfile).toContain(manager === 'npm' ? 'package-lock.json' : `${manager} install --frozen-lockfile`);
    expect(readme.includes('npm run')).toBe(manager === 'npm' || manager === 'pnpm');
  });

  it('takes parley-a2a from a tarball, as seen from the project', async () => {
    const cwd = folderOfTest();
    writeFileSync(join(cwd, 'parley.tgz'), '');
    await init(cwd, 'deep/project', '--package', 'parley.tgz', ...QUIET);
    expect(readJson(cwd, 'deep/project/package.json').dependencies['parley-a2a']).toBe('file:../../parley.tgz');
    // So does a program that was itself installed from one.
    const own = join(cwd, 'user/node_modules/parley-a2a');
    mkdirSync(own, { recursive: true });
    expect(ownTarball(own)).toBeUndefined();
    const packages = { 'node_modules/parley-a2a': { resolved: 'file:../parley.tgz' } };
    writeFileSync(join(cwd, 'user/node_modules/.package-lock.json'), JSON.stringify({ packages }));
    expect(ownTarball(own)).toBe(join(cwd, 'parley.tgz'));
  });

  it('ends with 1 where packages cannot be installed, and keeps the project', async () => {
    const cwd = folderOfTest();
    const { code, stdout, stderr } = await cli(['init', 'x', '--no-git'], { cwd, env: { PATH: '/nowhere' } });
    expect(code).toBe(1);
    expect(stdout).toContain('  npm install\n');
    expect(stderr).toContain('npm is not installed\nThe project is whole, but "npm install" has failed; run it again');
    expect(existsSync(join(cwd, 'x/package.json'))).toBe(true);
  });
});
