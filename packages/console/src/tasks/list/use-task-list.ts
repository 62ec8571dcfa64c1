import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { TaskPage } from '../../../../parley/src/server/operator/console-api.ts';
import { getOperator } from '../../api/operator.ts';
import { pauseWhileVisible } from '../pause.ts';
import { keepList, keptList } from './kept-list.ts';
import { queryOf, readFilter } from './task-filter.ts';
import { type ListView, TaskList } from './task-list.ts';

const PAGE_SIZE = 200;
/** Between two looks at the front of the list. */
const REFRESH_MS = 2000;

type LiveList = ListView & Pick<TaskList, 'loadMore' | 'place' | 'refresh' | 'setAtTop'>;

/** The tasks of a filter, given as the search of an address. */
export function useTaskList(search: string): LiveList {
  const list = useMemo(() => {
    const known = keptList(search);
    if (known !== undefined) return known;
    const filter = readFilter(search);
    return new TaskList({
      read: (after, signal) =>
        getOperator<TaskPage>('all-tasks', { ...queryOf(filter, Date.now()), limit: PAGE_SIZE, after }, signal),
      pause: (signal) => pauseWhileVisible(REFRESH_MS, signal),
    });
  }, [search]);
  useEffect(() => keepList(search, list));
  const view = useSyncExternalStore(list.subscribe, list.view);
  return { ...view, place: list.place, loadMore: list.loadMore, refresh: list.refresh, setAtTop: list.setAtTop };
}
