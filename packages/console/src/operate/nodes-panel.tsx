import type { NodeList } from '../../../parley/src/server/operator/console-api.ts';
import { getOperator } from '../api/operator.ts';
import { useQuery } from '../api/use-query.ts';
import { Badge, ErrorNote, Loading, Panel, Time } from '../design/components/index.ts';
import styles from './operate.module.css';

const REFRESH_MS = 5000;
const ROLES: Readonly<Record<string, string>> = {
  all: 'takes requests and runs agents',
  front: 'takes requests',
  worker: 'runs agents',
};

/** The nodes that share the store, and the turns that wait for any of them. */
export function NodesPanel() {
  const { data, error, reload } = useQuery<NodeList>('nodes', (signal) => getOperator<NodeList>('nodes', {}, signal), {
    refreshMs: REFRESH_MS,
  });
  return (
    <Panel title="Nodes">
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Loading what="the nodes" />}
      {data && (
        <ul className={styles.list}>
          {data.nodes.map(({ name, role, isThis }) => (
            <li key={name}>
              <code>{name}</code> <span className={styles.muted}>{ROLES[role] ?? role}</span>
              {isThis && <Badge tone="active">this one</Badge>}
            </li>
          ))}
        </ul>
      )}
      {data?.queue && (
        <p className={styles.muted}>
          {data.queue.turns.toLocaleString()} {data.queue.turns === 1 ? 'turn waits' : 'turns wait'} for any node
          {data.queue.oldestAt !== undefined && (
            <>
              , the oldest since <Time value={data.queue.oldestAt} />
            </>
          )}
        </p>
      )}
    </Panel>
  );
}
