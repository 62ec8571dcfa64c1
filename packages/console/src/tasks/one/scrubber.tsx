import { ChevronLeft, ChevronRight, ChevronsRight } from 'lucide-react';
import { Button, formatDuration, IconButton, StateBadge } from '../../design/components/index.ts';
import type { TaskLog } from '../log/task-log.ts';
import styles from './scrubber.module.css';

interface ScrubberProps {
  readonly log: TaskLog;
  /** The place of the event that is looked at. */
  readonly index: number;
  readonly isLatest: boolean;
  /** The last seq of a log that is not read to its end yet. */
  readonly total: number | undefined;
  readonly trimmedTo: number | undefined;
  /** Undefined: the latest. */
  readonly onSelect: (seq: number | undefined) => void;
}

/** Goes to any event of the log: by dragging, by the keys of a slider, or step by step. */
export function Scrubber({ log, index, isLatest, total, trimmedTo, onSelect }: ScrubberProps) {
  const { entries } = log;
  const last = entries.length - 1;
  const entry = entries[index];
  const select = (place: number) => onSelect(entries[place]?.seq);
  const state = log.statusAt(entry?.seq ?? 0)?.state;
  const elapsed = entry && entries[0] ? Date.parse(entry.time) - Date.parse(entries[0].time) : 0;
  const words = `Event ${entry?.seq ?? 0} of ${log.lastSeq}, ${formatDuration(elapsed)} after the first`;
  return (
    <section className={styles.bar} aria-label="Go to an event">
      <IconButton label="The event before" disabled={index === 0} onClick={() => select(index - 1)}>
        <ChevronLeft size={18} aria-hidden />
      </IconButton>
      <input
        className={styles.slider}
        type="range"
        min={0}
        max={last}
        value={index}
        aria-label="Event"
        aria-valuetext={words}
        onChange={({ target }) => select(Number(target.value))}
      />
      <IconButton label="The event after" disabled={index === last} onClick={() => select(index + 1)}>
        <ChevronRight size={18} aria-hidden />
      </IconButton>
      <Button small disabled={isLatest} onClick={() => onSelect(undefined)}>
        <ChevronsRight size={15} aria-hidden /> Latest
      </Button>
      <div className={styles.words}>
        <span>{words}</span>
        {state !== undefined && <StateBadge state={state} />}
        {trimmedTo !== undefined && <span>Events up to {trimmedTo} are gone: retention has removed them.</span>}
        {total !== undefined && (
          <span role="status">
            Reading {log.lastSeq.toLocaleString()} of {total.toLocaleString()} events…
          </span>
        )}
      </div>
    </section>
  );
}
