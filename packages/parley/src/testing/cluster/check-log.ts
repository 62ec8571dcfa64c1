import { isInterrupted, isTerminal } from '../../model/states.ts';
import { type ClusterCounts, LogCounts } from './counts.ts';
import { shareOf } from './digest.ts';
import { type ClusterFinding, FindingList } from './findings.ts';
import type { ClusterLogEntry, EndedEntry, TaskEntry } from './log-entry.ts';
import { MessageCheck } from './message-check.ts';
import { TaskReference } from './reference.ts';
import { StreamCheck } from './stream-check.ts';
import { WriterCheck } from './writer-check.ts';

/** Reads a log from its beginning; called several times. */
export type ReadClusterLog = () => Iterable<ClusterLogEntry> | AsyncIterable<ClusterLogEntry>;

export interface CheckLogOptions {
  /**
   * The number of parts to check the tasks in. The checker reads the log twice for each part, and keeps only the events
   * of one part in memory. Default 1.
   */
  readonly parts?: number | undefined;
}

/** The result of a check. */
export interface ClusterReport {
  /** The first 1,000 of them. */
  readonly findings: readonly ClusterFinding[];
  /** The number of all findings. */
  readonly count: number;
  /** The contents of the log. A check of nothing finds nothing: look whether these are what you expect. */
  readonly seen: ClusterCounts;
}

/**
 * Proves from the logs of clients, and of nodes where there are any, what a cluster promises: every acknowledged message is
 * in its task, each client saw each event once and in order, no two nodes wrote one task at the same time, and every task
 * ended or waits. It knows nothing but the log.
 */
export async function checkClusterLog(
  read: ReadClusterLog,
  { parts = 1 }: CheckLogOptions = {},
): Promise<ClusterReport> {
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError(`parts is a number from 1 on, not ${parts}`);
  const findings = new FindingList();
  const counts = new LogCounts();
  for (let part = 0; part < parts; part += 1) {
    const check = new PartCheck(findings, (name) => shareOf(name, parts) === part);
    for await (const entry of read()) {
      if (part === 0) counts.add(entry);
      check.collect(entry);
    }
    for await (const entry of read()) check.judge(entry);
    check.finish();
  }
  return { findings: findings.kept, count: findings.count, seen: counts.result };
}

/** The check of those tasks, clients and messages that are of one part. */
class PartCheck {
  readonly #findings: FindingList;
  readonly #isOurs: (name: string) => boolean;
  readonly #tasks = new Map<string, TaskReference>();
  /** The tasks that clients were told of, with one of these clients. */
  readonly #acknowledged = new Map<string, string>();
  readonly #streams = new Map<string, StreamCheck>();
  readonly #writers = new Map<string, WriterCheck>();
  readonly #messages: MessageCheck;
  #found = 0;
  readonly #existing = new Set<string>();

  constructor(findings: FindingList, isOurs: (name: string) => boolean) {
    this.#findings = findings;
    this.#isOurs = isOurs;
    this.#messages = new MessageCheck(findings);
  }

  /** The first reading: all that readers saw of a task. */
  collect(entry: ClusterLogEntry): void {
    if (entry.kind === 'sent' && this.#isOurs(entry.messageId)) this.#messages.send(entry);
    if (entry.kind === 'task') this.#found += 1;
    if (entry.kind === 'task' && entry.state !== 'missing') this.#existing.add(entry.taskId);
    if (!('taskId' in entry) || !this.#isOurs(entry.taskId)) return;
    if (entry.kind === 'event') this.#taskOf(entry.taskId).see(entry);
    if (entry.kind === 'task') this.#taskOf(entry.taskId).found = entry;
    if (entry.kind === 'acknowledged') this.#acknowledged.set(entry.taskId, entry.client);
    if (entry.kind === 'commit') this.#writerOf(entry.taskId).add(entry);
  }

  /** The second reading: each client against all of them. */
  judge(entry: ClusterLogEntry): void {
    switch (entry.kind) {
      case 'acknowledged':
        if (this.#isOurs(entry.messageId)) this.#messages.acknowledge(entry);
        return;
      case 'opened':
        this.#streamOf(entry.client).open(entry);
        return;
      case 'event':
        if (this.#isOurs(entry.taskId)) this.#streamOf(entry.client).see(entry, this.#taskOf(entry.taskId));
        return;
      case 'ended':
        this.#streamOf(entry.client).isOver = true;
        if (this.#isOurs(entry.taskId)) this.#end(entry);
        return;
      case 'gave-up': {
        const { client, error } = entry;
        const text = `Client ${client} gave up: ${error}`;
        this.#streamOf(client).isOver = true;
        if (this.#isOurs(client)) this.#findings.add({ fault: 'client-gave-up', text, client });
        return;
      }
      case 'task':
        this.#messages.find(entry, this.#isOurs);
        if (this.#isOurs(entry.taskId)) this.#judgeState(entry);
        return;
      case 'sent':
      case 'lost':
      case 'commit':
        return;
    }
  }

  finish(): void {
    // Tasks are missed only if a client has looked for them.
    if (this.#found > 0) this.#findMissing();
    this.#messages.finish((taskId) => this.#existing.has(taskId));
    for (const [client, { isOver }] of this.#streams) {
      if (isOver || !this.#isOurs(client)) continue;
      const text = `Client ${client} neither came to the end of its stream nor gave up`;
      this.#findings.add({ fault: 'client-unfinished', text, client });
    }
    for (const [taskId, writers] of this.#writers) writers.finish(taskId, this.#findings);
  }

  #end(entry: EndedEntry): void {
    const { client, taskId, state, text } = entry;
    const reference = this.#taskOf(taskId);
    this.#streamOf(client).end(entry, reference);
    const { found } = reference;
    if (!found || found.state === 'missing' || !isTerminal(state)) return;
    if (found.state !== state) {
      const sentence = `Client ${client} saw task ${taskId} end ${state}, but it is ${found.state}`;
      this.#findings.add({ fault: 'state-differs', text: sentence, taskId, client });
    } else if (found.text !== text) {
      const sentence = `Client ${client} was given another text than task ${taskId} has`;
      this.#findings.add({ fault: 'text-differs', text: sentence, taskId, client });
    }
  }

  #judgeState({ taskId, state }: TaskEntry): void {
    if (state === 'missing' || isTerminal(state) || isInterrupted(state)) return;
    this.#findings.add({ fault: 'task-unfinished', text: `Task ${taskId} is still ${state}`, taskId });
  }

  #findMissing(): void {
    for (const [taskId, client] of this.#acknowledged) {
      const state = this.#taskOf(taskId).found?.state;
      if (state !== undefined && state !== 'missing') continue;
      const text = `Task ${taskId} does not exist, though client ${client} was told of it`;
      this.#findings.add({ fault: 'task-missing', text, taskId, client });
    }
  }

  #taskOf(taskId: string): TaskReference {
    return madeOnce(this.#tasks, taskId, () => new TaskReference());
  }

  #streamOf(client: string): StreamCheck {
    return madeOnce(this.#streams, client, () => new StreamCheck(client, this.#findings));
  }

  #writerOf(taskId: string): WriterCheck {
    return madeOnce(this.#writers, taskId, () => new WriterCheck());
  }
}

function madeOnce<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
