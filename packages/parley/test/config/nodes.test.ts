import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutPasswords } from '../../src/config/hidden.ts';
import { readStorePlace } from '../../src/config/store-place.ts';
import { cli } from '../cli/support/in-process.ts';
import { tempFile } from '../support/temp-folder.ts';

type Shown = Readonly<Record<string, { readonly value: unknown; readonly by: string }>>;

async function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Shown> {
  const { code, stdout, stderr } = await cli(['serve', '--print-config', '--json', ...args], { cwd: folder(), env });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Shown;
}

async function refused(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stderr } = await cli(['serve', '--print-config', ...args], { cwd: folder(), env });
  expect(code).toBe(2);
  return stderr;
}

const folder = () => dirname(tempFile());
const URL = 'postgres://ann:geh%2Feim@db.example.com/agents?pool=transaction';

describe('settings of nodes', () => {
  it.for<[string, unknown]>([
    ['memory', { kind: 'memory' }],
    ['tasks.db', { kind: 'sqlite', file: 'tasks.db' }],
    ['sqlite:tasks.db', { kind: 'sqlite', file: 'tasks.db' }],
    ['sqlite:/var/lib/tasks.db', { kind: 'sqlite', file: '/var/lib/tasks.db' }],
    ['./memory', { kind: 'sqlite', file: './memory' }],
    [URL, { kind: 'postgres', url: URL }],
    ['postgresql:///agents', { kind: 'postgres', url: 'postgresql:///agents' }],
    ['sqlite:', undefined],
    ['postgres:agents', undefined],
    ['mysql://host/db', undefined],
    ['', undefined],
  ])('a store %j', ([text, place]) => {
    expect(readStorePlace(text)).toEqual(place);
  });

  it('come from flags, with --db FILE as the short form of --store sqlite:FILE', async () => {
    expect((await printed(['--db', 'tasks.db'])).store).toMatchObject({ value: 'tasks.db', by: '--db' });
    expect((await printed(['--store', 'sqlite:tasks.db'])).store).toMatchObject({ by: '--store' });
    const all = await printed(['--store', URL, '--bus', 'nats://ann:geheim@127.0.0.1:4222', '--lease', '5']);
    expect(all.store?.value).toBe('postgres://(hidden)@db.example.com/agents?pool=transaction');
    expect(all.bus?.value).toBe('nats://(hidden)@127.0.0.1:4222');
    expect(all['limits.leaseLifetime']).toMatchObject({ value: 5000, by: '--lease' });
  });

  it('come from the environment, and a flag wins', async () => {
    const env = { PARLEY_STORE: URL, PARLEY_BUS: 'nats://127.0.0.1', PARLEY_LIMITS_LEASE_LIFETIME: '4s' };
    const shown = await printed(['--db', 'tasks.db'], env);
    expect(shown.store).toMatchObject({ value: 'tasks.db', by: '--db' });
    expect(shown.bus).toMatchObject({ value: 'nats://127.0.0.1', by: 'PARLEY_BUS' });
    expect(shown['limits.leaseLifetime']?.value).toBe(4000);
  });

  it.for<[readonly string[], RegExp]>([
    [['--db', 'tasks.db', '--store', 'sqlite:tasks.db'], /Either --db or --store: --db FILE is short for/],
    [['--db', URL], /--db names a SQLite file; a database is named by --store/],
    [
      ['--store', 'mysql://ann:geheim@host/db'],
      /--store must be a SQLite file .*, not "mysql:\/\/\(hidden\)@host\/db"/,
    ],
    [['--bus', 'http://ann:geheim@host'], /--bus must be the address of NATS.*not "http:\/\/\(hidden\)@host"/],
    [['--role', 'back'], /--role must be one of all, front, worker, not "back"/],
    [['--lease', 'long'], /--lease must be a number of seconds/],
  ])('that are wrong are named, without passwords: %j', async ([args, reason]) => {
    const said = await refused(args);
    expect(said).toMatch(reason);
    expect(said).not.toMatch(/geh/);
  });
});

it.for<[readonly string[], RegExp]>([
  [['--role', 'worker'], /--role worker is for servers that share a store/],
  [['--role', 'front', '--db', 'tasks.db'], /--role front is for servers that share a store/],
  [['--bus', 'nats://127.0.0.1'], /--bus is for servers that share a store/],
  [
    ['--role', 'worker', '--store', 'postgres://127.0.0.1/x', '--host', '0.0.0.0', '--open'],
    /listens on this machine only/,
  ],
])('serve %j is refused', async ([args, reason]) => {
  const { code, stderr } = await cli(['serve', 'agent.ts', ...args], { cwd: folder() });
  expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
});

it.for<[string, string]>([
  ['postgres://ann:secret@host/db', 'postgres://(hidden)@host/db'],
  ['postgres://ann:se/cr@et@host/db', 'postgres://(hidden)@host/db'],
  ['postgres://host/db?user=ann&password=secret&x=1', 'postgres://host/db?user=ann&password=(hidden)&x=1'],
  ['nats://secret@a:4222,nats://secret@b', 'nats://(hidden)@a:4222,nats://(hidden)@b'],
  ['https://ann:secret@host/a@b', 'https://(hidden)@host/a@b'],
  ['https://host/?sig=secret&page=2&api_key=secret', 'https://host/?sig=(hidden)&page=2&api_key=(hidden)'],
  [
    'https://host/?X-Amz-Credential=secret&accessToken=secret#a',
    'https://host/?X-Amz-Credential=(hidden)&accessToken=(hidden)',
  ],
  ['tasks@home.db', 'tasks@home.db'],
])('%s is shown as %s', ([text, shown]) => {
  expect(withoutPasswords(text)).toBe(shown);
});
