import { useServerInfo } from '../api/server-info.ts';
import { Panel } from '../design/components/index.ts';
import { Fact } from './health-panel.tsx';
import styles from './operate.module.css';
import { describeSpan } from './spans.ts';

const NAMES = {
  tasks: 'Tasks that ended',
  contexts: 'Contexts without tasks',
  events: 'Events of ended tasks',
  journals: 'Journals of runs',
  keys: 'Idempotency keys',
  deliveries: 'Delivered webhooks',
} as const;

/** How long the server keeps what. */
export function RetentionPanel() {
  const { data: server } = useServerInfo();
  if (server === undefined) return null;
  return (
    <Panel title="Retention">
      <dl className={styles.facts}>
        {(Object.keys(NAMES) as (keyof typeof NAMES)[]).map((name) => (
          <Fact key={name} name={NAMES[name]}>
            {describeSpan(server.retention[name])}
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}
