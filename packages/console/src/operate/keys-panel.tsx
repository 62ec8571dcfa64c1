import { useState } from 'react';
import type { KeyInfo, KeyPage } from '../../../parley/src/server/operator/console-api.ts';
import { getOperator } from '../api/operator.ts';
import { useQuery } from '../api/use-query.ts';
import { Badge, Button, EmptyState, ErrorNote, Loading, Panel, Time } from '../design/components/index.ts';
import styles from './operate.module.css';

const PAGE_SIZE = 50;

/** The API keys of the store: whose they are and what they may. Their secrets are never shown. */
export function KeysPanel() {
  const [places, setPlaces] = useState<readonly (string | undefined)[]>([undefined]);
  const after = places.at(-1);
  const { data, error, reload } = useQuery<KeyPage>(`keys ${after ?? ''}`, (signal) =>
    getOperator<KeyPage>('keys', { limit: PAGE_SIZE, after }, signal),
  );
  const next = data?.next;
  return (
    <Panel title="API keys" flush>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Loading what="the keys" />}
      {data?.keys.length === 0 && places.length === 1 && (
        <EmptyState title="No API keys">
          <p>
            <code>parley keys create NAME</code> makes one in the store of a server.
          </p>
        </EmptyState>
      )}
      {data !== undefined && data.keys.length > 0 && <KeyTable keys={data.keys} />}
      {(places.length > 1 || next !== undefined) && (
        <div className={styles.pager}>
          <Button small disabled={places.length === 1} onClick={() => setPlaces(places.slice(0, -1))}>
            Earlier
          </Button>
          <Button small disabled={next === undefined} onClick={() => setPlaces([...places, next])}>
            More
          </Button>
        </div>
      )}
    </Panel>
  );
}

function KeyTable({ keys }: { readonly keys: readonly KeyInfo[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="API keys">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Subject</th>
            <th scope="col">Tenant</th>
            <th scope="col">Scopes</th>
            <th scope="col">Made</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ id, subject, tenant, scopes, createdAt }) => (
            <tr key={id}>
              <td>
                <code>{id}</code>
              </td>
              <td>{subject}</td>
              <td>{tenant ?? '–'}</td>
              <td>{scopes.length === 0 ? '–' : scopes.map((scope) => <Badge key={scope}>{scope}</Badge>)}</td>
              <td>
                <Time value={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
