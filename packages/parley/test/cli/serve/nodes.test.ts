import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../setup/support/repository.ts';
import { eventually } from '../../support/eventually.ts';
import { type NatsServer, startNats, WITHOUT_NATS_SERVER } from '../../support/nats/nats-server.ts';
import { openDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { RpcPeer, type Wire } from '../../support/rpc.ts';
import { tempFile } from '../../support/temp-folder.ts';
import { type Running, start } from '../support/child.ts';
import { cli, objectsOf } from '../support/in-process.ts';

const AGENT = `import { defineAgent } from 'parley-a2a';
export const counter = defineAgent({
  name: 'counter', description: 'Counts until it is canceled', version: '1.0.0', resumable: true,
  async *run(task) {
    for (let count = 1; ; count += 1) {
      yield count + ' ';
      if (task.text === 'short' && count === 3) return;
      await new Promise((resolve, reject) => {
        setTimeout(resolve, 20);
        task.signal.addEventListener('abort', () => reject(task.signal.reason), { once: true });
      });
    }
  },
});
`;

function folderWithAgent(): string {
  const folder = dirname(tempFile());
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(ROOT, 'packages/parley'), join(folder, 'node_modules/parley-a2a'));
  writeFileSync(join(folder, 'agent.ts'), AGENT);
  return folder;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

/** Passwords do not matter to the server of the tests, but to what is printed. */
const address = () => database.url.replace('postgres@', 'postgres:geheim@');

interface Node {
  readonly running: Running;
  readonly url: string;
  readonly peer: RpcPeer;
}

async function serve(args: readonly string[], headers: Readonly<Record<string, string>> = {}): Promise<Node> {
  const running = start(['serve', 'agent.ts', '--port', '0', '--store', address(), ...args], {
    cwd: folderWithAgent(),
  });
  const url = await running.until((stdout) => /listening on (\S+).*Stop with Ctrl\+C/s.exec(stdout)?.[1], 'a greeting');
  expect(running.output.stdout).not.toContain('geheim');
  const withHeaders = (request: Request) => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return fetch(request);
  };
  return { running, url, peer: new RpcPeer(withHeaders, `${url}/a2a`) };
}

const state = async (peer: RpcPeer, id: string): Promise<Wire> => (await peer.call('GetTask', { id })).status.state;

describe.for([
  ['the database itself', false],
  ['NATS', true],
] as const)('parley serve --store postgres://…, two of them over %s', ([, hasNats]) => {
  let nats: NatsServer | undefined;
  beforeAll(async () => {
    if (hasNats && !WITHOUT_NATS_SERVER) nats = await startNats();
  });
  afterAll(() => nats?.kill());
  const bus = () => (nats ? ['--bus', nats.url] : []);
  const why = hasNats && WITHOUT_NATS_SERVER ? ` (${WITHOUT_NATS_SERVER})` : '';

  it.skipIf(why !== '')(`serve each other's tasks: get, stream, cancel${why}`, async () => {
    const [a, b] = await Promise.all([serve(bus()), serve(bus())]);
    const { id } = await a.peer.send('long', {}, { returnImmediately: true });
    const stream = b.peer.stream('SubscribeToTask', { id });
    await eventually(() => state(b.peer, id)).toBe('TASK_STATE_WORKING');
    expect((await b.peer.call('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
    expect((await stream).at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_CANCELED');
    expect(await state(a.peer, id)).toBe('TASK_STATE_CANCELED');
  });

  it.skipIf(why !== '')(`take the tasks of one that is killed, after --lease seconds${why}`, async () => {
    const lease = ['--lease', '1'];
    const [a, b] = await Promise.all([serve([...bus(), ...lease]), serve([...bus(), ...lease])]);
    const { id } = await a.peer.send('long', {}, { returnImmediately: true });
    await eventually(() => state(b.peer, id)).toBe('TASK_STATE_WORKING');
    a.running.child.kill('SIGKILL');
    await a.running.ended;
    await eventually(async () => (await b.peer.respond('CancelTask', { id })).result?.status.state).toBe(
      'TASK_STATE_CANCELED',
    );
  });
});

describe('parley serve --role', () => {
  it('has a worker run what a front takes, and the worker listens on this machine only', async () => {
    const [front, worker] = await Promise.all([serve(['--role', 'front']), serve(['--role', 'worker'])]);
    expect(worker.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
    const { id, status } = await front.peer.send('short');
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    expect(await state(worker.peer, id)).toBe('TASK_STATE_COMPLETED');
  });
});

describe('parley keys --store postgres://…', () => {
  it('makes and revokes keys that all servers with --keys store heed within a second', async () => {
    const key = (await cli(['keys', 'create', 'ann', '--id', 'k1', '--store', address()])).stdout.trim();
    const [a, b] = await Promise.all([
      serve(['--keys', 'store'], { 'x-api-key': key }),
      serve(['--keys', 'store'], { 'x-api-key': key }),
    ]);
    const { id } = await a.peer.send('short');
    expect(await state(b.peer, id)).toBe('TASK_STATE_COMPLETED');
    const { stdout } = await cli(['keys', 'list', '--json', '--store', address()]);
    expect(objectsOf(stdout)).toEqual([expect.objectContaining({ id: 'k1', subject: 'ann' })]);
    expect((await cli(['keys', 'revoke', 'k1', '--store', address()])).code).toBe(0);
    for (const { peer } of [a, b]) {
      await eventually(async () => (await peer.request('GetTask', { id })).status).toBe(401);
    }
  });
});

describe('parley doctor', () => {
  async function examined(args: readonly string[]) {
    const { code, stdout, stderr } = await cli(['doctor', '--json', '--port', '0', ...args], {
      cwd: dirname(tempFile()),
    });
    expect(stdout + stderr).not.toContain('geheim');
    const found: readonly Wire[] = objectsOf(stdout);
    return { code, of: (check: string) => found.find((one) => one.check === check) };
  }

  it('looks at the database', async () => {
    const { of } = await examined(['--store', address()]);
    expect(of('database')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^Postgres \d+.* at 127.0.0.1:/),
    });
    const polled = await examined(['--store', `${address()}?pool=transaction`]);
    expect(polled.of('database')).toMatchObject({ status: 'warn', message: expect.stringContaining('is polled') });
    const absent = await examined(['--store', address().replace(/\/parley_\w+$/, '/nowhere')]);
    expect([absent.code, absent.of('database')?.status]).toEqual([1, 'fail']);
  });

  it.skipIf(WITHOUT_NATS_SERVER)(
    `looks at the bus${WITHOUT_NATS_SERVER ? ` (${WITHOUT_NATS_SERVER})` : ''}`,
    async () => {
      const nats = await startNats(['--user', 'ann', '--pass', 'geheim']);
      const good = nats.url.replace('//', '//ann:geheim@');
      expect((await examined(['--store', address(), '--bus', good])).of('bus')).toMatchObject({ status: 'ok' });
      expect((await examined(['--db', 'tasks.db', '--bus', good])).of('bus')).toMatchObject({ status: 'fail' });
      expect((await examined(['--store', address(), '--bus', nats.url])).of('bus')).toMatchObject({ status: 'fail' });
      await nats.kill();
      const { of } = await examined(['--store', address(), '--bus', good]);
      expect(of('bus')).toMatchObject({ status: 'fail', message: expect.stringContaining('cannot be reached') });
    },
  );
});
