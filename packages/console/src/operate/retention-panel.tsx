import { useServerInfo } from '../api/server-info.ts';
import { Panel } from '../design/components/index.ts';
import { Fact } from './health-panel.tsx';
import styles from './operate.module.css';
import { describeSpan } from './spans.ts';

/** What is kept, and for how long where the server has no time for it. */
const KINDS = {
  tasks: ['Tasks that ended', 'for ever'],
  contexts: ['Idle conversations', 'for ever'],
  events: ['Events of ended tasks', 'as long as the task'],
  journals: ['Journals of ended runs', 'as long as the task'],
  keys: ['Idempotency keys', 'as long as the task'],
  deliveries: ['Webhooks of ended tasks', 'as long as the task'],
} as const;

/** How long the server keeps what. */
export function RetentionPanel() {
  const { data: server } = useServerInfo();
  if (server === undefined) return null;
  return (
    <Panel title="Retention">
      <dl className={styles.facts}>
        {(Object.keys(KINDS) as (keyof typeof KINDS)[]).map((kind) => {
          const [name, otherwise] = KINDS[kind];
          return (
            <Fact key={kind} name={name}>
              {describeSpan(server.retention[kind], otherwise)}
            </Fact>
          );
        })}
      </dl>
    </Panel>
  );
}
