import type { RunEvent } from '../../agent/run-event.ts';
import type { Call, Caller, TraceContext } from '../../model/call.ts';
import type { OperationResults, UnaryOperationName } from '../../model/operations.ts';
import type { InterruptedState, TerminalState } from '../../model/states.ts';
import type { Message } from '../../model/task.ts';
import { type AgentTransform, chained, type Transform } from '../operations/transforms.ts';

/** What an operation came to: its result, a bare message in the place of a stream, or a stream that has begun. */
export type OperationOutcome = {
  /** It is the outcome of an earlier send with the same idempotency key. */
  readonly isReplayed?: boolean | undefined;
} & (
  | { readonly kind: 'result'; readonly result: OperationResults[UnaryOperationName] }
  | { readonly kind: 'reply'; readonly message: Message }
  | { readonly kind: 'stream' }
);

/** One run of an agent for one message. */
export interface InterceptedTurn {
  /** The name in the agent's address. */
  readonly agent: string;
  readonly taskId: string;
  readonly contextId: string;
  /** The owner of the task. */
  readonly caller: Pick<Caller, 'subject' | 'tenant'>;
  /** 1 for the first run of a turn, one more for each run that takes the place of a lost one. */
  readonly attempt: number;
  /** The dialect in which the message came, and the trace that it is part of, where they are known. */
  readonly dialect: string | undefined;
  readonly trace: TraceContext | undefined;
  /** Makes what the run starts (calls of agents, requests of clients) part of another span or trace. Before `next()`. */
  continueTrace(trace: TraceContext): void;
  /** Aborted when the turn is canceled or out of time. */
  readonly signal: AbortSignal;
}

/** How a run ended. `reply`: with a message, which completes the task where there is one. */
export interface TurnOutcome {
  readonly state: 'reply' | TerminalState | InterruptedState;
}

/** One write to the store; it may hold the events of several tasks. */
export interface InterceptedCommit {
  readonly taskIds: readonly string[];
  /** The number of events in it. */
  readonly events: number;
}

/**
 * Functions around the work of a server. Each calls `next` once and returns what that resolves with. The first interceptor of
 * a server is the outermost.
 */
export interface ServerInterceptor {
  /**
   * Around each operation that a client asks for, after its parameters are read. An A2AError that is thrown here refuses the
   * call in the client's own dialect. For a stream, `next` resolves when it has begun; `call.onEnd` tells of its end.
   */
  operation?(call: Call, next: () => Promise<OperationOutcome>): Promise<OperationOutcome>;
  /** Around each run of an agent. The task fails where it throws. */
  run?(turn: InterceptedTurn, next: () => Promise<TurnOutcome>): Promise<TurnOutcome>;
  /** Around each write to the store. A write that throws is tried again, through the interceptors as well. */
  commit?(commit: InterceptedCommit, next: () => Promise<void>): Promise<void>;
  /**
   * Changes what clients are sent, never what is stored: events of streams, and tasks and messages in the responses of
   * all other operations (`kind: 'task'`, `kind: 'message'`). Undefined leaves out an update that ends nothing. It must
   * return the same for the same event every time, and keep its kind, its ids and its state. An error that it throws
   * fails the request. The other interceptors see what it returns.
   */
  readonly transform?: Transform | undefined;
  /**
   * Told of work inside of a run that is worth measuring: calls of language models and of their tools. Nothing waits for
   * it, and what it throws is logged.
   */
  event?(event: RunEvent): void;
}

type Around<Subject, Outcome> = (subject: Subject, next: () => Promise<Outcome>) => Promise<Outcome>;

/** The interceptors of a server, one function for each kind; undefined where there is none, so that it costs nothing. */
export class Interceptors {
  operation: Around<Call, OperationOutcome> | undefined;
  run: Around<InterceptedTurn, TurnOutcome> | undefined;
  commit: Around<InterceptedCommit, void> | undefined;
  #transform: Transform | undefined;
  #listeners: readonly ((event: RunEvent) => void)[] = [];

  /** Adds one inside of those that are there. */
  add(interceptor: ServerInterceptor): void {
    const operation = boundMember(interceptor, 'operation');
    const run = boundMember(interceptor, 'run');
    const commit = boundMember(interceptor, 'commit');
    const transform = boundMember(interceptor, 'transform');
    const event = boundMember(interceptor, 'event');
    if (operation) this.operation = inside(this.operation, operation);
    if (run) this.run = inside(this.run, run);
    if (commit) this.commit = inside(this.commit, commit);
    if (transform) this.#transform = chained(this.#transform, transform);
    if (event) this.#listeners = [...this.#listeners, event];
  }

  /** Those who are told of events of runs; empty where nobody listens. */
  get listeners(): readonly ((event: RunEvent) => void)[] {
    return this.#listeners;
  }

  /** Returns the change of all that readers of an agent are sent; undefined where nothing is to be changed at all. */
  transformOf(agent: string): AgentTransform | undefined {
    const transform = this.#transform;
    return transform && ((event, info) => transform(event, { ...info, agent }));
  }
}

/** A member of an extension as a function that needs no `this`; undefined where there is none. */
export function boundMember<Extension extends object, Name extends keyof Extension & string>(
  extension: Extension,
  name: Name,
): Extension[Name] | undefined {
  const member: unknown = extension[name];
  if (member === undefined || member === null) return undefined;
  if (typeof member !== 'function') throw new TypeError(`${name} of an extension must be a function`);
  return member.bind(extension);
}

/** One function inside of another. What either throws before it returns its promise is a rejection. */
function inside<Subject, Outcome>(
  outer: Around<Subject, Outcome> | undefined,
  inner: Around<Subject, Outcome>,
): Around<Subject, Outcome> {
  const checked: Around<Subject, Outcome> = async (subject, next) => inner(subject, next);
  return outer ? (subject, next) => outer(subject, () => checked(subject, next)) : checked;
}
