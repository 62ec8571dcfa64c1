import { Link } from 'wouter';
import { postOperator } from '../../../api/operator.ts';
import { Badge, Button, ErrorNote, Time } from '../../../design/components/index.ts';
import styles from '../task-page.module.css';
import { useAction } from '../use-action.ts';
import { standingOf, type Webhook } from './webhook.ts';

interface WebhookCardProps {
  readonly webhook: Webhook;
  /** On a page of many tasks, with a link to the task. */
  readonly withTask?: boolean | undefined;
  readonly onChanged: () => void;
}

/** One webhook: how far it was told, what its last error was, and another try. */
export function WebhookCard({ webhook, withTask, onChanged }: WebhookCardProps) {
  const { taskId, id, url, position, taskSeq, failures, failingSince, lastError, lastTry, nextTry } = webhook;
  const { word, tone } = standingOf(webhook);
  const path = `push/${encodeURIComponent(taskId)}/${encodeURIComponent(id)}`;
  const { run, error, isRunning } = useAction(async () => {
    await postOperator(path, {});
    onChanged();
  });
  return (
    <article className={styles.webhook} aria-label={`Webhook ${id}`}>
      <div className={styles.line}>
        <Badge tone={tone}>{word}</Badge>
        <code>{url}</code>
      </div>
      <p className={styles.muted}>
        Told up to event {position}
        {taskSeq !== null && ` of ${taskSeq}`}
        {lastTry !== null && (
          <>
            , last tried <Time value={lastTry} />
          </>
        )}
        {failures > 0 && `, ${failures} ${failures === 1 ? 'failure' : 'failures'} in a row`}
        {failingSince !== null && (
          <>
            {' '}
            since <Time value={failingSince} />
          </>
        )}
        {nextTry !== null && (
          <>
            , next try <Time value={nextTry} />
          </>
        )}
      </p>
      {lastError !== null && <p className={styles.problem}>{lastError}</p>}
      {error !== undefined && <ErrorNote error={error} />}
      <div className={styles.line}>
        <Button small disabled={isRunning} onClick={run}>
          Deliver again
        </Button>
        {withTask && <Link href={`/tasks/${encodeURIComponent(taskId)}`}>Its task</Link>}
      </div>
    </article>
  );
}
