import type { Caller, TraceContext } from '../../model/call.ts';
import type { OperationResults, UnaryOperationName } from '../../model/operations.ts';
import type { InterruptedState, TaskState, TerminalState } from '../../model/states.ts';
import type { Message } from '../../model/task.ts';

/** The outcome of an operation: its result, a bare message instead of a stream, or a stream that has begun. */
export type OperationOutcome = {
  /** It is the outcome of an earlier send with the same idempotency key. */
  readonly isReplayed?: boolean | undefined;
} & (
  | { readonly kind: 'result'; readonly result: OperationResults[UnaryOperationName] }
  | { readonly kind: 'reply'; readonly message: Message }
  | { readonly kind: 'stream'; readonly taskId?: string | undefined }
);

/** Work that is part of a trace. */
export interface TracedWork {
  /** The trace that it is part of, where it is known. */
  readonly trace: TraceContext | undefined;
  /** Makes what the work starts (calls of agents, requests of clients) part of another span or trace. Before `next()`. */
  continueTrace(trace: TraceContext): void;
}

/** One run of an agent for one message. */
export interface InterceptedTurn extends TracedWork {
  /** The name in the agent's address. */
  readonly agent: string;
  readonly taskId: string;
  readonly contextId: string;
  /** The owner of the task. */
  readonly caller: Pick<Caller, 'subject' | 'tenant'>;
  /** 1 for the first run of a turn, one more for each run that takes the place of a lost one. */
  readonly attempt: number;
  /** The dialect in which the message came, where it is known. */
  readonly dialect: string | undefined;
  /** Aborted when the turn is canceled or out of time. */
  readonly signal: AbortSignal;
}

/** The end of a run. `reply`: with a message, which completes the task if there is one. */
export interface TurnOutcome {
  readonly state: 'reply' | TerminalState | InterruptedState;
}

/** One write to the store; it may hold the events of several tasks. */
export interface InterceptedCommit {
  readonly taskIds: readonly string[];
  /** The number of events in it. */
  readonly events: number;
}

/** A step of a run that is done now; a resumed run does not do those again that are recorded. */
export interface InterceptedStep extends TracedWork {
  /** The name in the agent's address. */
  readonly agent: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly name: string;
}

/** A call of one agent to another, by `task.call`. */
export interface InterceptedAgentCall extends TracedWork {
  /** The agent that calls: the name in its address. */
  readonly agent: string;
  readonly taskId: string;
  readonly contextId: string;
  /** The agent that is called: its name, as far as it is known yet, and the address of one that is not of this server. */
  readonly target: { readonly name?: string | undefined; readonly url?: string | undefined };
}

/** The end of a call of another agent. */
export interface AgentCallOutcome {
  /** The task that the other agent made of it; undefined where it made none. */
  readonly taskId?: string | undefined;
  /** The state in which the other agent's turn ended; undefined if it was not read so far. */
  readonly state?: 'reply' | TaskState | undefined;
}

/** One request to a webhook: each attempt is one. */
export interface InterceptedWebhook extends TracedWork {
  readonly agent: string;
  readonly taskId: string;
  /** The id of its config. */
  readonly webhookId: string;
  readonly url: string;
  /** The place in the task's log that the request tells of. */
  readonly seq: number;
  /** When the event happened, in milliseconds since the epoch; undefined where the task itself is shown. */
  readonly eventTime: number | undefined;
}

/** The outcome of a request to a webhook. */
export interface WebhookOutcome {
  /** `skipped`: the receiver does not want this message. `disabled`: it wants none any more. */
  readonly kind: 'delivered' | 'skipped' | 'disabled' | 'failed';
  /** The HTTP status of the response; undefined if there was none. */
  readonly status?: number | undefined;
}
