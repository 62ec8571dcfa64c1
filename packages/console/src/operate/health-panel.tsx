import type { ReactNode } from 'react';
import { useServerInfo } from '../api/server-info.ts';
import { useQuery } from '../api/use-query.ts';
import { Badge, Bytes, ErrorNote, formatDuration, Loading, Panel, Time } from '../design/components/index.ts';
import styles from './operate.module.css';
import { readReadiness } from './readiness.ts';
import { useMetrics } from './use-metrics.ts';

const REFRESH_MS = 3000;

/** Whether the server is well, and what it is. */
export function HealthPanel() {
  const { data: server, error, reload } = useServerInfo();
  const readiness = useQuery('readiness', readReadiness, { refreshMs: REFRESH_MS });
  const { data: metrics } = useMetrics();
  const now = metrics?.now;
  if (server === undefined) {
    return error === undefined ? <Loading what="the server" /> : <ErrorNote error={error} onRetry={reload} />;
  }
  return (
    <Panel title="Health" actions={<HealthBadge {...readiness} isStoreFailing={now?.isStoreFailing === true} />}>
      {readiness.data?.problem !== undefined && <p className={styles.problem}>{readiness.data.problem}</p>}
      {readiness.error !== undefined && <ErrorNote error={readiness.error} onRetry={readiness.reload} />}
      <dl className={styles.facts}>
        <Fact name="Parley">{server.version}</Fact>
        <Fact name="Node">
          <code>{server.node}</code>
        </Fact>
        <Fact name="Up for">{now === undefined ? <Time value={server.startedAt} /> : formatDuration(now.uptime)}</Fact>
        <Fact name="Store">{server.store.kind + (server.store.isShared ? ', shared by nodes' : '')}</Fact>
        <Fact name="Credentials">{server.auth.isOn ? 'needed' : 'not needed'}</Fact>
        {now && (
          <>
            <Fact name="Tasks in memory">{now.tasks.toLocaleString()}</Fact>
            <Fact name="Open streams">{now.streams.toLocaleString()}</Fact>
            <Fact name="Runs waiting for a slot">{now.runsWaiting.toLocaleString()}</Fact>
            <Fact name="Heap">
              <Bytes count={now.heapBytes} />
            </Fact>
            <Fact name="Memory">
              <Bytes count={now.residentBytes} />
            </Fact>
          </>
        )}
      </dl>
    </Panel>
  );
}

interface HealthBadgeProps {
  readonly data?: { readonly isReady: boolean } | undefined;
  readonly error?: unknown;
  readonly isStoreFailing: boolean;
}

function HealthBadge({ data, error, isStoreFailing }: HealthBadgeProps) {
  if (error !== undefined) return <Badge tone="bad">unreachable</Badge>;
  if (data === undefined) return <Badge>asking</Badge>;
  if (isStoreFailing) return <Badge tone="bad">the store fails</Badge>;
  return data.isReady ? <Badge tone="good">healthy</Badge> : <Badge tone="warn">not ready</Badge>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
