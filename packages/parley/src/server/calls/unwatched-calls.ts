import type { RunHandle } from '../../engine/turn/runner.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { TaskState } from '../../model/states.ts';
import type { StreamEvent } from '../../model/task.ts';
import type { StartedCall } from './started-call.ts';

/** The time that news of the end has to come, once the deadline of a call has passed. */
const LAST_NEWS_MS = 10_000;

const FAILED = 'A call of another agent failed, and nobody waited for it';

/** A call, and when its caller stops waiting for it, in milliseconds since the epoch. */
interface Unwatched {
  readonly call: StartedCall;
  readonly deadline: number;
}

/**
 * Calls of runs that nobody awaits or reads. Once their run is over, each is followed to its end, so that the log tells where
 * it has failed; until then nobody reads its stream. A call that is awaited after all is no longer one of them.
 */
export class UnwatchedCalls {
  readonly #now: () => number;
  readonly #open = new WeakMap<RunHandle, Map<StartedCall, Unwatched>>();
  /** Runs that have returned: what they begin now is no part of them. */
  readonly #over = new WeakSet<RunHandle>();
  readonly #closing = new AbortController();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Ends the streams of all calls. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  isOver(handle: RunHandle): boolean {
    return this.#over.has(handle);
  }

  add(handle: RunHandle, call: StartedCall, deadline: number): void {
    const one = { call, deadline };
    if (this.#over.has(handle) || (handle.isAborted && !handle.goesOnElsewhere)) {
      void this.#settleLate(handle, one);
      return;
    }
    const calls = this.#open.get(handle) ?? new Map<StartedCall, Unwatched>();
    this.#open.set(handle, calls.set(call, one));
  }

  /** Somebody hears of the call. */
  remove(handle: RunHandle, call: StartedCall): void {
    this.#open.get(handle)?.delete(call);
  }

  /** The run is over: resolves when its calls have been sent. Undefined where it made no such call. */
  settle(handle: RunHandle): Promise<void> | undefined {
    this.#over.add(handle);
    const calls = this.#open.get(handle);
    return calls && calls.size > 0 ? this.#settle(handle, [...calls.values()]) : undefined;
  }

  /** Follows no call any further. */
  close(): void {
    this.#closing.abort(new A2AError('UNAVAILABLE', 'The server is closed'));
  }

  async #settle(handle: RunHandle, calls: readonly Unwatched[]): Promise<void> {
    await Promise.all(calls.map(({ call }) => call.sent));
    for (const one of calls) this.#release(handle, one);
  }

  /** A call that was begun after its run; whoever made it has had the time to await it. */
  async #settleLate(handle: RunHandle, one: Unwatched): Promise<void> {
    await one.call.sent;
    await handle.nextTurn();
    this.#release(handle, one);
  }

  #release(handle: RunHandle, one: Unwatched): void {
    const { failure, isWatched } = one.call;
    if (isWatched) return;
    if (failure) handle.warn(FAILED, { error: failure.error });
    else void this.#follow(handle, one);
  }

  async #follow(handle: RunHandle, { call, deadline }: Unwatched): Promise<void> {
    const events = call.unwatchedEvents();
    const left = Math.max(deadline - this.#now(), 0) + LAST_NEWS_MS;
    const stop = handle.after(left, () => void events.return?.());
    let seen: Seen = {};
    try {
      for await (const event of events) seen = seenIn(event) ?? seen;
      if (!call.isWatched && hasFailed(seen)) handle.warn(FAILED, { ...seen });
    } catch (error) {
      if (!call.isWatched && !this.signal.aborted) handle.warn(FAILED, { child: seen.child, error });
    } finally {
      stop();
    }
  }
}

/** The last news of a child. */
interface Seen {
  readonly child?: string;
  readonly state?: TaskState;
}

function seenIn(event: StreamEvent): Seen | undefined {
  switch (event.kind) {
    case 'task':
      return { child: event.task.id, state: event.task.status.state };
    case 'status':
      return { child: event.taskId, state: event.status.state };
    case 'artifact':
      return undefined;
    case 'message':
      return {};
  }
}

/** A child that still works was left at its deadline. One that asks has not failed: its answer may come from elsewhere. */
function hasFailed({ state }: Seen): boolean {
  return state === 'failed' || state === 'rejected' || state === 'working' || state === 'submitted';
}
