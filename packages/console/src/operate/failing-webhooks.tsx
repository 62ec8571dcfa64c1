import { getOperator } from '../api/operator.ts';
import { useServerInfo } from '../api/server-info.ts';
import { useQuery } from '../api/use-query.ts';
import { ErrorNote, Loading, Panel } from '../design/components/index.ts';
import { isFailing, type Webhook, type WebhookPage } from '../tasks/one/webhooks/webhook.ts';
import { WebhookCard } from '../tasks/one/webhooks/webhook-card.tsx';
import styles from './operate.module.css';

const REFRESH_MS = 5000;
const PAGE_SIZE = 100;
/** Webhooks that are looked at, and failing ones that are shown. */
const MOST_READ = 2000;
const MOST_SHOWN = 50;

interface Looked {
  readonly failing: readonly Webhook[];
  readonly count: number;
  /** There are more than were looked at. */
  readonly isCut: boolean;
}

/** Webhooks that are not told what they should be, each with another try. */
export function FailingWebhooks() {
  const { data: server } = useServerInfo();
  const { data, error, reload } = useQuery<Looked>('failing webhooks', findFailing, { refreshMs: REFRESH_MS });
  if (server?.features.push === false) return null;
  return (
    <Panel title="Failing webhooks">
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Loading what="the webhooks" />}
      {data?.failing.length === 0 && (
        <p className={styles.muted}>
          {data.count === 0 ? 'No webhook is registered.' : `All is well with ${data.count.toLocaleString()} webhooks.`}
        </p>
      )}
      {data?.failing.slice(0, MOST_SHOWN).map((webhook) => (
        <WebhookCard key={`${webhook.taskId} ${webhook.id}`} webhook={webhook} withTask onChanged={reload} />
      ))}
      {data !== undefined && data.failing.length > MOST_SHOWN && <p>{data.failing.length - MOST_SHOWN} more fail.</p>}
      {data?.isCut && (
        <p className={styles.muted}>Only the first {MOST_READ.toLocaleString()} webhooks were looked at.</p>
      )}
    </Panel>
  );
}

async function findFailing(signal: AbortSignal): Promise<Looked> {
  const failing: Webhook[] = [];
  let count = 0;
  let after: string | undefined;
  do {
    const page: WebhookPage = await getOperator<WebhookPage>('push', { limit: PAGE_SIZE, after }, signal);
    count += page.webhooks.length;
    failing.push(...page.webhooks.filter(isFailing));
    after = page.next;
  } while (after !== undefined && count < MOST_READ);
  return { failing, count, isCut: after !== undefined };
}
