import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Button, EmptyState, ErrorNote, LinkButton, Loading } from '../../design/components/index.ts';
import { TaskRowLink } from './task-row.tsx';
import styles from './task-table.module.css';
import type { useTaskList } from './use-task-list.ts';

/** Every row has this height, so that any of 100,000 is found without measuring those before it. */
const ROW_HEIGHT = 64;
/** The next page is asked for when so many rows are left below. */
const AHEAD = 30;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

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
  const { rows, total = rows.length, next, loadMore, setAtTop } = list;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (next !== undefined && lastShown >= rows.length - AHEAD) void loadMore();
  }, [lastShown, rows.length, next, loadMore]);
  const moveFocus = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const place = Number((event.target as HTMLElement).dataset.index ?? Number.NaN);
    if (step === undefined || Number.isNaN(place) || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    focusRow(scroller.current, virtual.scrollToIndex, Math.min(rows.length - 1, Math.max(0, place + step)));
  };
  return (
    <div
      className={styles.scroller}
      ref={scroller as { current: HTMLDivElement | null }}
      onScroll={({ currentTarget }) => setAtTop(currentTarget.scrollTop < ROW_HEIGHT)}
    >
      <ul className={styles.rows} aria-label="Tasks" style={{ height: virtual.getTotalSize() }} onKeyDown={moveFocus}>
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
