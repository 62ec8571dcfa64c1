import { EmptyState, ErrorNote, Loading, Panel } from '../../design/components/index.ts';
import styles from '../operate.module.css';
import { useMetrics } from '../use-metrics.ts';
import { CHARTS } from './chart-data.ts';
import { LiveChart } from './live-chart.tsx';

/** Rates and latencies of the last minutes, as small charts that go on by themselves. */
export function ChartsPanel() {
  const { data, error, reload } = useMetrics();
  return (
    <Panel title="Rates and latencies">
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Loading what="the measurements" />}
      {data?.points.length === 0 && (
        <EmptyState title="Nothing was measured yet">
          <p>The first points come within seconds.</p>
        </EmptyState>
      )}
      {data !== undefined && data.points.length > 0 && (
        <div className={styles.charts}>
          {CHARTS.map((kind) => (
            <LiveChart key={kind.title} kind={kind} snapshot={data} />
          ))}
        </div>
      )}
    </Panel>
  );
}
