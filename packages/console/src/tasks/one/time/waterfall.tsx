import { Link } from 'wouter';
import type { TaskTree } from '../../../../../parley/src/server/operator/console-api.ts';
import type { QueryResult } from '../../../api/use-query.ts';
import { classes } from '../../../design/classes.ts';
import { ErrorNote, formatDuration, Loading, StateBadge } from '../../../design/components/index.ts';
import { stateOf } from '../../states.ts';
import styles from './waterfall.module.css';
import { rowsOf, SPAN_WORDS, type Stretch, type WaterfallRow } from './waterfall-rows.ts';

interface WaterfallProps {
  readonly tree: QueryResult<TaskTree>;
  readonly taskId: string;
}

/** The task and the tasks that it called, on one scale of time: waiting for a slot is told from running. */
export function Waterfall({ tree, taskId }: WaterfallProps) {
  const { data, error, reload } = tree;
  if (error !== undefined && data === undefined) return <ErrorNote error={error} onRetry={reload} />;
  if (data === undefined) return <Loading what="the tree" />;
  const { rows, length } = rowsOf(data, Date.now());
  return (
    <div className={styles.waterfall}>
      <p className={styles.legend}>
        {(['queued', 'running', 'waiting'] as const).map((kind) => (
          <span key={kind}>
            <i className={styles[kind]} aria-hidden /> {SPAN_WORDS[kind]}
          </span>
        ))}
        <span>
          <i className={styles.step} aria-hidden /> step
        </span>
        <span>{formatDuration(length)} in all</span>
      </p>
      <ul className={styles.rows} aria-label="Where the time went">
        {rows.map((row) => (
          <Row key={row.task.taskId} row={row} isThis={row.task.taskId === taskId} />
        ))}
      </ul>
      {data.isCut && <p>More tasks belong to this one than are shown.</p>}
    </div>
  );
}

function Row({ row, isThis }: { readonly row: WaterfallRow; readonly isThis: boolean }) {
  const { task, depth, spans, steps, words } = row;
  const { found, agent, url } = task;
  return (
    <li>
      <div className={styles.name} style={{ paddingLeft: `${Math.min(depth, 8)}rem` }}>
        {found === undefined || isThis ? (
          <strong>{agent}</strong>
        ) : (
          <Link href={`/tasks/${encodeURIComponent(task.taskId)}`}>{agent}</Link>
        )}
        {found && <StateBadge state={stateOf(found.state)} />}
        {found === undefined && <span>{url === undefined ? 'not on this server any more' : `at ${url}`}</span>}
        {found?.summary !== undefined && <span>{found.summary}</span>}
      </div>
      {words !== '' && <div className={styles.words}>{words}</div>}
      <div className={styles.track} aria-hidden>
        {spans.map((span) => (
          <Bar key={`${span.kind} ${span.left}`} stretch={span} />
        ))}
        {steps.map((step) => (
          <Bar key={`${step.words} ${step.left}`} stretch={step} />
        ))}
      </div>
      {steps.length > 0 && <div className={styles.words}>{steps.map((step) => step.words).join(' · ')}</div>}
    </li>
  );
}

function Bar({ stretch }: { readonly stretch: Stretch }) {
  const { kind, left, width, words } = stretch;
  return (
    <span
      className={classes(styles.bar, styles[kind])}
      style={{ left: `${left}%`, width: `${width}%` }}
      title={words}
    />
  );
}
