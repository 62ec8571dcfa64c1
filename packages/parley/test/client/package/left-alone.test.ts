import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { PATIENCE_MS } from '../../support/patience.ts';

const run = promisify(execFile);

it('lets a process end by itself, without a rejection that nobody asked for', async () => {
  const program = new URL('left-alone.ts', import.meta.url).pathname;
  const options = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning', program];
  const { stdout } = await run(process.execPath, options, { timeout: PATIENCE_MS });
  expect(JSON.parse(stdout)).toEqual({ rejections: [] });
});
