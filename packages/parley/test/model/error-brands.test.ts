import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { A2AError, InputError, isA2AError, isInputError } from 'parley-a2a';
import { isOutboundError, isPushError, OutboundError, PushError } from 'parley-a2a/push';
import { isStoreError, StoreError } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';

const SOURCES = fileURLToPath(new URL('../../src/model/errors/', import.meta.url));

/** A folder with a second copy of the two modules. */
function copyOfErrors(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-errors-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ['errors.ts', 'input-error.ts']) copyFileSync(join(SOURCES, file), join(folder, file));
  return folder;
}

describe('errors of two copies of the package', () => {
  it('are recognized by either copy', async () => {
    const folder = copyOfErrors();
    const other = (await import(pathToFileURL(join(folder, 'errors.ts')).href)) as {
      A2AError: typeof A2AError;
      isA2AError: typeof isA2AError;
    };
    const inputs = (await import(pathToFileURL(join(folder, 'input-error.ts')).href)) as {
      InputError: typeof InputError;
    };
    const theirs = new other.A2AError('TIMEOUT', 'too late');
    expect(theirs).not.toBeInstanceOf(A2AError);
    expect(isA2AError(theirs)).toBe(true);
    expect(other.isA2AError(new A2AError('TIMEOUT', 'too late'))).toBe(true);
    const question = new inputs.InputError('INPUT_TIMEOUT', 'too late');
    expect(question).not.toBeInstanceOf(InputError);
    expect(isInputError(question)).toBe(true);
    expect(isA2AError(question)).toBe(false);
  });

  it('are recognized where one was loaded by require and the other by import', () => {
    const folder = copyOfErrors();
    const program = `
      const { createRequire } = require('node:module');
      const loaded = createRequire(${JSON.stringify(join(folder, 'main.cjs'))})('./errors.ts');
      import(${JSON.stringify(pathToFileURL(join(SOURCES, 'errors.ts')).href)}).then((imported) => {
        const error = new loaded.A2AError('TIMEOUT', 'too late');
        console.log(error instanceof imported.A2AError, imported.isA2AError(error), loaded.isA2AError(new imported.A2AError('TIMEOUT', '')));
      });`;
    const script = join(folder, 'main.cjs');
    writeFileSync(script, program);
    const { stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
      encoding: 'utf8',
    });
    expect(stdout, stderr).toBe('false true true\n');
  });

  it.for([
    ['StoreError', 'stores/store-error.ts', isStoreError, new StoreError('IN_USE', 'x')],
    ['OutboundError', 'server/outbound/outbound-error.ts', isOutboundError, new OutboundError('REFUSED', 'x')],
    ['PushError', 'push/verify/push-error.ts', isPushError, new PushError('TOO_OLD', 'x')],
  ] as const)('are recognized where they are of other kinds: %s', async ([name, file, isOfKind, ours]) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-errors-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const copy = join(folder, 'copy.ts');
    copyFileSync(join(SOURCES, '../..', file), copy);
    const other = (await import(pathToFileURL(copy).href)) as Record<string, new (code: string, text: string) => Error>;
    const Theirs = other[name] as new (code: string, text: string) => Error;
    expect([
      isOfKind(ours),
      isOfKind(new Theirs(ours.code, 'x')),
      new Theirs('x', 'x') instanceof ours.constructor,
    ]).toEqual([true, true, false]);
    for (const value of [undefined, null, new Error('x'), { code: ours.code }]) expect(isOfKind(value)).toBe(false);
  });

  it('leave other values alone', () => {
    for (const value of [undefined, null, 'TIMEOUT', new Error('x'), { code: 'TIMEOUT' }]) {
      expect(isA2AError(value)).toBe(false);
      expect(isInputError(value)).toBe(false);
    }
  });
});
