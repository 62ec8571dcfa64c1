import { postgres } from 'parley-a2a/postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import { type RpcPeer, sendParams, startServer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

/** Servers that share the database, as processes on several machines would. */
function nodes(count: number): readonly RpcPeer[] {
  const agent = agentOf(async (task) => {
    await task.status('At work');
    return task.text;
  });
  const started = Array.from({ length: count }, () =>
    startServer(agent, { store: postgres(database.url), url: 'https://agents.example.com', push: { jwt: true } }),
  );
  onTestFinished(async () => void (await Promise.all(started.map(({ server }) => server.close()))));
  return started.map(({ peer }) => peer);
}

describe('nodes that share a database', () => {
  it('take sends with one idempotency key for one, also at the same time', async () => {
    const peers = nodes(3);
    const params = sendParams('once');
    const sent: readonly Wire[] = await Promise.all(
      [...peers, ...peers].map((peer) => peer.call('SendMessage', params, { 'idempotency-key': 'k-1' })),
    );
    expect(new Set(sent.map(({ task }) => task.id)).size).toBe(1);
    const listed = await peers[0]?.call('ListTasks', {});
    expect(listed.totalSize).toBe(1);
    const other = sendParams('another text');
    expect((await peers[2]?.error('SendMessage', other, { 'idempotency-key': 'k-1' }))?.message).toMatch(/key/i);
  });

  it('sign with one key, which is made once', async () => {
    const keys = await Promise.all(
      nodes(3).map(async (peer) => (await peer.raw('/.well-known/jwks.json')).json() as Promise<Wire>),
    );
    expect(keys[0].keys.length).toBeGreaterThan(0);
    expect(keys[1]).toEqual(keys[0]);
    expect(keys[2]).toEqual(keys[0]);
  });
});
