import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { Button, EmptyState, ErrorNote, LinkButton, Loading } from '../../design/components/index.ts';
import { TaskRowLink } from './task-row.tsx';
import styles from './task-table.module.css';
import type { useTaskList } from './use-task-list.ts';

/** Every row has this height, so that any of 100,000 is found without measuring those before it. */
const ROW_HEIGHT = 64;
/** The next page is asked for when so many rows are left below. */
const AHEAD = 30;
/** How many rows further a key leads, where so many fit on the screen. */
const STEPS: Readonly<Record<string, (screen: number) => number>> = {
  ArrowDown: () => 1,
  ArrowUp: () => -1,
  j: () => 1,
  k: () => -1,
  PageDown: (screen) => screen,
  PageUp: (screen) => -screen,
  Home: () => Number.NEGATIVE_INFINITY,
  End: () => Number.POSITIVE_INFINITY,
};

interface TaskTableProps {
  readonly list: ReturnType<typeof useTaskList>;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** The rows that can be seen, of as many as there are. */
export function TaskTable({ list, isFiltered, onClear }: TaskTableProps) {
  const { rows, error, isLoading, total, news, refresh } = list;
  const scroller = useRef<HTMLDivElement>(null);
  if (rows.length === 0) {
    if (error !== undefined) return <ErrorNote error={error} onRetry={refresh} />;
    if (isLoading || total === undefined) return <Loading what="the tasks" />;
    return <NoTasks isFiltered={isFiltered} onClear={onClear} />;
  }
  const showNews = () => scroller.current?.scrollTo({ top: 0 });
  return (
    <div className={styles.frame}>
      {error !== undefined && <ErrorNote error={error} onRetry={refresh} />}
      {news > 0 && (
        <div className={styles.news}>
          <Button kind="primary" small onClick={showNews}>
            {news} newer {news === 1 ? 'task' : 'tasks'}
          </Button>
        </div>
      )}
      <RowList list={list} scroller={scroller} />
    </div>
  );
}

interface RowListProps {
  readonly list: ReturnType<typeof useTaskList>;
  readonly scroller: { readonly current: HTMLDivElement | null };
}

function RowList({ list, scroller }: RowListProps) {
  const { rows, total = rows.length, next, place, loadMore, setAtTop } = list;
  const focused = useRef<number>(undefined);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    initialOffset: place.top,
    // The row with the focus stays in the page when it is scrolled out of sight: otherwise the keyboard would be nowhere.
    rangeExtractor: (range) => withRow(defaultRangeExtractor(range), focused.current, range.count),
  });
  const items = virtual.getVirtualItems();
  const lastShown = virtual.range?.endIndex ?? 0;
  useEffect(() => {
    if (next !== undefined && lastShown >= rows.length - AHEAD) void loadMore();
  }, [lastShown, rows.length, next, loadMore]);
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = place.top;
    const { opened } = place;
    if (opened !== undefined) focusRow(scroller.current, () => undefined, opened);
  }, [place, scroller]);
  const moveFocus = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const from = indexOf(event);
    if (step === undefined || from === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const screen = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    const to = Math.min(rows.length - 1, Math.max(0, from + step(screen)));
    focusRow(scroller.current, virtual.scrollToIndex, to);
  };
  return (
    <div
      className={styles.scroller}
      ref={scroller as { current: HTMLDivElement | null }}
      onScroll={({ currentTarget }) => {
        place.top = currentTarget.scrollTop;
        setAtTop(currentTarget.scrollTop < ROW_HEIGHT);
      }}
    >
      <ul
        className={styles.rows}
        aria-label="Tasks"
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={moveFocus}
        onFocus={(event) => {
          focused.current = indexOf(event);
        }}
        onBlur={() => {
          focused.current = undefined;
        }}
        onClickCapture={(event) => {
          place.opened = indexOf(event);
        }}
      >
        {items.map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={row.id}
                aria-setsize={total}
                aria-posinset={index + 1}
                style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
              >
                <TaskRowLink row={row} index={index} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** The number of the row that an event befell. */
function indexOf({ target }: SyntheticEvent): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row === null ? undefined : Number(row.dataset.index);
}

function withRow(shown: number[], row: number | undefined, count: number): number[] {
  if (row === undefined || row >= count || shown.includes(row)) return shown;
  return [...shown, row].sort((one, other) => one - other);
}

/** The row may have to be rendered first. */
function focusRow(scroller: HTMLElement | null, scrollTo: (index: number) => void, index: number): void {
  scrollTo(index);
  const focus = () => scroller?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
  if (scroller?.querySelector(`[data-index="${index}"]`)) focus();
  else requestAnimationFrame(() => requestAnimationFrame(focus));
}

function NoTasks({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState title="No task matches the filter">
        <p>Tasks appear here as soon as one does.</p>
        <Button onClick={onClear}>Show all tasks</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No tasks yet">
      <p>Send a message to an agent; its task appears here by itself.</p>
      <LinkButton href="/" kind="primary">
        Choose an agent
      </LinkButton>
    </EmptyState>
  );
}
