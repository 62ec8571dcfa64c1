import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { apiKeys, basic } from 'parley-a2a/auth';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { login, requestWith, testTools } from '../auth/support/requests.ts';
import { tempFile } from '../support/temp-folder.ts';
import { cli, objectsOf, plain } from './support/in-process.ts';

describe('parley keys', () => {
  it('makes keys that a running server takes, until they are revoked', async () => {
    const file = tempFile('keys.json');
    const tools = testTools();
    const guard = apiKeys({ file });
    await guard.open?.(tools);
    const attempt = async (key: string) => {
      tools.time += 100;
      const identified = Promise.resolve(guard.authenticate(requestWith({ 'x-api-key': key })));
      return identified.catch(() => 'refused');
    };
    const made = await cli(['keys', 'create', 'ci-bot', '--scope', 'a', '--scope', 'b:c', '--file', file]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const key = made.stdout.trim();
    expect(key).toMatch(/^pk_[0-9a-f]{10}_[\w-]{32}$/);
    expect(readFileSync(file, 'utf8')).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await attempt(key)).toMatchObject({ subject: 'ci-bot', scopes: ['a', 'b:c'] });

    const other = await cli(['keys', 'create', 'ada', '--id', 'adas', '--file', file, '--json']);
    const [object] = objectsOf(other.stdout);
    expect(object).toEqual({ id: 'adas', key: expect.stringMatching(/^pk_adas_/), subject: 'ada', scopes: [] });
    expect(await attempt(object.key)).toMatchObject({ subject: 'ada' });

    expect(await cli(['keys', 'revoke', 'adas', '--file', file])).toMatchObject({ code: 0, stdout: '' });
    expect(await attempt(object.key)).toBe('refused');
    expect(await attempt(key)).toMatchObject({ subject: 'ci-bot' });
  });

  it.each(['--file', '--db'])('tells a person the command that revokes the key, with %s', async (place) => {
    const file = tempFile('keys');
    const { stderr } = await cli(['keys', 'create', 'ada', '--id', 'adas', place, file], { terminal: true });
    expect(plain(stderr)).toContain(`Revoke it with: parley keys revoke adas ${place} ${file}\n`);
  });

  it('lists keys without their hashes', async () => {
    const file = tempFile('keys.json');
    for (const subject of ['ada', 'grace'])
      await cli(['keys', 'create', subject, '--id', subject, '--scope', 'x', '--file', file]);
    const { stdout } = await cli(['keys', 'list', '--file', file]);
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 3))).toEqual([
      ['ada', 'ada', 'x'],
      ['grace', 'grace', 'x'],
      [''],
    ]);
    const json = await cli(['keys', 'list', '--file', file, '--json']);
    expect(objectsOf(json.stdout)[0]).toEqual({
      id: 'ada',
      subject: 'ada',
      scopes: ['x'],
      createdAt: expect.any(String),
    });
    const table = plain((await cli(['keys', 'list', '--file', file], { terminal: true })).stdout);
    expect(table).toMatch(/^ID +SUBJECT +SCOPES +CREATED\nada +ada +x +2/);
    expect(stdout + json.stdout + table).not.toContain('sha256:');
  });

  it('shows what a file has for a subject without obeying it', async () => {
    const file = tempFile('keys.json');
    const hash = `sha256:${'A'.repeat(43)}`;
    writeFileSync(file, JSON.stringify({ keys: [{ id: 'x', hash, subject: 'x', scopes: ['\u001b[2J'] }] }));
    const { stdout } = await cli(['keys', 'list', '--file', file]);
    expect(stdout).not.toContain('\u001b');
  });

  it('loses no key where several are made at once', async () => {
    const file = tempFile('keys.json');
    const subjects = Array.from({ length: 10 }, (_, index) => `user-${index}`);
    const codes = await Promise.all(
      subjects.map(async (subject) => (await cli(['keys', 'create', subject, '--file', file])).code),
    );
    expect(codes).toEqual(subjects.map(() => 0));
    const { stdout } = await cli(['keys', 'list', '--file', file, '--json']);
    expect(new Set(objectsOf(stdout).map(({ subject }) => subject))).toEqual(new Set(subjects));
  });

  it('never overwrites a file that has a mistake, or is none of keys', async () => {
    for (const content of ['{"keys": [', '{"name": "my-package"}', '{"keys": [{"id": 1}]}']) {
      const file = tempFile('keys.json');
      writeFileSync(file, content);
      const named = expect.stringContaining(`parley: ${file} is no file of API keys: `);
      expect(await cli(['keys', 'create', 'ada', '--file', file])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: named,
      });
      expect(await cli(['keys', 'list', '--file', file])).toMatchObject({ code: 1, stdout: '', stderr: named });
      expect(readFileSync(file, 'utf8')).toBe(content);
    }
  });

  it.for<[readonly string[], string | RegExp, number]>([
    [['keys'], /^keys needs create SUBJECT \| list \| revoke ID \| hash \| card\. See/, 2],
    [['keys', 'creat', 'x'], /^keys cannot creat; did you mean create\?/, 2],
    [['keys', 'create', '--file', 'k.json'], /^keys create needs SUBJECT/, 2],
    [['keys', 'create', 'x'], /^keys needs either --file FILE, a file of keys, or --db FILE/, 2],
    [['keys', 'create', 'x', '--file', 'a', '--db', 'b'], /^keys needs either/, 2],
    [
      ['keys', 'list', '--db', 'missing.db'],
      /^There is no .*missing\.db; keys create makes it with its first key\.$/m,
      1,
    ],
    [['keys', 'create', 'x', '--file', 'a', '--file', 'b'], /^--file may be given only once here/, 2],
    [['keys', 'create', 'x', '--id', 'a_b', '--file', 'a'], /^--id must have letters/, 2],
    [['keys', 'create', 'a\nb', '--file', 'a'], /^SUBJECT cannot be used: the subject has control characters/, 2],
    [['keys', 'list', 'x', '--file', 'a'], /^keys list takes no word/, 2],
    [['keys', 'revoke', '--file', 'a'], /^keys revoke needs the ID/, 2],
    [['keys', 'list', '--file', 'missing.json'], /^There is no .*missing\.json; keys create makes it/, 1],
    [['keys', 'revoke', 'x', '--file', 'missing.json'], /^There is no .*missing\.json; keys create makes it/, 1],
  ])('says what is wrong: %j', async ([args, problem, code]) => {
    const ran = await cli(args, { cwd: join(tempFile('x'), '..') });
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr.replace('parley: ', '')).toMatch(problem);
  });

  it('does not take the id of a key that there is, or revoke one that there is not', async () => {
    const file = tempFile('keys.json');
    await cli(['keys', 'create', 'ada', '--id', 'one', '--file', file]);
    expect((await cli(['keys', 'create', 'ada', '--id', 'one', '--file', file])).stderr).toBe(
      'parley: There is a key one already; choose another --id, or revoke that one first.\n',
    );
    expect(await cli(['keys', 'revoke', 'two', '--file', file])).toMatchObject({
      code: 1,
      stderr: 'parley: There is no key two; keys list shows those that there are.\n',
    });
  });
});

