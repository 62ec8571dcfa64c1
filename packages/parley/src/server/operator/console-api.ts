/**
 * The JSON of the operators' routes below `BASE/operator` (BASE is `/a2a` unless the server says otherwise), as types only. Times
 * are ISO 8601 with milliseconds, durations and sizes are numbers of milliseconds and bytes. Refusals are
 * `application/problem+json`.
 *
 * | route | |
 * |---|---|
 * | `GET server` | ServerInfo |
 * | `GET all-tasks?agent=&state=&context=&tenant=&from=&to=&limit=&after=` | TaskPage |
 * | `GET tasks/ID/events?after=&limit=` | LogPage |
 * | `GET tasks/ID/tree` | TaskTree |
 * | `POST tasks/ID/rerun` with RerunRequest | RerunResult |
 * | `POST contexts/ID/fork` with ForkRequest | ForkResult |
 * | `GET nodes` | NodeList |
 * | `GET metrics` | MetricsSnapshot; only where the console is on |
 * | `GET keys?limit=&after=` | KeyPage |
 * | `POST relay` with RelayRequest | the bytes of the response of the outside agent; only where the console is on |
 * | `POST check` with CheckRequest | lines of JSON, each a CheckLine; only where the console is on |
 *
 * `GET tasks` and `GET tasks/ID` are the operations ListTasks and GetTask of A2A for the tasks of every caller.
 */

/** A part of A2A 1.0 JSON: a `Task`, a `Message`, a `StreamResponse`. */
export type A2AJson = Readonly<Record<string, unknown>>;

/** A state as A2A 1.0 writes it, e.g. `TASK_STATE_WORKING`. */
export type WireState = string;

export interface ServerInfo {
  /** That of the package. */
  readonly version: string;
  /** The name of the node that responds. */
  readonly node: string;
  readonly startedAt: string;
  /** E.g. `/a2a`. */
  readonly basePath: string;
  readonly agents: readonly AgentInfo[];
  readonly store: {
    readonly kind: 'memory' | 'sqlite' | 'postgres' | 'other';
    /** Several nodes may use it. */
    readonly isShared: boolean;
  };
  readonly auth: {
    /** Credentials are asked for; this caller has those of an operator. */
    readonly isOn: boolean;
    /** The kinds of credentials that are taken, e.g. `http`, `apiKey`, `mutualTLS`; cards have the details. */
    readonly schemes: readonly string[];
  };
  readonly features: {
    /** Webhooks are served at `push`. */
    readonly push: boolean;
    /** The console is on: `metrics`, `relay` and `check` are served. */
    readonly console: boolean;
    /** The outside agents that the relay reaches; undefined if there is none. */
    readonly relay?: RelayReach | undefined;
    /** The address that shows a trace, with `{traceId}` for the id; undefined if none is set. */
    readonly tracingUrl?: string | undefined;
  };
  /** In milliseconds; undefined is for ever. */
  readonly retention: Readonly<
    Record<'tasks' | 'contexts' | 'events' | 'keys' | 'deliveries' | 'journals', number | undefined>
  >;
}

/** `public`: addresses of the internet; `machine`: those, and the loopback addresses of the server's own machine. */
export type RelayReach = 'public' | 'machine';

export interface AgentInfo {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The path at which it is called, e.g. `/a2a/agents/echo`; the same origin as this page. */
  readonly path: string;
  /** It is also at `basePath`. */
  readonly isDefault: boolean;
  /** Its runs go on after a crash; they can be run again from a step. */
  readonly isResumable: boolean;
}

export interface TaskPage {
  /** By the time of their status, the latest first. */
  readonly tasks: readonly TaskRow[];
  /** `after` of the next page; undefined at the end. */
  readonly next?: string | undefined;
  /** Matches of the filters in all, whatever the page; `to` is not counted. */
  readonly total: number;
}

export interface TaskRow {
  readonly id: string;
  readonly contextId: string;
  readonly agent: string;
  readonly state: WireState;
  readonly createdAt: string;
  /** The time of the status. */
  readonly statusAt: string;
  /** The number of events in its log. */
  readonly seq: number;
  /** `queued`: it waits for a slot; `running`: a run works; `waiting`: for its caller; `ended`. */
  readonly activity: TaskActivity;
  /** The node that has it at work. */
  readonly node?: string | undefined;
  /** The summary of the agent, in one line (`task.summary`). */
  readonly summary?: string | undefined;
  /** The beginning of its first message, in one line; undefined where there is a summary, or no words. */
  readonly firstWords?: string | undefined;
  /** The caller that it belongs to; members are left out where they are empty. */
  readonly owner: { readonly tenant?: string | undefined; readonly subject?: string | undefined };
}

export type TaskActivity = 'queued' | 'running' | 'waiting' | 'ended';

/** A page of the log of a task. */
export interface LogPage {
  readonly taskId: string;
  readonly contextId: string;
  readonly agent: string;
  readonly events: readonly LogEntry[];
  /** The last seq that the log has. */
  readonly lastSeq: number;
  /** The first events are gone: retention has removed those up to this seq. */
  readonly trimmedTo?: number | undefined;
  /** `after` of the next page; undefined at the end of what is there now. */
  readonly next?: number | undefined;
}

