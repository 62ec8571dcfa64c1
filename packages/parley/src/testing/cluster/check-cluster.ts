import { type CheckLogOptions, type ClusterReport, checkClusterLog } from './check-log.ts';
import { type ClusterClientsOptions, runClusterClients } from './cluster-clients.ts';
import type { ClusterLogEntry } from './log-entry.ts';

/** `log` is not needed: the entries are kept in memory until they are checked. Where it is given, it is told as well. */
export type ClusterCheckOptions = Omit<ClusterClientsOptions, 'log'> &
  Partial<Pick<ClusterClientsOptions, 'log'>> &
  CheckLogOptions;

/**
 * Runs clients against a cluster and proves from what they saw that it keeps its promises.
 *
 * @example
 * const { findings } = await checkCluster({ urls: ['http://one:4000', 'http://two:4000'] });
 * expect(findings).toEqual([]);
 */
export async function checkCluster({ parts, log, ...options }: ClusterCheckOptions): Promise<ClusterReport> {
  const entries: ClusterLogEntry[] = [];
  const keep = (entry: ClusterLogEntry) => {
    entries.push(entry);
    log?.(entry);
  };
  await runClusterClients({ ...options, log: keep });
  return checkClusterLog(() => entries, { parts });
}
