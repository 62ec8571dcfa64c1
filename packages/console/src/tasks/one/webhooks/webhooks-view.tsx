import { getOperator } from '../../../api/operator.ts';
import { isOperatorError } from '../../../api/operator-error.ts';
import { useServerInfo } from '../../../api/server-info.ts';
import { useQuery } from '../../../api/use-query.ts';
import { EmptyState, ErrorNote, Loading } from '../../../design/components/index.ts';
import type { WebhookPage } from './webhook.ts';
import { WebhookCard } from './webhook-card.tsx';

const REFRESH_MS = 3000;

/** Who is told of this task, and how far that is. */
export function WebhooksView({ taskId }: { readonly taskId: string }) {
  const { data: server } = useServerInfo();
  const { data, error, reload } = useQuery<WebhookPage>(
    `push ${taskId}`,
    (signal) => getOperator<WebhookPage>(`push/${encodeURIComponent(taskId)}`, { limit: 100 }, signal),
    { refreshMs: REFRESH_MS },
  );
  if (server?.features.push === false) return <EmptyState title="Webhooks are off on this server" />;
  if (error !== undefined && !(isOperatorError(error) && error.status === 404)) {
    return <ErrorNote error={error} onRetry={reload} />;
  }
  if (data === undefined && error === undefined) return <Loading what="the webhooks" />;
  if (data === undefined || data.webhooks.length === 0) {
    return (
      <EmptyState title="No webhooks">
        <p>A caller may register an address that is told of what happens to its task.</p>
      </EmptyState>
    );
  }
  return data.webhooks.map((webhook) => <WebhookCard key={webhook.id} webhook={webhook} onChanged={reload} />);
}
