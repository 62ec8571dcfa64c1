import { describe, expect, it } from 'vitest';
import { readSavedFilters, removeFilter, saveFilter } from '../../src/tasks/list/saved-filters.ts';
import { queryOf, readFilter, writeFilter } from '../../src/tasks/list/task-filter.ts';

describe('a filter of tasks', () => {
  it('is the same after a way through the address', () => {
    const filter = { state: 'input-required', agent: 'lab', context: 'a b&c', minutes: 60 };
    expect(readFilter(writeFilter(filter))).toEqual(filter);
    expect(writeFilter({})).toBe('');
  });

  it.each([
    '?state=gone',
    '?minutes=-1',
    '?minutes=1e99',
    '?from=yesterday',
    '?to=2026-99-99',
    `?agent=${'x'.repeat(300)}`,
    '?colour=red',
  ])('leaves out what is no filter: %s', (search) => {
    expect(readFilter(search)).toEqual({});
  });

  it('is sent as the server takes it; days are those of the person', () => {
    expect(queryOf({ state: 'input-required', minutes: 2 }, 180_000)).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      from: '1970-01-01T00:01:00.000Z',
      to: undefined,
    });
    expect(queryOf({ from: '2026-11-01', to: '2026-11-01' }, 0)).toMatchObject({
      from: new Date(2026, 10, 1).toISOString(),
      to: new Date(2026, 10, 2).toISOString(),
    });
  });
});

describe('saved filters', () => {
  function storage(content?: string) {
    const items = new Map(content === undefined ? [] : [['parley.task-filters', content]]);
    return {
      getItem: (name: string) => items.get(name) ?? null,
      setItem: (name: string, value: string) => void items.set(name, value),
    };
  }

  it('are kept under their names, and the later one of a name wins', () => {
    const kept = storage();
    saveFilter(kept, 'mine', { state: 'working' });
    saveFilter(kept, 'other', { agent: 'lab' });
    saveFilter(kept, 'mine', { state: 'failed' });
    expect(readSavedFilters(kept)).toEqual([
      { name: 'other', filter: { agent: 'lab' } },
      { name: 'mine', filter: { state: 'failed' } },
    ]);
    expect(removeFilter(kept, 'other')).toHaveLength(1);
    expect(readSavedFilters(kept)).toHaveLength(1);
  });

  it.each([
    'not JSON',
    '{}',
    '[1, null, {"name": 1}]',
    '[{"name": "x"}]',
  ])('survive what others wrote there: %s', (content) => {
    expect(readSavedFilters(storage(content))).toEqual([]);
  });
});
