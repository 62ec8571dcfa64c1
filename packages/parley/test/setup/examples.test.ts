import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../cli/support/in-process.ts';
import { ROOT, readJson } from './support/repository.ts';

const PAGE = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');

/** The rows of the table: the folder of the example, and the command that starts it. */
const ROWS = [...PAGE.matchAll(/^\| \[([\w-]+)\]\([^)]+\) \|.*\| `([^`]+)` \|$/gm)].map(
  ([, folder = '', command = '']) => ({ folder, command }),
);

/** Data and agents that several examples share. */
const SHARED = ['agents'];

describe('the table of examples', () => {
  it('has every example', () => {
    const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const known = folders.map(({ name }) => name).filter((name) => !SHARED.includes(name) && name !== 'node_modules');
    expect(ROWS.map(({ folder }) => folder).sort()).toEqual(known.sort());
  });

  const SERVED = ROWS.filter(({ command }) => command.startsWith('npm run parley -- serve '));
  // The MCP server of `mcp` would outlive this test; that example has its own.
  it.for(SERVED.filter(({ folder }) => folder !== 'mcp'))('has a command that serves $folder', async ({ command }) => {
    const [file = ''] = command.replace('npm run parley -- serve ', '').split(' ');
    const served = await cli(['serve', file, '--port', '0', '--json'], { cwd: ROOT, interruptAt: '"url"' });
    expect(served).toMatchObject({ code: 0, stderr: '' });
  });

  it.for(ROWS.filter((row) => !SERVED.includes(row)))('has a command that is there: $folder', ({ command }) => {
    const [, script = '', , workspace] = /^npm run ([\w:-]+)( -w (examples))?$/.exec(command) ?? [];
    if (script === '') {
      const file = /examples\/[\w./-]+/.exec(command)?.[0];
      expect(command === 'npm start' || (file !== undefined && existsSync(join(ROOT, file)))).toBe(true);
      return;
    }
    const folder = workspace === undefined ? '' : 'examples';
    const { scripts } = readJson(ROOT, folder, 'package.json');
    const [file] = /[\w/-]+\.ts$/.exec(scripts[script]) ?? [];
    expect(scripts[script]).toBeDefined();
    if (file !== undefined) expect(existsSync(join(ROOT, folder, file))).toBe(true);
  });

  it('has examples of less than 150 lines, but for the applications and the agents that they share', () => {
    const large = ['agents', 'relay', 'next', 'travel-desk'];
    const lines = new Map<string, number>();
    for (const file of globSync('examples/*/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts', '**/node_modules/**'] })) {
      const folder = dirname(file).split('/')[1] ?? '';
      // Each file of these is an example of its own.
      const name = ['recipes', 'extending'].includes(folder) ? file : folder;
      lines.set(name, (lines.get(name) ?? 0) + readFileSync(join(ROOT, file), 'utf8').split('\n').length);
    }
    expect([...lines].filter(([name, count]) => count >= 150 && !large.includes(name))).toEqual([]);
  });
});
