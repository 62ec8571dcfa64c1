import { taskNotFound } from '../../../model/errors/errors.ts';
import { isTerminal } from '../../../model/states.ts';
import { type StatusMessageRule, TaskFold } from '../../log/task-fold.ts';
import { type TaskIdentity, TaskLog } from '../../log/task-log.ts';
import type { Store, TaskHead, Vault } from '../../ports.ts';
import { loadQueued } from '../../queue/load-queued.ts';
import { EVERYTHING } from '../../read/stored-tasks.ts';
import { loadReplay, NO_REPLAY } from '../../replay/replay.ts';
import type { Runner } from '../../turn/runner.ts';
import type { LeftBehind } from '../actor-options.ts';
import type { WaitingTasks } from '../waiting/waiting-tasks.ts';

/** A stored task, as its next writer needs it. */
export interface LoadedTask {
  readonly head: TaskHead;
  readonly log: TaskLog;
  readonly left?: LeftBehind | undefined;
}

export interface LoadingParts {
  readonly store: Store;
  /** Tasks that are held although nothing writes them. */
  readonly waiting: Pick<WaitingTasks, 'take'>;
  /** The name of this node. */
  readonly node: () => string;
  readonly runners: ReadonlyMap<string, Runner>;
  readonly statusMessage: StatusMessageRule;
  readonly vault: Vault | undefined;
}

/** Loads a task with the turn that it was left in. Rejects where the store has no such task. */
export async function loadTask(parts: LoadingParts, taskId: string): Promise<LoadedTask> {
  return (await loadHeld(parts, taskId)) ?? loadStored(parts, taskId);
}

/** A task that waits for its caller and was held for that; undefined if another node has written it since. */
async function loadHeld({ store, waiting, node }: LoadingParts, taskId: string): Promise<LoadedTask | undefined> {
  const held = waiting.take(taskId);
  const head = held && (await store.head(taskId));
  if (!held || head?.seq !== held.fold.seq) return undefined;
  return { head, log: new TaskLog(identityOf(head), node(), held.fold, head, held.recorded, held.size) };
}

async function loadStored(parts: LoadingParts, taskId: string): Promise<LoadedTask> {
  const { store, node, runners, statusMessage, vault } = parts;
  const [stored] = await store.load([taskId], EVERYTHING);
  if (!stored) throw taskNotFound(taskId);
  const { head } = stored;
  const fold = TaskFold.restore(stored, statusMessage);
  const isOpen = !isTerminal(head.status.state) && runners.get(head.agent)?.resumable;
  const { replay, asksAgain, recorded } = isOpen ? await loadReplay(store, taskId, vault) : NO_REPLAY;
  const queued = await loadQueued(store, head, vault);
  const log = new TaskLog(identityOf(head), node(), fold, head, recorded);
  return { head, log, left: { replay, asksAgain, ...queued } };
}

function identityOf({ id, contextId, agent, owner, createdAt }: TaskHead): TaskIdentity {
  return { id, contextId, agent, owner, createdAt };
}
