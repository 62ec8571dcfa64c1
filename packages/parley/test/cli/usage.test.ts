import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { agentUrl } from '../../src/cli/connect/connect.ts';
import { programOf } from '../../src/cli/surroundings.ts';
import { invocation } from '../../src/cli/text/shell.ts';
import { temporaryFolder } from '../setup/support/repository.ts';
import { cli } from './support/in-process.ts';

describe('mistakes on the command line', () => {
  it.for([
    [['get', ':1', 'one\ntwo'], 'get takes one ID, and this one has several lines. See: parley get --help'],
    [['srve'], 'There is no command srve; did you mean serve? See: parley --help'],
    [
      ['dance'],
      'There is no command dance; there are init, serve, doctor, agents, card, check, send, stream, chat, tasks, get, watch, tree, cancel, login, logout, keys, db, push, listen, mcp, completion. See: parley --help',
    ],
    [['send', ':1', 'x', '--tokn', 'y'], 'There is no option --tokn; did you mean --token? See: parley send --help'],
    [['serve', 'a.ts', '--prot', '1'], 'There is no option --prot; did you mean --port? See: parley serve --help'],
    [['send', ':1', '-x'], 'There is no option -x; put text that begins with - after --. See: parley send --help'],
    [
      ['send', ':1', 'x', '--port', '1'],
      'send has no option --port; it belongs to serve, doctor, listen. See: parley send --help',
    ],
    [['send', ':1', 'x', '--token'], '--token needs a value: --token TOKEN. See: parley send --help'],
    [['send', ':1', 'x', '--token', '--no-wait'], '--token needs a value: --token TOKEN. See: parley send --help'],
    [['send', ':1', 'x', '--json=yes'], '--json takes no value. See: parley send --help'],
    [['send', ':1', 'x', '--task', '1', '--task', '2'], '--task may be given only once. See: parley send --help'],
    [
      ['send', ':1', 'x', '--header', 'nonsense'],
      '--header must be \'NAME: VALUE\', not "nonsense". See: parley send --help',
    ],
    [
      ['send', ':1', 'x', '--protocol', '2.0'],
      '--protocol must be one of 1.0, 0.3, v1_draft, jaf, rxjs, rxjs-older, cogitator, banterop, not "2.0". See: parley send --help',
    ],
    [['send', ':1', 'x', '--data', '{'], /^--data must be JSON, or @FILE: .* See: parley send --help$/],
    [
      ['send', ':1', 'x', '--file', 'missing.txt'],
      'Cannot read missing.txt for --file: there is no such file. See: parley send --help',
    ],
    [['send', ':1'], 'There is nothing to send: give a TEXT, or pipe one in. See: parley send --help'],
    [['get', ':1'], 'get needs URL ID. See: parley get --help'],
    [['get', ':1', 'a', 'b'], 'get takes only URL ID; "b" is too much. See: parley get --help'],
    [['tasks', ':1', '--state', 'workin'], /did you mean working\? See: parley tasks --help$/],
    [['tasks', ':1', '--limit', '0'], '--limit must be a whole number, 1 or more, not "0". See: parley tasks --help'],
    [
      ['serve'],
      'serve needs FILE…, or agents in parley.config.json; parley init DIR makes a project. See: parley serve --help',
    ],
    [
      ['serve', 'a.ts', '--port', '70000'],
      '--port must be a whole number, from 0 to 65535, not "70000". See: parley serve --help',
    ],
  ] as const)('%j', async ([args, problem]) => {
    const { code, stdout, stderr } = await cli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [line = '', ...more] = stderr.split('\n');
    expect(more).toEqual(['']);
    if (typeof problem === 'string') expect(line).toBe(`parley: ${problem}`);
    else expect(line.replace('parley: ', '')).toMatch(problem);
  });

  it('are told as JSON where that is asked for', async () => {
    const { stderr } = await cli(['send', '--json']);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'USAGE', message: 'send needs URL [TEXT]. See: parley send --help' },
    });
  });
});