describe('parley keys hash', () => {
  it('makes slow hashes of passwords, for basic() and apiKeys()', async () => {
    const { stdout, stderr } = await cli(['keys', 'hash'], { stdin: 'correct horse battery staple\n' });
    expect(stderr).toBe('');
    const hash = stdout.trim();
    expect(hash).toMatch(/^scrypt:32768:8:3:[\w-]{22}:[\w-]{43}$/);
    const guard = basic({ users: { ada: hash } });
    expect(await guard.authenticate(login('ada', 'correct horse battery staple'))).toMatchObject({ subject: 'ada' });
    const keyed = apiKeys({ keys: [{ id: 'x', hash, subject: 'x' }] });
    const request = requestWith({ 'x-api-key': 'correct horse battery staple' });
    expect(await keyed.authenticate(request)).toMatchObject({ subject: 'x' });
  });

  it.each([
    '3fa94c0e8d2b47619e5f0a7c8b1d2e34',
    'sk-live-9F8e7D6c5B4a39281706',
    'pk_ab12_nF0aJt1yUxQ3kZ8vB2mW7cR5',
  ])('makes quick hashes of random keys: %s', async (key) => {
    const { stdout } = await cli(['keys', 'hash', '--json'], { stdin: key });
    const [{ hash }] = objectsOf(stdout);
    expect(hash).toMatch(/^sha256:[\w-]{43}$/);
    const guard = apiKeys({ keys: [{ id: 'x', hash, subject: 'x' }] });
    expect(await guard.authenticate(requestWith({ 'x-api-key': key }))).toMatchObject({ subject: 'x' });
  });

  it.each([
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'correct-horse-battery-staple',
    'Password-Password-Pass1',
  ])('does not take %s for random', async (text) => {
    expect((await cli(['keys', 'hash'], { stdin: text })).stdout).toMatch(/^scrypt:/);
  });

  it('takes a word, but says who can see it; and needs something to hash', async () => {
    const { stdout, stderr } = await cli(['keys', 'hash', 'hunter2']);
    expect(stdout).toMatch(/^scrypt:/);
    expect(stderr).toContain('can see command lines');
    expect(await cli(['keys', 'hash'], { stdin: '' })).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('keys in the file of the tasks', () => {
  it('are made and revoked while a server uses the file', async () => {
    const path = tempFile();
    const [early] = objectsOf((await cli(['keys', 'create', 'early', '--db', path, '--json'])).stdout);
    const store = sqlite(path);
    await store.open();
    onTestFinished(async () => store.close());
    const tools = { ...testTools(), store };
    let time = 0;
    const guard = apiKeys();
    await guard.open?.({ ...tools, now: () => time });
    const attempt = async (key: string) => {
      time += 100;
      const identified = Promise.resolve(guard.authenticate(requestWith({ 'x-api-key': key })));
      return identified.catch(() => 'refused');
    };
    expect(await attempt(early.key)).toMatchObject({ subject: 'early' });
    const made = await cli(['keys', 'create', 'ci', '--scope', 'x', '--db', path, '--json']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const [{ id, key }] = objectsOf(made.stdout);
    expect(await attempt(key)).toMatchObject({ subject: 'ci', scopes: ['x'], claims: { keyId: id } });
    expect(guard.authenticate(requestWith({ 'x-api-key': key }))).toMatchObject({ subject: 'ci' });
    expect(await attempt(key.replace(/.$/, '~'))).toBe('refused');
    const listed = await cli(['keys', 'list', '--db', path, '--json']);
    expect(new Set(objectsOf(listed.stdout).map(({ subject }) => subject))).toEqual(new Set(['early', 'ci']));
    expect(await cli(['keys', 'create', 'ci', '--id', id, '--db', path])).toMatchObject({ code: 1, stdout: '' });
    expect(await cli(['keys', 'revoke', id, '--db', path])).toMatchObject({ code: 0 });
    expect(await attempt(key)).toBe('refused');
    expect(await cli(['keys', 'revoke', id, '--db', path])).toMatchObject({ code: 1 });
    expect(readFileSync(path).includes(key)).toBe(false);
  });

  it('are never put into a database of another program', async () => {
    const path = tempFile('other.db');
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE things (id TEXT)');
    other.close();
    const { code, stderr } = await cli(['keys', 'create', 'x', '--db', path]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('of another program') });
  });
});
