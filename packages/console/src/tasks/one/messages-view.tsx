import { Button, EmptyState, Time } from '../../design/components/index.ts';
import type { TaskAt } from '../log/task-log.ts';
import { PartView } from './part-view.tsx';
import styles from './task-page.module.css';

interface MessagesViewProps {
  readonly at: TaskAt;
  readonly onSelect: (seq: number) => void;
}

/** What was said up to the event that is looked at. */
export function MessagesView({ at, onSelect }: MessagesViewProps) {
  if (at.messages.length === 0) return <EmptyState title="Nothing was said yet" />;
  return (
    <>
      {at.hiddenMessages > 0 && <p className={styles.muted}>{at.hiddenMessages} earlier messages are not shown.</p>}
      <ol className={styles.messages}>
        {at.messages.map(({ seq, time, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message may come again with the same id; the list only grows
          <li key={`${seq} ${index}`} data-role={message.role}>
            <div className={styles.line}>
              <strong>{message.role === 'ROLE_AGENT' ? 'Agent' : 'Caller'}</strong>
              <Time value={time} exact />
              <Button small kind="quiet" onClick={() => onSelect(seq)}>
                Event {seq}
              </Button>
            </div>
            {message.parts?.map((part, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no names and keep their places
              <PartView key={place} part={part} />
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}
