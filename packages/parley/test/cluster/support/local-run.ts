import { appendFileSync, createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type ClusterLogEntry, type ClusterReport, checkClusterLog } from 'parley-a2a/testing';
import { Cluster } from './cluster.ts';
import { inflict } from './faults.ts';
import { type Fault, scheduleOf } from './schedule.ts';
import { Work } from './work.ts';

export interface LocalRunOptions {
  readonly seed: number;
  /** Milliseconds in which faults happen. */
  readonly duration: number;
  /** At least so many tasks are begun. */
  readonly tasks: number;
  readonly atOnce?: number | undefined;
  readonly parts?: number | undefined;
  readonly bus?: 'postgres' | 'nats' | undefined;
  /** The nodes reach the database through PgBouncer. */
  readonly isPooled?: boolean | undefined;
  /** Told of the schedule before the first fault. */
  readonly onSchedule?: ((faults: readonly Fault[]) => void) | undefined;
}

export interface LocalRun {
  readonly report: ClusterReport;
  readonly faults: readonly Fault[];
  /** Tasks of resumable agents that no fault may fail, but which did not complete and which nobody canceled. */
  readonly given: readonly string[];
  /** Nodes that ended by themselves. */
  readonly crashes: readonly string[];
  /** What nodes wrote last. */
  readonly lines: string;
}

/** Starts three nodes, lets faults befall them while clients work, and checks what the clients saw and the nodes wrote. */
export async function runLocally(options: LocalRunOptions): Promise<LocalRun> {
  const { seed, duration, tasks, atOnce = 24 } = options;
  const cluster = await Cluster.start({ bus: options.bus, isPooled: options.isPooled });
  let isStopped = false;
  try {
    const faults = scheduleOf({ seed, duration, nodes: cluster.nodes.length, lease: cluster.lease });
    options.onSchedule?.(faults);
    const file = cluster.file('clients.log');
    const log = (entry: ClusterLogEntry) => {
      // Clients of a run that has failed may still be there.
      if (!isStopped) appendFileSync(file, `${JSON.stringify(entry)}\n`);
    };
    let isOver = false;
    const work = new Work({ url: cluster.url, log, seed, atOnce, goesOn: (begun) => !isOver || begun < tasks });
    const working = work.run();
    await inflict(cluster, faults, seed).finally(() => {
      isOver = true;
    });
    await working;
    await work.look();
    const report = await checkClusterLog(
      async function* () {
        yield* readEntries(file);
        yield* cluster.commits();
      },
      { parts: options.parts },
    );
    const given: string[] = [];
    for await (const entry of readEntries(file)) {
      if (entry.kind !== 'task' || !work.resumable.has(entry.taskId) || work.canceled.has(entry.taskId)) continue;
      if (entry.state !== 'completed') given.push(`${entry.taskId} is ${entry.state}`);
    }
    return { report, faults, given, crashes: cluster.lookForCrashes(), lines: cluster.lines };
  } finally {
    isStopped = true;
    await cluster.stop();
  }
}

/** The entries of a file. */
async function* readEntries(file: string): AsyncGenerator<ClusterLogEntry> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line);
}
