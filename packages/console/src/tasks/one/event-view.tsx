import type { LogEntry } from '../../../../parley/src/server/operator/console-api.ts';
import { Bytes, CopyButton, DataTree, Time } from '../../design/components/index.ts';
import styles from './task-page.module.css';

interface EventViewProps {
  readonly entry: LogEntry | undefined;
  readonly taskId: string;
}

/** One event as it is, and the link that opens the task at it. */
export function EventView({ entry, taskId }: EventViewProps) {
  if (entry === undefined) return null;
  const { seq, kind, time, bytes, event } = entry;
  const link = () => new URL(`/console/tasks/${encodeURIComponent(taskId)}#${seq}`, location.origin).href;
  return (
    <div className={styles.event}>
      <div className={styles.line}>
        <strong>
          {seq}: {kind}
        </strong>
        <Time value={time} exact />
        <Bytes count={bytes} />
        <CopyButton text={link} label="the link to this event" />
      </div>
      {event === undefined ? (
        <p>This event alone is larger than a page of the log. The stream of the task has it.</p>
      ) : (
        <DataTree value={event} label={`Event ${seq}`} />
      )}
    </div>
  );
}
