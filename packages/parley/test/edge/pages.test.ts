import type { A2AServerOptions } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { memory } from '../../src/stores/memory.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const KILOBYTE = 1024;
const STORES: Readonly<Record<string, () => A2AServerOptions['store']>> = { memory, sqlite: () => sqlite(':memory:') };

describe.each(Object.keys(STORES))('pages of a list, in %s', (name) => {
  const start = async (count: number, size: (index: number) => number, pageBytes: number) => {
    let index = 0;
    const agent = agentOf(() => 'x'.repeat(size(index++)));
    const { peer } = startServer(agent, { store: STORES[name]?.(), limits: { pageBytes } });
    const ids: string[] = [];
    for (let sent = 0; sent < count; sent += 1) ids.push((await peer.send(`number ${sent}`)).id);
    return { peer, ids };
  };

  it('end before they are larger than pageBytes; all of them together are the list', async () => {
    const { peer, ids } = await start(30, (index) => (index % 3) * 20 * KILOBYTE, 100 * KILOBYTE);
    const seen: string[] = [];
    let pages = 0;
    let pageToken: string | undefined;
    do {
      const page = await peer.call('ListTasks', { includeArtifacts: true, pageSize: 20, pageToken });
      expect(page.tasks.length).toBeGreaterThan(0);
      expect(JSON.stringify(page).length).toBeLessThan(130 * KILOBYTE);
      expect(page.totalSize).toBe(30);
      seen.push(...page.tasks.map(({ id }: { id: string }) => id));
      pages += 1;
      pageToken = page.nextPageToken;
    } while (pageToken);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(pages).toBeGreaterThan(5);
  });

  it('have one task at least, however large', async () => {
    const { peer } = await start(3, () => 200 * KILOBYTE, KILOBYTE);
    const page = await peer.call('ListTasks', { includeArtifacts: true });
    expect([page.tasks.length, page.nextPageToken === '']).toEqual([1, false]);
  });

  it('are as long as they were without the artifacts', async () => {
    const { peer } = await start(12, () => 200 * KILOBYTE, 100 * KILOBYTE);
    const page = await peer.call('ListTasks', { historyLength: 0 });
    expect([page.tasks.length, page.nextPageToken]).toEqual([12, '']);
  });
});
