import type { MetricsSnapshot } from '../../../parley/src/server/operator/console-api.ts';
import { getOperator } from '../api/operator.ts';
import { type QueryResult, useQuery } from '../api/use-query.ts';

const REFRESH_MS = 2000;

/** How the node that responds is, asked for again and again. */
export function useMetrics(): QueryResult<MetricsSnapshot> {
  return useQuery('metrics', (signal) => getOperator<MetricsSnapshot>('metrics', {}, signal), {
    refreshMs: REFRESH_MS,
  });
}
