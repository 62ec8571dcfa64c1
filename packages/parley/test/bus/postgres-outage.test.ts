import { postgres, postgresBus } from 'parley-a2a/postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openDatabase, openPostgres, type TestDatabase, type TestPostgres } from '../support/postgres/postgres.ts';
import { describeOutage } from './support/outage.ts';
import { begin, hasText, idsOf, twoServers } from './support/two-servers.ts';

const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name LIKE 'parley bus%' AND datname = current_database()`;

describe('Postgres restarts under two servers that have it as their bus', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await openPostgres();
  });
  afterAll(() => server.stop());

  describeOutage({
    bus: () => postgresBus(server.url),
    begin: () => server.halt('immediate'),
    end: () => server.start(),
  });
});

describe('connections that listen are ended by an administrator', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  it('and streams over two servers with one database lack nothing, without any poll', async () => {
    const store = () => postgres(database.url);
    const limits = { pollInterval: 3_600_000 };
    const { a, b, servers, write, end } = twoServers(() => postgresBus(database.url), limits, store);
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))));
    const { id } = await begin(a, 'gated');
    await write('0');
    const stream = await b.open('SubscribeToTask', { id }, { 'last-event-id': '0' });
    const frames = await stream.until(hasText('0'));
    for (let round = 1; round <= 5; round += 1) {
      await eventually(async () => (await database.query(END_SESSIONS)).length).toBeGreaterThan(0);
      await write(String(round));
      frames.push(...(await stream.until(hasText(String(round)))));
    }
    end();
    frames.push(...(await stream.rest()));
    const log = await a.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
    expect(idsOf(frames)).toEqual(idsOf(log));
  });
});
