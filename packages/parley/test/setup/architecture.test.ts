import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readJson } from './support/repository.ts';
import { filesUnder } from './support/workspace-copy.ts';

const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const DRAWING = PAGE.split('\n## ').find((section) => section.startsWith('The folders')) ?? '';
const ENTRIES = PAGE.split('\n## ').find((section) => section.startsWith('The entries')) ?? '';

const SOURCES = ['packages/parley/src', 'packages/console/src'].map((folder) => join(ROOT, folder));
const FILES = SOURCES.flatMap((source) => filesUnder(source).map((file) => join(source, file)));
/** Written by a program, or by the protocol. */
const GIVEN = /\/bindings\/grpc\/(?:gen|proto)\//;
const OWN = FILES.filter((file) => !GIVEN.test(file));

/** Each command, and each part of the judge, is a folder of its own: their names say as much as the page could. */
const TOLD_AS_ONE = ['cli', 'check', 'compat'];

/** The folders of the package, two levels deep. */
function foldersOf(source: string): readonly string[] {
  const folders = filesUnder(source).flatMap((file) => {
    const [top = '', below = '', ...rest] = file.split('/');
    if (below === '') return [];
    return rest.length > 0 && !TOLD_AS_ONE.includes(top) ? [top, below] : [top];
  });
  return [...new Set(folders)];
}

describe('the page of the architecture', () => {
  it('names every folder', () => {
    const folders = foldersOf(join(ROOT, 'packages/parley/src'));
    expect(folders.length).toBeGreaterThan(80);
    const words = new Set(DRAWING.match(/[\w-]+/g));
    expect(folders.filter((name) => !words.has(name))).toEqual([]);
  });

  it('names no folder that is not there', () => {
    const drawn = [...DRAWING.matchAll(/(?<![\w/.])([\w-]+)\/(?![\w(])/g)].map(([, name = '']) => name);
    expect(drawn.length).toBeGreaterThan(60);
    const known = new Set(FILES.flatMap((file) => dirname(file).split('/')));
    expect(drawn.filter((name) => !known.has(name) && name !== 'decisions' && name !== 'reference')).toEqual([]);
  });

  it('names every entry of the package', () => {
    const { exports } = readJson(ROOT, 'packages/parley/package.json');
    const names = Object.keys(exports).filter((name) => name.startsWith('./') && name !== './package.json');
    expect(names.filter((name) => !ENTRIES.includes(`${name.slice(1)}\``))).toEqual([]);
  });
});

describe('the source', () => {
  it('has folders that can be taken in at a glance', () => {
    const counts = new Map<string, number>();
    for (const file of OWN) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const hasSubfolder = (folder: string) => OWN.some((file) => dirname(file).startsWith(`${folder}/`));
    const crowded = [...counts].filter(([folder, count]) => count > 16 && !hasSubfolder(folder));
    expect(crowded).toEqual([]);
  });

  it('has no file of more than 350 lines', () => {
    const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
    expect(OWN.filter((file) => /\.tsx?$/.test(file) && linesOf(file) > 350)).toEqual([]);
  });
});

/** The code in a folder of the repository, without what is installed or built there. */
function codeUnder(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return /\.(?:tsx?|m?js|py|go)$/.test(path) ? [path] : [];
    return /^(?:\..*|node_modules|dist)$/.test(entry.name) ? [] : codeUnder(path);
  });
}

describe('the tests and all that is run beside the source', () => {
  const code = ['packages/parley/test', 'packages/console/test', 'bench', 'examples', 'interop', 'scripts'].flatMap(
    codeUnder,
  );

  it('have folders that can be taken in at a glance', () => {
    const counts = new Map<string, number>();
    for (const file of code) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect(counts.size).toBeGreaterThan(150);
    expect([...counts].filter(([, count]) => count > 16)).toEqual([]);
  });

  it('have no file of more than 350 lines', () => {
    const linesOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
    expect(code.filter((file) => linesOf(file) > 350)).toEqual([]);
  });
});
