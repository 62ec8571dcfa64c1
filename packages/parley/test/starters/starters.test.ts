import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../setup/support/repository.ts';
import { type Newcomer, newcomer } from './support/starter.ts';

let machine: Newcomer;
beforeAll(async () => {
  machine = await newcomer();
});
afterAll(() => machine?.close());

/** Runs what the README of every template names first. Returns the project's folder. */
async function checkedProject(folder: string, tests: number): Promise<string> {
  await machine.run(folder, 'npm', 'run', 'typecheck');
  const said = await machine.run(folder, 'npm', 'test');
  expect(said).toContain(`pass ${tests}\n`);
  expect(said).toContain('fail 0\n');
  return folder;
}

async function initProject(template: string): Promise<string> {
  const { folder, tarball, run } = machine;
  const said = await run(folder, 'npx', '--package', tarball, 'parley', 'init', template, '--template', template);
  expect(said).toContain(`Made the project ${template}: template ${template}`);
  return join(folder, template);
}

describe('a new project', () => {
  it('is made by npm create, and starts, tests and type-checks at once', async () => {
    const { folder, run, serve } = machine;
    const said = await run(folder, 'npm', 'create', 'parley-a2a', 'made', '--', '--no-git');
    expect(said).toContain('Made the project made: template basic');
    const project = await checkedProject(join(folder, 'made'), 2);
    expect(readJson(project, 'package.json')).toMatchObject({ name: 'made', dependencies: { 'parley-a2a': '^0.1.0' } });
    expect(existsSync(join(project, '.git'))).toBe(false);
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toContain('node_modules/');
    const url = await serve(project, { PARLEY_PORT: '0' }, 'npm', 'start');
    expect(await run(project, 'npx', 'parley', 'stream', url, 'Ada')).toBe('Hello, Ada! Nice to meet you.\n');
    // As CI and the image install it.
    await run(project, 'npm', 'ci', '--omit=dev');
  });

  it('has an agent of a language model, which says what is missing', async () => {
    const project = await checkedProject(await initProject('llm'), 1);
    // The command came from a tarball, and so does the project's package.
    expect(readJson(project, 'package.json').dependencies['parley-a2a']).toMatch(/^file:\.\..*\.tgz$/);
    const url = await machine.serve(project, { PARLEY_PORT: '0' }, 'npm', 'start');
    await expect(machine.run(project, 'npx', 'parley', 'send', url, 'Hello')).rejects.toThrow('set PARLEY_MODEL');
  });

  it('has an agent in an Express application', async () => {
    const project = await checkedProject(await initProject('express'), 2);
    const url = await machine.serve(project, { PORT: '0' }, 'npm', 'start');
    expect(await machine.run(project, 'npx', 'parley', 'send', url, 'Ada')).toBe('Hello, Ada! Nice to meet you.\n');
    // Watched by Node, which reads more than the application does.
    const watched = await machine.serve(project, { PORT: '0', STORE: 'watched.db' }, 'npm', 'run', 'dev');
    expect(await machine.run(project, 'npx', 'parley', 'send', watched, 'Ada')).toBe('Hello, Ada! Nice to meet you.\n');
    const guarded = { PORT: '0', KEYS: '1', STORE: 'guarded.db' };
    const other = await machine.serve(project, guarded, 'npm', 'start');
    await expect(machine.run(project, 'npx', 'parley', 'send', other, 'Ada')).rejects.toThrow('send an API key');
  });

  it('has an agent in a Next.js application', async () => {
    const project = await checkedProject(await initProject('next'), 2);
    // Next listens on every interface unless it is told otherwise, and the agent is open.
    const { start, dev } = readJson(project, 'package.json').scripts;
    expect([start, dev]).toEqual(['next start -H 127.0.0.1', 'next dev -H 127.0.0.1']);
    await machine.run(project, 'npm', 'run', 'build');
    const url = await machine.serve(project, { PORT: '0' }, 'npm', 'start');
    expect(await machine.run(project, 'npx', 'parley', 'send', url, 'Ada')).toBe('Hello, Ada! Nice to meet you.\n');
    expect(await (await fetch(url)).text()).toContain('<h1>next-agent</h1>');
  });
});
