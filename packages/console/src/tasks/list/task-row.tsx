import { memo } from 'react';
import { Link } from 'wouter';
import type { TaskRow } from '../../../../parley/src/server/operator/console-api.ts';
import { Badge, StateBadge, Time } from '../../design/components/index.ts';
import { stateOf } from '../states.ts';
import styles from './task-table.module.css';

/** A task in one row: how it stands, what the agent says of it or else what it was asked, whose it is, and when that was. */
export const TaskRowLink = memo(function TaskRowLink({
  row,
  index,
}: {
  readonly row: TaskRow;
  readonly index: number;
}) {
  const { id, contextId, agent, state, statusAt, seq, activity, owner } = row;
  const words = row.summary ?? row.firstWords;
  return (
    <Link href={`/tasks/${encodeURIComponent(id)}`} className={styles.row} data-index={index}>
      <span className={styles.state}>
        {activity === 'queued' ? <Badge>queued</Badge> : <StateBadge state={stateOf(state)} />}
      </span>
      <span className={styles.main}>
        <span className={styles.summary}>{words ?? <code>{id}</code>}</span>
        <span className={styles.ids}>
          {words !== undefined && <code>{id}</code>}
          <span>context {contextId}</span>
          {owner.subject !== undefined && <span className={styles.owner}>of {owner.subject}</span>}
          {owner.tenant !== undefined && <span className={styles.owner}>in {owner.tenant}</span>}
        </span>
      </span>
      <span className={styles.agent}>{agent}</span>
      <span className={styles.events}>
        {seq.toLocaleString()} {seq === 1 ? 'event' : 'events'}
      </span>
      <span className={styles.time}>
        <Time value={statusAt} />
      </span>
    </Link>
  );
});
