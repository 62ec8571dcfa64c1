import type { TaskStatus } from '../../model/task.ts';
import type { TaskLog } from '../log/task-log.ts';
import type { LoadedTurn } from '../queue/load-queued.ts';
import type { Feed } from '../read/feed.ts';
import type { Replay } from '../replay/replay.ts';
import type { Runner } from '../turn/runner.ts';
import type { Actor } from './actor.ts';
import type { TaskServices } from './task-services.ts';

/** Keeps the live actors, and hears from each of them. */
export interface ActorKeeper {
  /** The actor's task exists from now on. */
  opened(actor: Actor): void;
  /** Nothing runs and nothing is pending: the store has everything. */
  idle(actor: Actor): void;
  /** This node may or can no longer write the task. */
  lost(actor: Actor): void;
  /** The run was let go while it waits for an answer, until some time. The store has everything. */
  parked(actor: Actor, answerBy: number | undefined): void;
}

/** The state in which a stored task was left. */
export interface LeftBehind extends LoadedTurn {
  /** A turn that an earlier process left unfinished. */
  readonly replay?: Replay | undefined;
  /** The status to show again, because the secret that it asked for was lost with the run. */
  readonly asksAgain?: TaskStatus | undefined;
}

export interface ActorOptions extends LeftBehind {
  readonly services: TaskServices;
  readonly keeper: ActorKeeper;
  readonly runner: Runner;
  readonly log: TaskLog;
  readonly feed: Feed;
}
