import { Page } from '../design/components/index.ts';
import { ChartsPanel } from './charts/charts-panel.tsx';
import { FailingWebhooks } from './failing-webhooks.tsx';
import { HealthPanel } from './health-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { NodesPanel } from './nodes-panel.tsx';
import styles from './operate.module.css';
import { RetentionPanel } from './retention-panel.tsx';

/** How the server is, and what an operator can do about it. */
export default function OperatePage() {
  return (
    <Page title="Operate" lead="How this server is, now and in the last minutes">
      <HealthPanel />
      <ChartsPanel />
      <FailingWebhooks />
      <div className={styles.columns}>
        <NodesPanel />
        <RetentionPanel />
      </div>
      <KeysPanel />
    </Page>
  );
}
