import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useId, useRef } from 'react';
import type { LogEntry } from '../../../../parley/src/server/operator/console-api.ts';
import { classes } from '../../design/classes.ts';
import { formatBytes, formatDuration } from '../../design/components/index.ts';
import type { LogView } from '../log/log-loader.ts';
import { describeEvent } from './describe-event.ts';
import styles from './timeline.module.css';

const ROW_HEIGHT = 36;
const PAGE_ROWS = 10;

interface TimelineProps {
  readonly view: LogView;
  readonly index: number;
  readonly onSelect: (seq: number | undefined) => void;
}

/** The log event by event: when each came, what it was and how large. Arrow keys go through it. */
export function Timeline({ view, index, onSelect }: TimelineProps) {
  const { entries } = view.log;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  useEffect(() => {
    virtual.scrollToIndex(index, { align: 'auto' });
  }, [index, virtual]);
  const began = Date.parse(entries[0]?.time ?? '');
  const move = (event: KeyboardEvent) => {
    const place = placeFor(event.key, index, entries.length - 1);
    if (place === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    onSelect(entries[place]?.seq);
  };
  return (
    <div
      className={styles.timeline}
      ref={scroller}
      role="listbox"
      aria-label="Events"
      aria-activedescendant={`${id}-${index}`}
      tabIndex={0}
      onKeyDown={move}
    >
      <div className={styles.rows} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index: place, start }) => {
          const entry = entries[place];
          return (
            entry && (
              <TimelineRow
                key={place}
                id={`${id}-${place}`}
                entry={entry}
                began={began}
                start={start}
                place={place}
                count={entries.length}
                isSelected={place === index}
                onSelect={onSelect}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

function placeFor(key: string, index: number, last: number): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + PAGE_ROWS,
    PageUp: index - PAGE_ROWS,
    Home: 0,
    End: last,
  };
  const place = places[key];
  return place === undefined ? undefined : Math.min(last, Math.max(0, place));
}

interface TimelineRowProps {
  readonly id: string;
  readonly entry: LogEntry;
  readonly began: number;
  readonly start: number;
  readonly place: number;
  readonly count: number;
  readonly isSelected: boolean;
  readonly onSelect: (seq: number) => void;
}

const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { id, entry, began, start, place, count, isSelected, onSelect } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the list, which has the focus
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={place + 1}
      className={classes(styles.row, isSelected && styles.selected)}
      style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
      onClick={() => onSelect(entry.seq)}
    >
      <span className={styles.seq}>{entry.seq}</span>
      <span className={styles.time} title={entry.time}>
        +{formatDuration(Date.parse(entry.time) - began)}
      </span>
      <span className={classes(styles.kind, styles[entry.kind])}>{entry.kind}</span>
      <span className={styles.words}>{describeEvent(entry)}</span>
      <span className={styles.bytes}>{formatBytes(entry.bytes)}</span>
    </div>
  );
});