export interface LogEntry {
  readonly seq: number;
  readonly time: string;
  /** `note`: metadata alone, which readers see with the next status. */
  readonly kind: 'created' | 'message' | 'status' | 'artifact' | 'note';
  /** The size of `event` as JSON. */
  readonly bytes: number;
  /**
   * As A2A 1.0 has it: a StreamResponse (`task`, `message`, `statusUpdate` or `artifactUpdate`), or `{ metadata }` of a note. Left out
   * where it alone is larger than a page; its stream has it.
   */
  readonly event?: A2AJson | undefined;
}

export interface TaskTree {
  readonly root: TreeTask;
  /** More tasks belong to it than one response shows. */
  readonly isCut: boolean;
}

export interface TreeTask {
  readonly taskId: string;
  readonly agent: string;
  /** Undefined for a task that this server does not have: one of another server, or one that was removed. */
  readonly found?: FoundTask | undefined;
  /** The address of the server that has it; undefined: this one. */
  readonly url?: string | undefined;
  readonly children: readonly TreeTask[];
}

export interface FoundTask {
  readonly contextId: string;
  readonly state: WireState;
  readonly summary?: string | undefined;
  readonly createdAt: string;
  /** Undefined while it has not. */
  readonly endedAt?: string | undefined;
  /** The time from its creation to its end, cut where what it does changes. */
  readonly spans: readonly TreeSpan[];
  /** Only for resumable runs. */
  readonly steps: readonly TreeStep[];
  readonly traceId?: string | undefined;
  /** The task that it is a rerun of. */
  readonly rerunOf?: string | undefined;
}

export interface TreeSpan {
  /** The activity of the task meanwhile: it waited for a slot, worked, or waited for its caller. */
  readonly kind: 'queued' | 'running' | 'waiting';
  readonly from: string;
  /** Undefined: until now. */
  readonly to?: string | undefined;
}

export interface TreeStep {
  /** With how often the name has come, e.g. `fetch 2`: the `fromStep` of a rerun. */
  readonly name: string;
  /** Undefined for steps that an earlier release recorded. */
  readonly from?: string | undefined;
  readonly to: string;
  /** The last seq of the log by then. */
  readonly seq: number;
  /** Done by the task that this one is a rerun of, and not again. */
  readonly isKept?: boolean | undefined;
}

export interface RerunRequest {
  /** A Message of A2A 1.0 in place of the first one; `messageId`, `taskId` and `contextId` in it count for nothing. */
  readonly message?: A2AJson | undefined;
  /** Only for a resumable run: begins again with what was recorded before this step, which runs again. */
  readonly fromStep?: string | undefined;
}

export interface RerunResult {
  readonly taskId: string;
  readonly contextId: string;
  readonly agent: string;
}

export interface ForkRequest {
  /** The owner of the context; default: that of the task `upTo`, or else the anonymous caller. */
  readonly owner?: { readonly tenant?: string | undefined; readonly subject?: string | undefined } | undefined;
  /** The last task that the new context has; default: all of them. */
  readonly upTo?: string | undefined;
}

export interface ForkResult {
  readonly contextId: string;
  /** The tasks of the new context, the oldest first. */
  readonly taskIds: readonly string[];
}

export interface NodeList {
  readonly nodes: readonly NodeInfo[];
  /** The turns that wait for any node, where nodes share their store. */
  readonly queue?: { readonly turns: number; readonly oldestAt?: string | undefined } | undefined;
}

interface NodeInfo {
  readonly name: string;
  readonly role: 'all' | 'front' | 'worker';
  /** The node that responds. */
  readonly isThis: boolean;
}

/** The health of the node that responds. Rates and latencies are of points of equal length, the oldest first; the last one is complete. */
export interface MetricsSnapshot {
  readonly at: string;
  readonly startedAt: string;
  readonly node: string;
  /** Milliseconds that one point covers. */
  readonly step: number;
  readonly points: readonly MetricsPoint[];
  readonly now: {
    /** Tasks in memory. */
    readonly tasks: number;
    /** Open streams. */
    readonly streams: number;
    /** Runs that wait for a slot. */
    readonly runsWaiting: number;
    readonly commitsWaiting: number;
    readonly webhooksAwake: number;
    readonly isStoreFailing: boolean;
    readonly heapBytes: number;
    readonly residentBytes: number;
    readonly uptime: number;
  };
  /** Since the start. */
  readonly totals: {
    readonly operations: number;
    readonly failures: number;
    readonly events: number;
    readonly tasksEnded: Readonly<Record<string, number>>;
  };
}

export interface MetricsPoint {
  /** Its end. */
  readonly at: string;
  readonly operations: number;
  /** Operations that failed inside of the server. */
  readonly failures: number;
  /** Events that were committed. */
  readonly events: number;
  /** Milliseconds of operations that do not stream; undefined if there were none. */
  readonly latency?: { readonly p50: number; readonly p95: number; readonly max: number } | undefined;
  readonly streams: number;
  readonly runsWaiting: number;
  /** The longest delay of the event loop, in milliseconds. */
  readonly loopDelay: number;
  readonly heapBytes: number;
}

export interface KeyPage {
  readonly keys: readonly KeyInfo[];
  readonly next?: string | undefined;
}

/** An API key of the store; its secret and the digest of it are never shown. */
export interface KeyInfo {
  readonly id: string;
  readonly subject: string;
  readonly tenant?: string | undefined;
  readonly scopes: readonly string[];
  readonly createdAt: string;
}
