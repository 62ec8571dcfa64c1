import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type RpcPeer, sendParams } from '../support/rpc.ts';
import type { Disk } from './disk/disk.ts';
import { sizeLimit } from './disk/size-limit.ts';
import { ProcessPool, type ServerProcess } from './server/process.ts';

/** With less SQLite cannot even read; a server then refuses to start. */
const WAL_INDEX_BYTES = 32 * 1024;
const UNAVAILABLE = 'The task store cannot be written at the moment';

async function setUp(): Promise<{ disk: Disk; pool: ProcessPool; server: ServerProcess; peer: RpcPeer }> {
  const disk = sizeLimit();
  const pool = new ProcessPool(disk.launch);
  onTestFinished(() => pool.close());
  const server = pool.take();
  return { disk, pool, server, peer: await server.open(disk.file) };
}

it('ends what a crash left running, also where the next server has no room at first', async () => {
  const { disk, pool, server, peer } = await setUp();
  const { id } = await peer.send('hang 5', {}, { returnImmediately: true });
  await server.kill();
  const next = pool.take();
  await next.loaded();
  await disk.fill(next.pid, WAL_INDEX_BYTES);
  const now = await next.open(disk.file);
  await disk.free(next.pid);
  const status = async () => (await now.call('GetTask', { id })).status;
  await eventually(status).toMatchObject({
    state: 'TASK_STATE_FAILED',
    message: { metadata: { reason: 'server-restarted' } },
  });
});

it('does not complete a task that lost some of its output, whatever message comes next', async () => {
  const { disk, server, peer } = await setUp();
  const stream = await peer.open('SendStreamingMessage', sendParams('hang 100000'));
  const [first] = await stream.until(({ result }) => result.artifactUpdate !== undefined);
  const { id } = first?.result.task ?? {};
  await disk.fill(server.pid, 0);
  const last = (await stream.rest()).at(-1);
  expect(last?.response.error).toMatchObject({ message: UNAVAILABLE });
  await disk.free(server.pid);
  await peer.respond('SendMessage', sendParams('note', { taskId: id }));
  const status = async () => (await peer.call('GetTask', { id })).status;
  await eventually(async () => (await status()).state).toMatch(/COMPLETED|FAILED/);
  expect(await status()).toMatchObject({ state: 'TASK_STATE_FAILED' });
});

it('is not ready while writes fail, though small ones may still fit, and ready again when there is room', async () => {
  const { disk, server, peer } = await setUp();
  const ready = async () => (await peer.raw('/readyz')).status;
  expect(await ready()).toBe(200);
  await disk.fill(server.pid, 64 * 1024);
  const large = sendParams('x'.repeat(500_000));
  expect(await peer.error('SendMessage', large)).toMatchObject({ message: UNAVAILABLE });
  expect(await ready()).toBe(503);
  await disk.fill(server.pid, 0);
  expect(await peer.error('SendMessage', large)).toMatchObject({ message: UNAVAILABLE });
  expect(await ready()).toBe(503);
  await disk.free(server.pid);
  await eventually(ready).toBe(200);
  await peer.send('reply');
});

it('tells the caller of a bare reply that its key could not be kept', async () => {
  const { disk, server, peer } = await setUp();
  await disk.fill(server.pid, 0);
  const params = sendParams('reply');
  const headers = { 'idempotency-key': 'k1' };
  expect(await peer.error('SendMessage', params, headers)).toMatchObject({ message: UNAVAILABLE });
  await disk.free(server.pid);
  const { message } = await peer.call('SendMessage', params, headers);
  expect(message.parts).toEqual([{ text: `Hello, ${params.message.messageId}` }]);
  expect((await peer.call('SendMessage', params, headers)).message).toEqual(message);
});
