import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readJson, shellEnvironment } from '../setup/support/repository.ts';
import { eventually } from '../support/eventually.ts';
import { tempFile } from '../support/temp-folder.ts';
import { serveAgents } from './support/agents.ts';
import { complete, launch, NODE_ARGUMENTS, start } from './support/child.ts';
import { refusingServer, unusedUrl } from './support/elsewhere.ts';
import { objectsOf } from './support/in-process.ts';

describe('parley as a process', () => {
  it('runs every command that calls an agent', async () => {
    const { url } = await serveAgents();
    const card = await complete(['card', url]);
    expect(card).toMatchObject({ code: 0, stderr: '' });
    expect(card.stdout).toContain('lab 1.0.0');

    const sent = await complete(['send', url, 'file notes.txt text/plain Hello\ndata {"answer": 42}', '--json']);
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    const [task] = objectsOf(sent.stdout);
    expect(task.status.state).toBe('completed');

    const streamed = await complete(['stream', url], 'chunk 3 8 10');
    expect(streamed).toMatchObject({ code: 0, stdout: '0001:...0002:...0003:...\n', stderr: '' });

    const talked = await complete(['chat', url], 'ask Who?\nBob\n');
    expect(talked).toMatchObject({ code: 0, stdout: 'answered: Bob\n', stderr: 'Who?\n' });

    const listed = await complete(['tasks', url]);
    expect(listed.stdout.split('\n')).toHaveLength(4);
    expect(listed.stdout).toContain(`completed\t${task.id}\t${task.contextId}\t`);

    expect(await complete(['get', url, task.id])).toMatchObject({ code: 0, stdout: '{"answer":42}\n' });
    expect(await complete(['watch', url, task.id])).toMatchObject({ code: 0, stdout: '{"answer":42}\n' });

    const begun = await complete(['send', url, '--no-wait', 'wait 60000']);
    const id = begun.stdout.trim();
    expect(await complete(['cancel', url, id])).toMatchObject({ code: 0, stdout: `${id} canceled\n` });
  });

  it('ends with every exit code', async () => {
    const { url } = await serveAgents();
    const refusing = await refusingServer();
    const codes = await Promise.all([
      complete(['send', url, 'reply Hello']),
      complete(['send', url, 'reject No']),
      complete(['send', url, '--bnding', 'rest']),
      complete(['send', await unusedUrl(), 'Hello']),
      complete(['send', refusing, 'Hello']),
      complete(['send', url, 'ask Who?']),
    ]);
    expect(codes.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const { stderr } of codes.slice(2, 5)) expect(stderr).toMatch(/^parley: [^\n]+\n$/);
  });

  it('shows the overview, the version and help for every command', async () => {
    const overview = await complete(['--help']);
    expect(overview).toMatchObject({ code: 0, stderr: '' });
    expect(overview.stdout).toContain('serve [FILE…]');
    const { version } = readJson(ROOT, 'packages/parley/package.json');
    expect(await complete(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
    expect(await complete(['chat', '--help'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends quietly when its reader has seen enough', async () => {
    const { url } = await serveAgents();
    const program = [process.execPath, ...NODE_ARGUMENTS].map((word) => `'${word}'`).join(' ');
    const line = `${program} stream ${url} 'chunk 2000 100 1' | head -c 50`;
    const shell = spawn('sh', ['-c', line], { cwd: ROOT, env: shellEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
    let all = '';
    shell.stdout.on('data', (text) => {
      all += text;
    });
    let errors = '';
    shell.stderr.on('data', (text) => {
      errors += text;
    });
    await once(shell, 'close');
    expect(all).toHaveLength(50);
    expect(errors).toBe('');
  });

  it('cancels the task on Ctrl-C', async () => {
    const { url } = await serveAgents();
    const running = start(['stream', url, 'chunk 1 4\nwait 60000']);
    await running.until((stdout) => stdout.includes('0001') || undefined, '0001');
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(1);
    expect(stderr).toBe('Canceling the task; Ctrl-C again leaves at once.\nThe task was canceled.\n');
  });

  it('leaves at once on a second Ctrl-C', async () => {
    const { at } = await serveAgents();
    const running = start(['stream', at('stubborn'), 'go']);
    await running.until((stdout) => stdout.includes('begun') || undefined, 'begun');
    running.child.kill('SIGINT');
    await eventually(() => running.output.stderr).toContain('Canceling');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });

  it('runs as npm runs it, with the paths of the folder that the user is in', { timeout: 60_000 }, async () => {
    const { at } = await serveAgents();
    const note = tempFile('note.txt');
    writeFileSync(note, 'Hello');
    const words = ['send', at('echo'), '--file', 'note.txt', '--json'];
    const npm = launch('npm', ['--prefix', ROOT, 'run', '-s', 'parley', '--', ...words], { cwd: dirname(note) });
    const { code, stdout, stderr } = await npm.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(objectsOf(stdout)[0].parts).toEqual([
      { kind: 'bytes', bytes: btoa('Hello'), mediaType: 'text/plain', filename: 'note.txt' },
    ]);
  });
});
