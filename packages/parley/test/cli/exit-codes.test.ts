import { describe, expect, it } from 'vitest';
import { serveAgents } from './support/agents.ts';
import { refusingServer, unusedUrl } from './support/elsewhere.ts';
import { cli, objectsOf } from './support/in-process.ts';

/** Every command that calls an agent, with what it needs behind the URL. */
const COMMANDS: readonly (readonly [name: string, ...rest: string[]])[] = [
  ['card'],
  ['send', 'Hello'],
  ['stream', 'Hello'],
  ['chat'],
  ['tasks'],
  ['get', 'some-task'],
  ['watch', 'some-task'],
  ['tree', 'some-task'],
  ['cancel', 'some-task'],
];

const ONE_LINE = /^parley: [^\n]+\n$/;

describe.for(COMMANDS)('%s', ([name, ...rest]) => {
  it('ends with 3 where nothing listens, and says what to do', async () => {
    const url = await unusedUrl();
    const { code, stdout, stderr } = await cli([name, url, ...rest], { stdin: 'Hello\n' });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toBe(
      `parley: Cannot reach ${url}: nothing listens there. Is the agent running, and is the address right?\n`,
    );
  });

  it('ends with 4 where one is not let in, and says what to do', async () => {
    const { code, stdout, stderr } = await cli([name, await refusingServer(), ...rest], { stdin: 'Hello\n' });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain('--token TOKEN');
  });

  it('ends with 2 where the command line is wrong', async () => {
    for (const args of [
      [name],
      [name, 'ftp://host', ...rest],
      [name, ':1', ...rest, '--binding', 'soap'],
      [name, ':1', ...rest, '--timeout', 'x'],
    ]) {
      const { code, stdout, stderr } = await cli(args, { stdin: 'Hello\n' });
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr).toMatch(ONE_LINE);
      expect(stderr).toContain(`parley ${name} --help`);
    }
  });

  it('has help with an example and the options that all have', async () => {
    const { code, stdout } = await cli([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Examples:\n  parley ${name} `);
    for (const option of ['--header', '--token', '--binding', '--protocol', '--json']) expect(stdout).toContain(option);
    expect((await cli(['help', name])).stdout).toBe(stdout);
  });
});

describe('the state of a task', () => {
  const STATES = [
    ['wait 1', 'completed', 0],
    ['fail x', 'failed', 1],
    ['reject x', 'rejected', 1],
    ['ask x', 'input-required', 5],
    ['auth x', 'auth-required', 5],
  ] as const;

  it.for(STATES)('after %j is %s: exit code %i', async ([script, state, code]) => {
    const { url } = await serveAgents();
    const sent = await cli(['send', url, script, '--json']);
    const [task] = objectsOf(sent.stdout);
    expect([sent.code, task.status.state]).toEqual([code, state]);
    expect((await cli(['send', url, script])).code).toBe(code);
    expect((await cli(['stream', url, script])).code).toBe(code);
    expect((await cli(['get', url, task.id])).code).toBe(code);
    expect((await cli(['watch', url, task.id])).code).toBe(code);
    expect((await cli(['chat', url], { stdin: script })).code).toBe(code);
  });

  it('is told where there is no answer', async () => {
    const { url } = await serveAgents();
    expect((await cli(['send', url, 'reject Not today'])).stderr).toBe('The task was rejected: Not today\n');
    expect((await cli(['send', url, 'fail x'])).stderr).toMatch(/^The task failed: /);
  });

  it('is canceled: exit code 1', async () => {
    const { url } = await serveAgents();
    const id = (await cli(['send', url, '--no-wait', 'wait 60000'])).stdout.trim();
    expect((await cli(['get', url, id])).code).toBe(0);
    const watched = cli(['watch', url, id]);
    expect((await cli(['cancel', url, id])).code).toBe(0);
    expect((await watched).code).toBe(1);
    expect((await cli(['get', url, id])).code).toBe(1);
  });

  it('is of no task that is there: exit code 1', async () => {
    const { url } = await serveAgents();
    for (const command of ['get', 'watch', 'tree', 'cancel']) {
      const { code, stderr } = await cli([command, url, 'nothing']);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stderr).toBe(`parley: There is no such task at ${url}. See which there are: parley tasks ${url}\n`);
    }
  });
});
