import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { start } from '../cli/support/child.ts';
import { cli } from '../cli/support/in-process.ts';
import { ROOT, temporaryFolder } from '../setup/support/repository.ts';

const AGENT = `import { defineAgent } from 'parley-a2a';
export const hello = defineAgent({ name: 'hello', description: 'Says hello', version: '1.0.0', run: () => 'Hello' });
`;

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(ROOT, 'packages/parley'), join(folder, 'node_modules/parley-a2a'));
  for (const [name, content] of Object.entries({ 'agent.ts': AGENT, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('serve --print-config', () => {
  it('shows what is in force and who has set it, without secrets', async () => {
    const cwd = folderWith({
      'parley.config.json': {
        agents: ['agent.ts'],
        port: 1,
        url: 'https://user:geheim@agents.example.com',
        push: { secret: SECRET },
        auth: { jwt: { secret: 'geheim'.repeat(8) } },
        limits: { runs: 7 },
        cors: ['https://ann:geheim@pages.example.com'],
        telemetry: { endpoint: 'https://collect.example.com/?api-key=geheim' },
      },
    });
    const env = { PARLEY_HOST: '127.0.0.2', PARLEY_SECRET_KEY: 'geheim-0123456789', PORT: '2' };
    const { code, stdout, stderr } = await cli(['serve', '--print-config', '--port', '3'], { cwd, env });
    expect([code, stderr]).toEqual([0, '']);
    const line = (name: string) =>
      stdout
        .split('\n')
        .find((one) => one.startsWith(`${name} `))
        ?.replace(/ {2,}/g, ' | ');
    expect(line('agents')).toBe('agents | ["agent.ts"] | parley.config.json');
    expect(line('port')).toBe('port | 3 | --port');
    expect(line('host')).toBe('host | "127.0.0.2" | PARLEY_HOST');
    expect(line('limits.runs')).toBe('limits.runs | 7 | parley.config.json');
    expect(line('drainTimeout')).toBe('drainTimeout | 10000 | default');
    expect(line('secretKey')).toBe('secretKey | "(hidden)" | PARLEY_SECRET_KEY');
    expect(line('url')).toBe('url | "https://(hidden)@agents.example.com" | parley.config.json');
    expect(line('telemetry.endpoint')).toBe(
      'telemetry.endpoint | "https://collect.example.com/?api-key=(hidden)" | parley.config.json',
    );
    expect(stdout).not.toMatch(/geheim|whsec_/);

    const json = await cli(['serve', '--print-config', '--json', '--set', 'port=4'], { cwd, env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      port: { value: 4, from: 'flag', by: '--set port' },
      host: { value: '127.0.0.2', from: 'environment', by: 'PARLEY_HOST' },
      'push.secret': { value: '(hidden)', from: 'file', by: 'parley.config.json' },
      'card.access': { value: 'public', from: 'default', by: 'default' },
    });
  });

  it('tells all mistakes of all places at once, and exits with 2', async () => {
    const cwd = folderWith({ 'parley.config.json': { prot: 1 } });
    const ended = await cli(['serve', '--print-config', '--drain-timeout', 'soon'], { cwd, env: { PORT: 'http' } });
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toBe(
      'parley: parley.config.json: there is no setting prot; did you mean port?; PORT must be a whole number from 0 to 65535, not "http"; ' +
        '--drain-timeout must be a time such as 30s, 5m or 2h, or a number of milliseconds, not "soon".\n',
    );
  });

  it.each([
    [
      'two files',
      { 'parley.config.json': {}, 'parley.config.ts': '' },
      [],
      /both parley\.config\.ts and parley\.config\.json/,
    ],
    ['no JSON', { 'parley.config.json': '{ "port": 1, }' }, [], /parley\.config\.json is no JSON: /],
    ['a file that is not there', {}, ['--config', 'other.json'], /There is no file other\.json, which --config names/],
    [
      'no default export',
      { 'parley.config.mjs': 'export const port = 1;' },
      [],
      /has no default export; write export default/,
    ],
    [
      'a module that fails',
      { 'parley.config.mjs': '\nthrow new Error("no luck");' },
      [],
      /fails when it is loaded: no luck/,
    ],
  ] as const)('refuses %s', async (_, files, args, said) => {
    const ended = await cli(['serve', '--print-config', ...args], { cwd: folderWith(files) });
    expect(ended.code).toBeGreaterThan(0);
    expect(ended.stderr).toMatch(said);
  });

  it('wants an agent where none is named', async () => {
    const ended = await cli(['serve'], { cwd: folderWith({}) });
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('serve needs FILE…, or agents in')]);
  });
});

describe('serve with a configuration file', () => {
  it('serves what a program configures, with paths relative to the file and flags that win', async () => {
    const config = `import { defineConfig } from 'parley-a2a/config';
      import { hello } from '../agent.ts';
      export default defineConfig({
        agents: [hello],
        port: 1,
        store: 'tasks.db',
        drainTimeout: '1s',
        limits: { bodyBytes: '1KB' },
        authorize: ({ operation }) => operation !== 'listTasks',
      });`;
    const cwd = folderWith({ 'settings/parley.config.ts': config });
    const running = start(['serve', '--config', 'settings/parley.config.ts', '--port', '0'], {
      cwd,
      env: { PARLEY_UNKNOWN_THING: '1' },
    });
    const url = await running.until((stdout) => /listening on (\S+)/.exec(stdout)?.[1], 'a start');
    expect(running.output.stdout).toContain('kept in settings/tasks.db');
    expect(running.output.stderr).toBe('parley: PARLEY_UNKNOWN_THING is no setting of a server and was passed over.\n');
    expect((await cli(['send', url, 'Hi'])).stdout).toBe('Hello\n');
    expect((await cli(['tasks', url])).code).toBe(4);
    const large = await fetch(`${url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ' '.repeat(2000),
    });
    expect(large.status).toBe(413);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  it('tells whose variable names an address that is not there', async () => {
    const cwd = folderWith({ 'parley.config.json': { agents: ['agent.ts'], port: 0, open: true } });
    const ended = await cli(['serve'], { cwd, env: { HOST: '192.0.2.1' } });
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringContaining('of this machine (set by HOST); --host 0.0.0.0'),
    ]);
  });

  it('tells who has set what the server itself refuses', async () => {
    const cwd = folderWith({ 'parley.config.json': { agents: ['agent.ts'], port: 0, push: { secret: 'nothing' } } });
    const ended = await cli(['serve'], { cwd });
    expect([ended.code, ended.stderr]).toEqual([
      1,
      'parley: push.secret: A webhook secret begins with whsec_ (set by parley.config.json).\n',
    ]);
  });
});
