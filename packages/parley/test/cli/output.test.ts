import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../setup/support/repository.ts';
import { eventually } from '../support/eventually.ts';
import { tempFile } from '../support/temp-folder.ts';
import { serveAgents } from './support/agents.ts';
import { complete, launch, NODE_ARGUMENTS, start } from './support/child.ts';
import { unusedUrl } from './support/elsewhere.ts';

const PARLEY = [process.execPath, ...NODE_ARGUMENTS].map((word) => `'${word}'`).join(' ');
const NO_SPACE = /^parley: The output could not be written: ENOSPC.*\.\n$/;

/** A line of a shell that knows the command. */
function shell(line: string) {
  return launch('sh', ['-c', line.replaceAll('parley ', `${PARLEY} `)]);
}

describe('output that cannot be written', () => {
  it('ends a command with a sentence and 1', async () => {
    const { url } = await serveAgents();
    for (const line of [`parley card ${url}`, `parley send ${url} 'reply Hello'`, 'parley --help']) {
      const { code, stderr } = await shell(`${line} > /dev/full`).ended;
      expect({ code, stderr }, line).toEqual({ code: 1, stderr: expect.stringMatching(NO_SPACE) });
    }
    const { stderr } = await shell(`parley card ${url} --json > /dev/full`).ended;
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'FAILED' } });
  });

  it('is noticed where the system takes only a part of it', async () => {
    const { url } = await serveAgents();
    const sent = await complete(['send', url, 'chunk 2000 250', '--json']);
    const { id } = JSON.parse(sent.stdout) as { id: string };
    const file = tempFile('report.md');
    const { code, stderr } = await shell(`trap '' XFSZ; ulimit -f 128; parley get ${url} ${id} > ${file}`).ended;
    expect(readFileSync(file).length).toBeLessThan(500_000);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('could not be written: EFBIG') });
    expect(await shell(`parley get ${url} ${id} > ${file}`).ended).toMatchObject({ code: 0 });
    expect(readFileSync(file).length).toBeGreaterThan(500_000);
  });

  it('of stderr costs the response nothing, and ends a command with an error', async () => {
    const { url } = await serveAgents();
    const asked = await shell(`parley send ${url} 'ask Who?' 2> /dev/full`).ended;
    expect(asked.code).toBe(5);
    const wrong = await shell('parley sned 2> /dev/full').ended;
    expect(wrong.code).toBe(2);
    const failed = await shell(`parley keys hash hunter2 2> /dev/full`).ended;
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/^scrypt:/) });
  });

  it('leaves no key that nobody has seen', async () => {
    const file = tempFile('keys.json');
    for (const line of [
      'parley keys create ci --file FILE > /dev/full',
      'parley keys create ci --json --file FILE >&9',
    ]) {
      const { code, stderr } = await shell(`exec 9> /dev/full; ${line.replace('FILE', file)}`).ended;
      expect(code).toBe(1);
      expect(stderr).toContain('The key could not be shown, and was removed again: ENOSPC');
    }
    const left = await shell(`(sleep 1; parley keys create ci --file ${file}; echo $? >&2) | true`).ended;
    expect(left.stderr).toMatch(/The key could not be shown, and was removed again: .*EPIPE\.\n1\n$/);
    expect(await complete(['keys', 'list', '--file', file])).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('a server whose output cannot be written', () => {
  const module = () => {
    const file = join(tempFile('x'), '..', 'thrower.ts');
    writeFileSync(
      file,
      `import { defineAgent } from ${JSON.stringify(join(ROOT, 'packages/parley/src/index.ts'))};
      export const agent = defineAgent({ name: 'thrower', description: 'Throws', version: '1', run() { throw new Error('x'); } });`,
    );
    return file;
  };
  const callsOf = async (url: string) => {
    await eventually(async () => (await complete(['card', url])).code).toBe(0);
    const codes: (number | null)[] = [];
    for (let call = 0; call < 3; call += 1) codes.push((await complete(['send', url, 'Hello'])).code);
    return codes;
  };

  it.each([
    '',
    '--watch',
    '--log-level info',
    '--log-level info --log-format pretty',
  ])('serves on, on a full disk: %s', async (flags) => {
    const url = await unusedUrl();
    const running = shell(`exec parley serve ${module()} ${flags} --port ${new URL(url).port} > /dev/full 2>&1`);
    expect(await callsOf(url)).toEqual([1, 1, 1]);
    expect(running.child.exitCode).toBeNull();
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  it('serves on when its reader has left', async () => {
    const running = start(['serve', module(), '--port', '0']);
    const url = await running.until((stdout) => /listening on (\S+)/.exec(stdout)?.[1], 'the address');
    running.child.stdout?.destroy();
    running.child.stderr?.destroy();
    expect(await callsOf(url)).toEqual([1, 1, 1]);
    expect(running.child.exitCode).toBeNull();
    running.child.kill('SIGTERM');
    const [code] = (await once(running.child, 'exit')) as [number];
    expect(code).toBe(0);
  });
});
