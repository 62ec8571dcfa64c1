import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { A2AServer } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { settableClock } from '../support/settable-clock.ts';
import { tempFile } from '../support/temp-folder.ts';

describe.each(['worker', 'loop'] as const)('the file of a store that writes on the %s', (writer) => {
  const open = async (path: string) => {
    const store = sqlite(path, { writer });
    await store.open();
    onTestFinished(async () => {
      await store.close();
    });
    return store;
  };

  it('and all files beside it are for their owner alone', async () => {
    const folder = dirname(tempFile());
    const store = await open(join(folder, 'a.db'));
    await store.probe?.();
    const files = readdirSync(folder);
    expect(files.toSorted()).toEqual(['a.db', 'a.db-lock', 'a.db-shm', 'a.db-wal']);
    for (const file of files) expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600]);
  });

  it('keeps the mode that its owner gave it', async () => {
    const path = join(dirname(tempFile()), 'a.db');
    const store = sqlite(path, { writer });
    await store.open();
    await store.close();
    chmodSync(path, 0o640);
    await open(path);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('is refused to a second server by another name, or after its lock was removed', async () => {
    const folder = dirname(tempFile());
    const path = join(folder, 'a.db');
    const store = await open(path);
    await store.probe?.();
    linkSync(path, join(folder, 'b.db'));
    await expect(open(join(folder, 'b.db'))).rejects.toMatchObject({ code: 'IN_USE' });
    rmSync(join(folder, 'b.db'));
    rmSync(`${path}-lock`);
    await expect(open(path)).rejects.toMatchObject({ code: 'IN_USE' });
    await expect(open(path)).rejects.toThrow('in use by another server');
    // Another process is refused as well.
    const program = `const { sqlite } = await import('parley-a2a/sqlite'); await sqlite(${JSON.stringify(path)}).open();`;
    const flags = ['--conditions=parley-source', '--input-type=module', '-e', program];
    expect(() => execFileSync(process.execPath, flags, { stdio: 'pipe', cwd: import.meta.dirname })).toThrow(
      'in use by',
    );
    await store.probe?.();
  });

  it('is opened again after its lock was removed while nobody used it', async () => {
    const path = join(dirname(tempFile()), 'a.db');
    const store = sqlite(path, { writer });
    await store.open();
    await store.close();
    rmSync(`${path}-lock`);
    await open(path);
    expect(statSync(`${path}-lock`).mode & 0o777).toBe(0o600);
  });
});

describe('/readyz', () => {
  const start = async (probe: () => void) => {
    const clock = settableClock();
    const server = new A2AServer({
      agents: [agentOf(() => 'done')],
      store: withStore(memory(), { probe }),
      clock,
      log: { error: () => {}, warn: () => {} },
    });
    onTestFinished(() => server.close());
    await server.open();
    const ready = async () => (await server.fetch(new Request('http://localhost/readyz'))).status;
    return { clock, ready, server };
  };

  it('is 503 where the store cannot be written, and 200 again when it can; healthz stays 200', async () => {
    let isFull = false;
    const { clock, ready, server } = await start(() => {
      if (isFull) throw new Error('database or disk is full');
    });
    expect(await ready()).toBe(200);
    isFull = true;
    clock.time += 1000;
    expect(await ready()).toBe(503);
    expect((await server.fetch(new Request('http://localhost/healthz'))).status).toBe(200);
    isFull = false;
    clock.time += 1000;
    expect(await ready()).toBe(200);
  });

  it('is 503 while commits fail, also where a probe finds room, and 200 again a while after the last one', async () => {
    let isFull = true;
    const store = memory();
    const clock = new ManualClock();
    const server = new A2AServer({
      agents: [agentOf(() => 'done')],
      store: withStore(store, {
        probe: () => undefined,
        commit: (entries) => {
          if (isFull) throw new Error('database or disk is full');
          return store.commit(entries);
        },
      }),
      clock,
      log: { error: () => {}, warn: () => {} },
    });
    onTestFinished(() => server.close());
    await server.open();
    const ready = async () => (await server.fetch(new Request('http://localhost/readyz'))).status;
    const peer = new RpcPeer(server.fetch);
    expect(await ready()).toBe(200);
    const refused = peer.error('SendMessage', sendParams('go'));
    await settle();
    // It is tried again for a while before it is given up.
    expect(await ready()).toBe(503);
    await clock.advance(4000);
    expect(await refused).toMatchObject({ message: 'The task store cannot be written at the moment' });
    expect(await ready()).toBe(503);
    isFull = false;
    expect((await peer.send('go')).status.state).toBe('TASK_STATE_COMPLETED');
    await clock.advance(10_000);
    expect(await ready()).toBe(200);
  });

  it('writes at most once a second, whoever asks', async () => {
    let count = 0;
    const { clock, ready } = await start(() => {
      count += 1;
    });
    for (let asked = 0; asked < 20; asked += 1) await ready();
    expect(count).toBe(1);
    clock.time += 1000;
    await Promise.all([ready(), ready(), ready()]);
    expect(count).toBe(2);
  });
});
