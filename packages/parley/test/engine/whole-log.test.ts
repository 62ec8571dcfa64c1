import { describe, expect, it } from 'vitest';
import { forkContext } from '../../src/engine/copy/fork-context.ts';
import { measureLog, readWholeLog, requireSmallJournal } from '../../src/engine/copy/whole-log.ts';
import type { TaskEvent } from '../../src/engine/log/events.ts';
import type { Store, TaskHead } from '../../src/engine/ports.ts';

const MEGABYTE = 1024 * 1024;

/** A log of so many chunks of so many characters, which nobody holds. */
function logOf(chunks: number, characters: number, first = 1): Pick<Store, 'read'> {
  const text = 'x'.repeat(characters);
  const eventAt = (seq: number): TaskEvent =>
    seq === 1
      ? { kind: 'created', seq, time: 0 }
      : {
          kind: 'artifact',
          seq,
          time: 0,
          artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] },
          append: seq > 2,
          lastChunk: false,
        };
  return {
    read: (_, after, { events, bytes }) => {
      const count = Math.max(1, Math.min(events, Math.floor(bytes / characters)));
      const from = Math.max(after + 1, first);
      return Array.from({ length: Math.max(0, Math.min(count, chunks + 2 - from)) }, (_value, index) =>
        eventAt(from + index),
      );
    },
  };
}

const head = (id: string): TaskHead => ({
  id,
  agent: 'agent',
  contextId: 'talk',
  owner: { tenant: '', subject: '' },
  createdAt: 0,
  status: { state: 'completed', timestamp: '1970-01-01T00:00:00.000Z' },
  statusTime: 0,
  seq: 60,
  lease: { number: 1, node: null },
  consumed: 0,
  asking: false,
  openFrom: 0,
});

describe('a log that is copied', () => {
  it('is read whole, or up to a place', async () => {
    expect(await readWholeLog(logOf(5000, 10), 'task')).toHaveLength(5001);
    expect(await readWholeLog(logOf(5000, 10), 'task', 3000)).toHaveLength(3000);
    expect(await measureLog(logOf(10, MEGABYTE), 'task')).toBeGreaterThan(10 * MEGABYTE);
  });

  it('may have so many events and bytes, and needs its beginning', async () => {
    await expect(readWholeLog(logOf(200_000, 1), 'task')).rejects.toThrow('more than 200000 events');
    await expect(readWholeLog(logOf(70, MEGABYTE), 'task')).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: 'The task cannot be copied: its log has more than 64 MB',
      metadata: { taskId: 'task' },
    });
    await expect(readWholeLog(logOf(1, 65 * MEGABYTE), 'task')).rejects.toThrow('more than 64 MB');
    await expect(readWholeLog(logOf(10, 10, 5), 'task')).rejects.toThrow('retention has removed them');
    const body = { kind: 'step', result: 'x'.repeat(33 * MEGABYTE) };
    const entries = [1, 2].map((number) => ({ number, seq: 1, body }));
    expect(() => requireSmallJournal('task', entries.slice(1))).not.toThrow();
    expect(() => requireSmallJournal('task', entries)).toThrow('its runs recorded more than 64 MB');
  });

  it('is not forked where all of them are too much, and then none is', async () => {
    const heads = ['a', 'b', 'c', 'd', 'e'].map(head);
    const store = {
      ...logOf(60, MEGABYTE),
      list: () => ({ heads, total: heads.length }),
      journal: () => [],
    } as unknown as Store;
    const written: unknown[] = [];
    const fork = forkContext(store, async (entry) => void written.push(entry), {
      owner: { tenant: '', subject: '' },
      contextId: 'talk',
      agents: ['agent'],
      newId: () => 'new',
      now: 0,
      contextLifetime: 0,
    });
    await expect(fork).rejects.toThrow('more than 256 MB');
    expect(written).toEqual([]);
  });
});
