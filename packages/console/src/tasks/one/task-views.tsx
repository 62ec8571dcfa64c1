import type { TaskTree } from '../../../../parley/src/server/operator/console-api.ts';
import type { QueryResult } from '../../api/use-query.ts';
import { EmptyState, Tabs } from '../../design/components/index.ts';
import type { LogView } from '../log/log-loader.ts';
import { ArtifactsView } from './artifacts-view.tsx';
import { EventView } from './event-view.tsx';
import { MessagesView } from './messages-view.tsx';
import { Scrubber } from './scrubber.tsx';
import styles from './task-page.module.css';
import { Waterfall } from './time/waterfall.tsx';
import { Timeline } from './timeline.tsx';
import { useSelectedEvent } from './use-selected-event.ts';
import { WebhooksView } from './webhooks/webhooks-view.tsx';

interface TaskViewsProps {
  readonly view: LogView;
  readonly tree: QueryResult<TaskTree>;
}

/** The log on one side; on the other what the task was at the event that is looked at. */
export function TaskViews({ view, tree }: TaskViewsProps) {
  const { log, head, isComplete } = view;
  const { seq, select } = useSelectedEvent();
  if (log.entries.length === 0) {
    return (
      <EmptyState title="The log is empty">
        <p>Retention has removed the events of this task.</p>
      </EmptyState>
    );
  }
  const index = log.indexOf(seq ?? log.lastSeq);
  const entry = log.entries[index];
  const at = log.at(entry?.seq ?? log.lastSeq);
  const taskId = head?.taskId ?? '';
  return (
    <>
      <Scrubber
        log={log}
        index={index}
        isLatest={seq === undefined}
        total={isComplete ? undefined : head?.lastSeq}
        trimmedTo={head?.trimmedTo}
        onSelect={select}
      />
      <div className={styles.views}>
        <Timeline view={view} index={index} onSelect={select} />
        <div className={styles.detail}>
          <Tabs
            label="What the task was at this event"
            tabs={[
              { id: 'artifacts', label: 'Artifacts', content: <ArtifactsView at={at} /> },
              { id: 'messages', label: 'Messages', content: <MessagesView at={at} onSelect={select} /> },
              { id: 'event', label: 'Event', content: <EventView entry={entry} taskId={taskId} /> },
              { id: 'time', label: 'Time', content: <Waterfall tree={tree} taskId={taskId} /> },
              { id: 'webhooks', label: 'Webhooks', content: <WebhooksView taskId={taskId} /> },
            ]}
          />
        </div>
      </div>
    </>
  );
}
