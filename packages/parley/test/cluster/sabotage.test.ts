import type { ClusterReport } from 'parley-a2a/testing';
import { describe, expect, it } from 'vitest';
import { type Mishap, runInProcess } from './support/nodes-in-process.ts';
import { publishingFirst, withoutFences, withoutTakeover } from './support/sabotage.ts';

const faultsOf = ({ findings }: ClusterReport) => new Set(findings.map(({ fault }) => fault));

describe('two nodes of which one has a mishap', () => {
  it.each<Mishap>(['pause', 'death'])('keep all promises across a %s', async (mishap) => {
    const { findings, seen } = await runInProcess({ mishap });
    expect(findings).toEqual([]);
    expect(seen.tasks).toBe(12);
    expect(seen.reconnects).toBeGreaterThan(0);
    expect(seen.states.completed).toBeGreaterThan(0);
  });
});

describe('the checker finds sabotage', () => {
  it('of the fences: a node writes after its lease was taken', async () => {
    const faults = faultsOf(await runInProcess({ mishap: 'pause', sabotage: withoutFences }));
    expect([...faults].filter((fault) => fault === 'two-writers' || fault === 'stale-writer')).not.toEqual([]);
  });

  it('of the order of commit and publication: clients saw what is not there', async () => {
    const faults = faultsOf(await runInProcess({ mishap: 'death', sabotage: publishingFirst(150) }));
    const expected = ['event-missing', 'event-differs', 'stream-restarted', 'message-lost', 'stream-incomplete'];
    expect([...faults].filter((fault) => expected.includes(fault))).not.toEqual([]);
  });

  it('of the takeover: tasks of a dead node stay at work', async () => {
    const sabotaged = { mishap: 'death', sabotage: withoutTakeover, patience: 6000 } as const;
    const faults = faultsOf(await runInProcess(sabotaged));
    expect([...faults]).toEqual(expect.arrayContaining(['task-unfinished', 'client-gave-up']));
  });
});
