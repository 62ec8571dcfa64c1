import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OutboundGuard } from '../../src/server/outbound/guard.ts';
import { NameLookups } from '../../src/server/outbound/node/lookups.ts';
import { PATIENCE_MS } from '../support/patience.ts';

/** A name server whose answers wait until they are given. */
function nameServer() {
  const asked: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<readonly string[]>>();
  const ask = (host: string): Promise<readonly string[]> => {
    asked.push(host);
    const answer = Promise.withResolvers<readonly string[]>();
    waiting.set(host, answer);
    return answer.promise;
  };
  const answer = (host: string) => waiting.get(host)?.resolve(['93.184.216.34']);
  const fail = (host: string) => waiting.get(host)?.reject(new Error('ENOTFOUND'));
  return { asked, ask, answer, fail };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('lookups of names', () => {
  it('ask once for what several wait for, and again for who comes later', async () => {
    const { asked, ask, answer } = nameServer();
    const lookups = new NameLookups(ask);
    const both = [lookups.find('a.test'), lookups.find('a.test')];
    await turns();
    answer('a.test');
    expect(await Promise.all(both)).toEqual([['93.184.216.34'], ['93.184.216.34']]);
    void lookups.find('a.test');
    await turns();
    expect(asked).toEqual(['a.test', 'a.test']);
  });

  it('let names that failed wait for each other, and for no other name', async () => {
    const { asked, ask, answer, fail } = nameServer();
    const lookups = new NameLookups(ask);
    for (const host of ['dead.test', 'gone.test']) {
      const found = lookups.find(host);
      await turns();
      fail(host);
      await expect(found).rejects.toThrow('ENOTFOUND');
    }
    // Both are slow to fail again; names that work are asked for all the same.
    const doubtful = [lookups.find('dead.test'), lookups.find('gone.test')];
    const good = lookups.find('good.test');
    await turns();
    expect(asked.slice(2)).toEqual(['dead.test', 'good.test']);
    answer('good.test');
    expect(await good).toEqual(['93.184.216.34']);
    fail('dead.test');
    await expect(doubtful[0]).rejects.toThrow('ENOTFOUND');
    await turns();
    answer('gone.test');
    expect(await doubtful[1]).toEqual(['93.184.216.34']);
  });

  it('are the machine’s own where no others are given', async () => {
    const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
    const open = new OutboundGuard({ allow: ['127.0.0.0/8', '::1'] });
    await open.checkUrl(url);
    expect((await open.post(url, { headers: {}, body: '', timeout: PATIENCE_MS })).status).toBe(200);
    await open.close();
    await expect(new OutboundGuard().checkUrl(url)).rejects.toThrow('a name that leads to a loopback address');
  });
});