describe('an address', () => {
  it.for([
    ['localhost:4000', 'http://localhost:4000'],
    [':4000', 'http://127.0.0.1:4000'],
    ['127.0.0.1:4000/a2a', 'http://127.0.0.1:4000/a2a'],
    ['[::1]:4000', 'http://[::1]:4000'],
    ['server:8080', 'http://server:8080'],
    ['agents.example.com', 'https://agents.example.com'],
    ['agents.example.com:8443/a2a', 'https://agents.example.com:8443/a2a'],
    ['HTTP://agents.example.com', 'HTTP://agents.example.com'],
  ])('%s', ([text = '', url = '']) => expect(agentUrl(text)).toBe(url));
});

describe('help', () => {
  it('is a beginning where nothing is asked for', async () => {
    const { folder: cwd, remove } = temporaryFolder();
    onTestFinished(remove);
    const alone = await cli([], { cwd });
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    expect(alone.stdout.split('\n').length).toBeLessThan(10);
    for (const words of [
      'parley init my-agent',
      'parley serve agent.ts',
      'parley chat localhost:4000',
      'parley --help',
    ]) {
      expect(alone.stdout).toContain(words);
    }
    writeFileSync(join(cwd, 'parley.config.json'), '{}');
    expect((await cli([], { cwd })).stdout).toContain('parley serve --watch');
  });

  it('is the overview where help is asked for', async () => {
    const asked = await cli(['--help']);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect((await cli(['help'])).stdout).toBe(asked.stdout);
    for (const { name } of COMMANDS) expect(asked.stdout).toContain(`\n  ${name} `);
  });

  it('fits the terminal', async () => {
    for (const columns of [60, 80, 120]) {
      const { stdout } = await cli(['send', '--help'], { terminal: true, columns });
      const options = stdout.slice(stdout.indexOf('Options:'), stdout.indexOf('Exit codes:'));
      expect(Math.max(...options.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });
});

it.for([
  [{}, 'parley'],
  [{ npm_lifecycle_event: 'npx' }, 'npx parley'],
  [{ npm_lifecycle_event: 'dev', npm_config_user_agent: 'npm/11.0.0 node/v24' }, 'npx parley'],
  [{ npm_lifecycle_event: 'dev', npm_config_user_agent: 'pnpm/10.0.0 npm/?' }, 'pnpm exec parley'],
  [{ npm_lifecycle_event: 'start', npm_config_user_agent: 'yarn/1.22.0' }, 'yarn parley'],
  [{ npm_lifecycle_event: 'start', npm_config_user_agent: 'bun/1.3.0' }, 'bunx parley'],
  [{ npm_lifecycle_event: 'parley' }, 'npm run -s parley --'],
  [{ npm_lifecycle_event: 'npx', PARLEY_CREATE: '1' }, 'npm create parley-a2a'],
  [{ PARLEY_CREATE: '1', npm_config_user_agent: 'pnpm/10.0.0 npm/?' }, 'pnpm create parley-a2a'],
] as const)('commands to paste are such that the shell finds them: %j', ([env, program]) => {
  expect(programOf(env, '/somewhere').program).toBe(program);
});

it.for([
  ['npx parley', 'init my-agent --template llm', 'npx parley init my-agent --template llm'],
  ['npm create parley-a2a', 'init my-agent', 'npm create parley-a2a my-agent'],
  [
    'npm create parley-a2a',
    'init my-agent --template llm --no-git',
    'npm create parley-a2a my-agent -- --template llm --no-git',
  ],
  ['npm create parley-a2a', 'init [DIR] [OPTIONS]', 'npm create parley-a2a [DIR] -- [OPTIONS]'],
  ['npm create parley-a2a', 'init --help', 'npm create parley-a2a -- --help'],
  ['pnpm create parley-a2a', 'init my-agent --template llm', 'pnpm create parley-a2a my-agent --template llm'],
] as const)('%s writes %s so that it works without the command', ([program, line, written]) => {
  expect(invocation(program, line)).toBe(written);
});
