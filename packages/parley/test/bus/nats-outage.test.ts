import { nats } from 'parley-a2a/nats';
import type { Logger } from 'parley-a2a/ports';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type NatsServer, startNats, WITHOUT_NATS_SERVER } from '../support/nats/nats-server.ts';
import { describeOutage } from './support/outage.ts';

const title = (text: string) => `${text}${WITHOUT_NATS_SERVER ? ` (${WITHOUT_NATS_SERVER})` : ''}`;

function listingLog(lines: string[]): Logger {
  return { warn: (message) => void lines.push(message), error: (message) => void lines.push(message) };
}

describe.skipIf(WITHOUT_NATS_SERVER)(title('NATS restarts under two servers'), () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNats();
  });
  afterAll(() => server.kill());

  describeOutage({
    bus: () => nats(server.url),
    begin: () => server.kill(),
    end: () => server.start(),
  });
});

describe.skipIf(WITHOUT_NATS_SERVER)(title('a node on NATS'), () => {
  const never = () => new AbortController().signal;

  async function started(flags?: readonly string[]): Promise<NatsServer> {
    const server = await startNats(flags);
    onTestFinished(() => server.kill());
    return server;
  }

  it('joins while NATS is down, says so once, and is there when it is up', async () => {
    const server = await started();
    await server.kill();
    const lines: string[] = [];
    const [first, second] = [nats(server.url), nats(server.url)];
    await first.join('first', async () => 'hi', listingLog(lines));
    await second.join('second', async () => 'hi', listingLog(lines));
    onTestFinished(async () => void (await Promise.all([first.leave('first'), second.leave('second')])));
    expect(lines).toEqual(Array(2).fill(expect.stringContaining('is not connected')));
    const asked = first.request('second', 'hello', never());
    await server.start();
    expect(await asked).toEqual({ kind: 'answered', value: 'hi' });
    await eventually(() => lines.filter((line) => line.includes('connected again')).length).toBe(2);
  });

  it('makes watches of others look when it comes back with what it has committed meanwhile', async () => {
    const server = await started();
    const [first, second] = [nats(server.url), nats(server.url)];
    const lines: string[] = [];
    await first.join('first', async () => 'hi', listingLog(lines));
    await second.join('second', async () => 'hi', listingLog(lines));
    onTestFinished(async () => void (await Promise.all([first.leave('first'), second.leave('second')])));
    const heard: (number | undefined)[] = [];
    await second.watch('second', 'task', (seq) => heard.push(seq));
    await server.kill();
    await eventually(() => lines.length).toBe(2);
    for (let seq = 1; seq <= 50; seq += 1) first.publish('first', [{ taskId: 'task', seq }]);
    await server.start();
    await eventually(() => heard.includes(undefined)).toBe(true);
  });

  it('tells of what it published just before it leaves', async () => {
    const server = await started();
    const [first, second] = [nats(server.url), nats(server.url)];
    await first.join('first', async () => 'hi');
    await second.join('second', async () => 'hi');
    onTestFinished(async () => {
      await second.leave('second');
    });
    const heard: (number | undefined)[] = [];
    await second.watch('second', 'last', (seq) => heard.push(seq));
    first.publish('first', [{ taskId: 'last', seq: 9 }]);
    await first.leave('first');
    await eventually(() => heard).toContain(9);
  });

  it('carries commands and responses that are larger than a message of NATS may be', async () => {
    const server = await started();
    const [first, second] = [nats(server.url), nats(server.url)];
    await first.join('first', async () => 'hi');
    await second.join('second', async (command) => ({ command, more: 'é'.repeat(700_000) }));
    onTestFinished(async () => void (await Promise.all([first.leave('first'), second.leave('second')])));
    const command = { text: '😀'.repeat(1_000_000) };
    expect(await first.request('nobody', command, never())).toEqual({ kind: 'gone' });
    const reply = await first.request('second', command, never());
    expect(reply).toEqual({ kind: 'answered', value: { command, more: 'é'.repeat(700_000) } });
  });

  it('has the name and password of the address, and is refused with wrong ones', async () => {
    const server = await started(['--user', 'ann', '--pass', 'p@ss']);
    const good = nats(server.url.replace('//', '//ann:p%40ss@'));
    await good.join('first', async () => 'hi');
    await good.leave('first');
    const bad = nats(server.url.replace('//', '//ann:wrong@'));
    await expect(bad.join('first', async () => 'hi')).rejects.toThrow(/authorization/i);
  });
});

it.for<[string, RegExp]>([
  ['http://host', /looks like nats:/],
  ['nats://user:hunter2@', /looks like nats:/],
  ['', /looks like nats:/],
  ['nats://host/a b', /prefix of NATS subjects/],
  ['nats://host/a.>', /prefix of NATS subjects/],
])('nats(%j) is refused', ([url, reason]) => {
  expect(() => nats(url)).toThrow(reason);
  expect(() => nats(url)).not.toThrow(/hunter2/);
});
