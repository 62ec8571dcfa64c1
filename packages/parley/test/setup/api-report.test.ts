import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDeclarations } from '../../../../scripts/api/declarations.ts';
import { apiReports, REPORTS } from '../../../../scripts/api-report.ts';
import { ROOT, readJson } from './support/repository.ts';

const ADVICE = 'The exported names have changed. If that is meant, run `npm run api` and commit packages/parley/api';

describe('the report of the exported names', () => {
  const reports = apiReports();

  it('is as it was checked in', () => {
    expect(readdirSync(REPORTS).sort(), ADVICE).toEqual([...reports.keys()].sort());
    for (const [file, text] of reports) {
      const path = join(REPORTS, file);
      expect(existsSync(path) ? readFileSync(path, 'utf8') : '', `${file}: ${ADVICE}`).toBe(text);
    }
  });

  it('has every entry of the package, with its values', async () => {
    const { exports } = readJson(ROOT, 'packages/parley/package.json');
    const entries = Object.keys(exports).filter((path) => path !== './package.json');
    expect(reports.size).toBe(entries.length);
    const root: object = await import('parley-a2a');
    const text = reports.get('index.api.md') ?? '';
    for (const name of Object.keys(root)) {
      expect(text).toMatch(new RegExp(`^export (?:abstract )?(?:class|function|const) ${name}\\b`, 'm'));
    }
  });

  it('says nothing of where it was made', () => {
    for (const text of reports.values()) expect(text).not.toMatch(/import\(|from '|\.\.?\/|#private/);
  });
});

describe('declaration files', () => {
  it('are read in all the forms that the compiler writes', () => {
    const { declared, imported, exported, passedOn } = readDeclarations(
      [
        '/// <reference lib="esnext" />',
        "import type { A, B as C } from './a.ts';",
        "import * as all from './all.ts';",
        "import './effect.ts';",
        "export { type D, E as F } from './d.ts';",
        "export * from './more.ts';",
        "export * as inner from './inner.ts';",
        "declare const text: '};{';",
        'export declare function call(one: string): void;',
        'export declare function call(one: { two: number; }): void;',
        'export declare class Thing<T> extends Error {\n    #private;\n    get it(): T;\n}',
        'interface Hidden {\n    a: [string, () => void];\n}',
        'export type Union = { kind: "a"; } | { kind: "b"; };',
        'export { Hidden as Shown };',
        'export {};',
      ].join('\n'),
    );
    expect([...declared.keys()]).toEqual(['text', 'call', 'Thing', 'Hidden', 'Union']);
    expect(declared.get('call')).toHaveLength(2);
    expect([...imported]).toEqual([
      ['A', { file: './a.ts', name: 'A' }],
      ['C', { file: './a.ts', name: 'B' }],
      ['all', { file: './all.ts', name: '*' }],
    ]);
    expect([...exported.keys()]).toEqual(['D', 'F', 'inner', 'call', 'Thing', 'Union', 'Shown']);
    expect(exported.get('Shown')).toEqual({ file: undefined, name: 'Hidden' });
    expect(passedOn).toEqual(['./more.ts']);
  });

  it('are refused where they are not understood', () => {
    expect(() => readDeclarations('something else;')).toThrow('not understood');
    expect(() => readDeclarations('export interface Cut {')).toThrow('middle of a statement');
  });
});
