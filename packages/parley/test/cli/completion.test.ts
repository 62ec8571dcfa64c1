import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manPage } from '../../../../scripts/man-page.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { ROOT } from '../setup/support/repository.ts';
import { cli } from './support/in-process.ts';

/** Tells whether a shell is installed; tests of those that are not say that they are skipped. */
function has(shell: string): boolean {
  return spawnSync(shell, ['--version'], { stdio: 'ignore' }).status === 0;
}

async function scriptOf(shell: string): Promise<string> {
  const { code, stdout, stderr } = await cli(['completion', shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('completion', () => {
  it.for(['bash', 'zsh', 'fish'])('knows every command and option in %s', async (shell) => {
    const script = await scriptOf(shell);
    for (const { name, options } of COMMANDS) {
      expect(script).toContain(name);
      for (const option of options) expect(script).toContain(option);
    }
  });

  it.skipIf(!has('bash')).for([
    ['parley ser', 'serve'],
    ['parley db ba', 'backup'],
    ['parley completion f', 'fish'],
    ['parley serve --watc', '--watch'],
    ['parley init --template ', 'basic llm express next'],
    ['parley send --binding r', 'rest'],
    ['parley --json agents --tok', '--token'],
    ['parley serve --tok', ''],
    ['parley send --token ', ''],
    ['parley serve agen', ''],
  ])('completes "%s" in bash (skipped without bash)', async ([line = '', words]) => {
    const program = `${await scriptOf('bash')}
      complete -p parley >&2
      COMP_WORDS=(${line
        .split(' ')
        .map((word) => `'${word}'`)
        .join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _parley; printf '%s\\n' "\${COMPREPLY[*]}"`;
    const said = execFileSync('bash', ['--norc', '-c', program], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(said).toBe(`${words}\n`);
  });

  it.skipIf(!has('zsh'))('is a script that zsh reads (skipped without zsh)', async () => {
    execFileSync('zsh', ['-n'], { input: await scriptOf('zsh') });
  });

  it.skipIf(!has('fish'))('completes in fish (skipped without fish)', async () => {
    const program = `${await scriptOf('fish')}\ncomplete -C 'parley db ba'; complete -C 'parley init --template n'`;
    expect(execFileSync('fish', ['--no-config', '-c', program], { encoding: 'utf8' })).toMatch(
      /backup[^\n]*\n[^\n]*next/,
    );
  });

  it('says which shells it knows', async () => {
    expect((await cli(['completion', 'fis'])).stderr).toContain('There is no completion for fis; did you mean fish?');
    expect((await cli(['completion', 'tcsh'])).stderr).toContain('there is one for bash, zsh, fish');
  });
});

it('has a manual page that is as new as the help (npm run man)', () => {
  expect(readFileSync(join(ROOT, 'packages/parley/man/parley.1'), 'utf8')).toBe(manPage());
});
