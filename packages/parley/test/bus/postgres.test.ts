import type { Bus } from 'parley-a2a/ports';
import { postgresBus } from 'parley-a2a/postgres';
import { busContract } from 'parley-a2a/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseLink } from '../../src/bus/postgres/database-link.ts';
import { busNames } from '../../src/bus/postgres/names.ts';
import { eventually } from '../support/eventually.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { openDatabase, type TestDatabase } from '../support/postgres/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

const POOLS = ['session', 'transaction'] as const;
const quiet = { warn() {}, error() {} };

/** A bus that keeps its log to itself. */
function quietBus(bus: Bus): Bus {
  return { ...bus, join: (node, handle) => bus.join(node, handle, quiet) };
}

describe.for(POOLS)('the bus contract: Postgres with pool=%s', (pool) => {
  const openBus = () => {
    const make = () => quietBus(postgresBus(database.url, { schema, pool }));
    const schema = `s "${crypto.randomUUID()}`;
    return { first: make(), second: make() };
  };
  busContract({ describe, it, expect }, openBus, { patience: PATIENCE_MS });
});

describe.for(POOLS)('two nodes on Postgres with pool=%s', (pool) => {
  const never = () => new AbortController().signal;

  async function twoNodes(handle: (command: unknown) => Promise<unknown>): Promise<readonly [Bus, Bus]> {
    const [first, second] = [1, 2].map(() => postgresBus(database.url, { pool })) as [Bus, Bus];
    await first.join('first', handle, quiet);
    await second.join('second', handle, quiet);
    onTestFinished(async () => void (await Promise.all([first.leave('first'), second.leave('second')])));
    return [first, second];
  }

  it('carry commands and responses that NOTIFY could not, and leave nothing of them', async () => {
    const [first] = await twoNodes(async (command) => ({ command, more: 'é'.repeat(200_000) }));
    const command = { text: '😀\u0000'.repeat(200_000) };
    expect(await first.request('second', command, never())).toEqual({
      kind: 'answered',
      value: { command, more: 'é'.repeat(200_000) },
    });
    const left = () => database.query("SELECT 1 FROM parley.bus_messages WHERE inbox <> '*'");
    await eventually(left).toEqual([]);
  });

  it('hear of more tasks at once than one notification holds', async () => {
    const [first, second] = await twoNodes(async () => 'hi');
    const ids = Array.from({ length: 2000 }, (_, index) => `0199-task-${index}`);
    const heard = new Map<string, number | undefined>();
    for (const id of ids) await second.watch('second', id, (seq) => seq !== undefined && heard.set(id, seq));
    first.publish(
      'first',
      ids.map((taskId, index) => ({ taskId, seq: index + 1 })),
    );
    await eventually(() => heard.size).toBe(ids.length);
    expect(heard.get('0199-task-1999')).toBe(2000);
  });

  it('hear of what was published just before a node leaves', async () => {
    const [first, second] = await twoNodes(async () => 'hi');
    const heard: (number | undefined)[] = [];
    await second.watch('second', 'last', (seq) => heard.push(seq));
    first.publish('first', [{ taskId: 'last', seq: 9 }]);
    await first.leave('first');
    await eventually(() => heard).toContain(9);
  });

  it('carry out a command once, however often it arrives', async () => {
    const release = Promise.withResolvers<void>();
    let calls = 0;
    const [first] = await twoNodes(async () => {
      calls += 1;
      await release.promise;
      return calls;
    });
    const asked = first.request('second', 'count', never());
    await eventually(() => calls).toBe(1);
    // The first node sends it again whenever its connection is back.
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'parley bus%'",
    );
    await eventually(async () => (await sessions()).length).toBe(2);
    release.resolve();
    expect(await asked).toEqual({ kind: 'answered', value: 1 });
  });

  const sessions = () =>
    database.query(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'parley bus%' AND datname = current_database()",
    );
});

it.for([
  ['no name', ''],
  ['a name', '?application_name=billing'],
])('a node takes the place of its earlier session, with %s for sessions in the URL', async ([, parameters]) => {
  const url = `${database.url}${parameters}`;
  const { sessionOf, lockOf } = busNames('parley');
  // The network of the node was cut: the database has not heard of it, and keeps the lock for the old session.
  const old = await DatabaseLink.open({ url, session: sessionOf('cut off'), isSession: true, notified: () => {} });
  await old.run('SELECT pg_advisory_lock($1::bigint)', [lockOf('cut off')]);
  const bus = postgresBus(url);
  await bus.join('cut off', async () => 'back', quiet);
  onTestFinished(() => bus.leave('cut off'));
  expect(await old.ended).toMatchObject({ message: expect.stringContaining('terminating connection') });
});
