import type { TaskEvent } from '../../../engine/log/events.ts';
import type { JournalEntry, Store, TaskHead } from '../../../engine/ports.ts';
import { isoTime } from '../../../model/basics/timestamps.ts';
import { taskNotFound } from '../../../model/errors/errors.ts';
import { type ChildTask, childrenOf } from '../../../model/extensions/calls.ts';
import { copySourceOf } from '../../../model/extensions/copies.ts';
import { summaryOf } from '../../../model/extensions/summary.ts';
import { traceIdsOf } from '../../../model/extensions/trace.ts';
import { isTerminal } from '../../../model/states.ts';
import type { FoundTask, TaskTree, TreeSpan, TreeStep, TreeTask } from '../console-api.ts';
import type { OperatorResource } from '../operator-routes.ts';
import { activityOf } from './task-rows.ts';
import { wireState } from './wire-state.ts';

/** The most tasks, and the most steps of one of them, that a tree shows. */
const MOST_TASKS = 200;
const MOST_STEPS = 200;
const DEEPEST = 32;

type TreeStore = Pick<Store, 'load' | 'read' | 'journal'>;

/** The tasks that a task has started, and those that they have, with where their time went. */
export function taskTree(store: TreeStore): OperatorResource {
  return {
    method: 'GET',
    async respond({ id }): Promise<TaskTree> {
      const reading = new TreeReading(store);
      const root = await reading.task({ taskId: id, agent: '' }, 0);
      if (!root.found) throw taskNotFound(id);
      return { root, isCut: reading.isCut };
    },
  };
}

class TreeReading {
  readonly #store: TreeStore;
  readonly #seen = new Set<string>();
  isCut = false;

  constructor(store: TreeStore) {
    this.#store = store;
  }

  async task({ taskId, agent, url }: ChildTask, depth: number): Promise<TreeTask> {
    const place = { taskId, ...(url !== undefined && { url }) };
    const mayLook = url === undefined && !this.#seen.has(taskId) && this.#seen.size < MOST_TASKS && depth < DEEPEST;
    if (!mayLook) {
      if (url === undefined) this.isCut = true;
      return { ...place, agent, children: [] };
    }
    this.#seen.add(taskId);
    const [stored] = await this.#store.load([taskId], { history: true, artifacts: false });
    if (!stored) return { ...place, agent, children: [] };
    const { head, events } = stored;
    const children: TreeTask[] = [];
    for (const child of childrenOf(head.metadata)) children.push(await this.task(child, depth + 1));
    return { ...place, agent: head.agent, found: await this.#found(head, events), children };
  }

  async #found(head: TaskHead, events: readonly TaskEvent[]): Promise<FoundTask> {
    const { contextId, status, metadata, createdAt, statusTime, id } = head;
    const first = events.find((event) => event.kind === 'message');
    const source =
      copySourceOf(metadata) ?? (first?.kind === 'message' ? copySourceOf(first.message.metadata) : undefined);
    return {
      contextId,
      state: wireState(status.state),
      summary: summaryOf(metadata),
      createdAt: isoTime(createdAt),
      endedAt: isTerminal(status.state) ? isoTime(statusTime) : undefined,
      spans: spansOf(head, events),
      steps: await this.#steps(id, createdAt),
      traceId: traceIdsOf(metadata)?.traceId,
      rerunOf: source?.taskId,
    };
  }

  async #steps(taskId: string, createdAt: number): Promise<readonly TreeStep[]> {
    const recorded = (await this.#store.journal(taskId)).filter(({ body }) => body.kind === 'step');
    if (recorded.length > MOST_STEPS) this.isCut = true;
    const steps: TreeStep[] = [];
    for (const entry of recorded.slice(0, MOST_STEPS)) steps.push(await this.#step(taskId, createdAt, entry));
    return steps;
  }

  async #step(taskId: string, createdAt: number, { seq, body }: JournalEntry): Promise<TreeStep> {
    const name = typeof body.step === 'string' ? body.step : '';
    const { begunAt } = body;
    const ended = typeof body.endedAt === 'number' ? body.endedAt : await this.#timeOf(taskId, seq);
    const from = typeof begunAt === 'number' ? isoTime(begunAt) : undefined;
    return { name, from, to: isoTime(ended), seq, ...(ended < createdAt && { isKept: true }) };
  }

  /** The time of an event. Earlier releases recorded steps without their times: then it is that of the log's last event. */
  async #timeOf(taskId: string, seq: number): Promise<number> {
    const [event] = await this.#store.read(taskId, Math.max(0, seq - 1), { events: 1, bytes: 1 });
    return event?.time ?? 0;
  }
}

/** The first run had its slot at once, though its task was made later than its message came. */
function hasBegunAtOnce(events: readonly TaskEvent[]): boolean {
  const first = events.find((event) => event.kind === 'status');
  return first?.status.state === 'working' && first.queued === undefined;
}

/**
 * Cuts the life of a task where it began to wait for a slot, to work, or to wait for its caller. The first events of a rerun from a
 * step are older than the task, and count from its beginning on.
 */
function spansOf({ createdAt, status }: TaskHead, events: readonly TaskEvent[]): readonly TreeSpan[] {
  const spans: TreeSpan[] = [];
  let from = createdAt;
  let kind: TreeSpan['kind'] | 'ended' = hasBegunAtOnce(events) ? 'running' : 'queued';
  const change = (time: number, next: typeof kind) => {
    if (next === kind) return;
    const at = Math.max(time, createdAt);
    if (kind !== 'ended' && at > from) spans.push({ kind, from: isoTime(from), to: isoTime(at) });
    from = at;
    kind = next;
  };
  for (const event of events) {
    if (event.kind === 'status') change(event.time, event.queued ? 'queued' : activityOf(event.status.state));
    // A turn waits for its slot until the status says that it works.
    else if (event.kind === 'message' && (kind as string) === 'waiting') change(event.time, 'queued');
  }
  if (!isTerminal(status.state) && (kind as string) !== 'ended') spans.push({ kind, from: isoTime(from) } as TreeSpan);
  return spans;
}
