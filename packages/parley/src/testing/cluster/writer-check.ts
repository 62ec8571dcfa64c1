import type { FindingList } from './findings.ts';
import type { CommitLogEntry } from './log-entry.ts';

/** Checks who wrote a task: one node at a time, and none after its lease was taken by another. */
export class WriterCheck {
  readonly #commits: CommitLogEntry[] = [];

  add(commit: CommitLogEntry): void {
    this.#commits.push(commit);
  }

  finish(taskId: string, findings: FindingList): void {
    const holders = new Map<number, string>();
    for (const { lease, node, to } of this.#commits) {
      const holder = holders.get(lease) ?? node;
      holders.set(lease, holder);
      if (holder === node) continue;
      const text = `Nodes ${holder} and ${node} both wrote task ${taskId} under lease ${lease}, up to ${to}`;
      findings.add({ fault: 'two-writers', text, taskId, positions: [String(to)] });
    }
    const inOrder = this.#commits.toSorted((one, other) => one.to - other.to || one.lease - other.lease);
    let before: CommitLogEntry | undefined;
    for (const commit of inOrder) {
      if (before) compare(before, commit, findings);
      before = commit;
    }
  }
}

/** Two writes that follow each other in the log. */
function compare(before: CommitLogEntry, commit: CommitLogEntry, findings: FindingList): void {
  const { taskId, node, lease, from, to } = commit;
  const positions = [String(before.to), String(to)];
  if (from < before.to && to > from && (node !== before.node || lease !== before.lease)) {
    const text = `Nodes ${before.node} and ${node} both wrote ${from + 1} to ${Math.min(to, before.to)} of task ${taskId}`;
    findings.add({ fault: 'two-writers', text, taskId, positions });
  } else if (lease < before.lease) {
    const text = `Node ${node} wrote task ${taskId} from ${from} to ${to} under lease ${lease}, after ${before.node} held lease ${before.lease}`;
    findings.add({ fault: 'stale-writer', text, taskId, positions });
  }
}
