import type { RunEvent } from '../../agent/run-event.ts';
import type { Call } from '../../model/call.ts';
import type { OperationInputs, OperationName } from '../../model/operations.ts';
import { type AgentTransform, chained, type Transform } from '../operations/transforms.ts';
import { type AnyAround, doingOnce, outlasting } from './once.ts';
import type {
  AgentCallOutcome,
  InterceptedAgentCall,
  InterceptedCommit,
  InterceptedStep,
  InterceptedTurn,
  InterceptedWebhook,
  OperationOutcome,
  TurnOutcome,
  WebhookOutcome,
} from './subjects.ts';

/**
 * Functions around the work of a server. Each calls `next` once and returns what that resolves with; a second call throws, or
 * returns the first promise around a commit. The first interceptor of a server is the outermost.
 */
export interface ServerInterceptor {
  /**
   * Around each operation that a client asks for, after its parameters are read. An A2AError that is thrown here refuses the
   * call in the client's own dialect. For a stream, `next` resolves when it has begun; `call.onEnd` tells of its end.
   * `input` has the parameters; it is shared with the operation, so change nothing in it.
   */
  operation?(
    call: Call,
    next: () => Promise<OperationOutcome>,
    input: OperationInputs[OperationName],
  ): Promise<OperationOutcome>;
  /** Around each run of an agent. The task fails where it throws. */
  run?(turn: InterceptedTurn, next: () => Promise<TurnOutcome>): Promise<TurnOutcome>;
  /** Around each write to the store. A write that throws is tried again, through the interceptors as well. */
  commit?(commit: InterceptedCommit, next: () => Promise<void>): Promise<void>;
  /** Around each step of a run that is done, with all its attempts. The step fails where it throws. */
  step?(step: InterceptedStep, next: () => Promise<void>): Promise<void>;
  /**
   * Around each call of one agent to another. `next` resolves when the other agent's turn is over, as far as the run reads
   * it. What is thrown before `next` is called refuses the call.
   */
  call?(call: InterceptedAgentCall, next: () => Promise<AgentCallOutcome>): Promise<AgentCallOutcome>;
  /** Around each request to a webhook. What it throws is a failed attempt, which is repeated. */
  webhook?(webhook: InterceptedWebhook, next: () => Promise<WebhookOutcome>): Promise<WebhookOutcome>;
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

type Around<Subject, Outcome, Input = void> = (
  subject: Subject,
  next: () => Promise<Outcome>,
  input: Input,
) => Promise<Outcome>;

/** The kinds of interceptors that are around something, each with its own subject and outcome. */
interface Arounds {
  operation?: Around<Call, OperationOutcome, OperationInputs[OperationName]>;
  run?: Around<InterceptedTurn, TurnOutcome>;
  commit?: Around<InterceptedCommit, void>;
  step?: Around<InterceptedStep, void>;
  call?: Around<InterceptedAgentCall, AgentCallOutcome>;
  webhook?: Around<InterceptedWebhook, WebhookOutcome>;
}

const KINDS = ['operation', 'run', 'commit', 'step', 'call', 'webhook'] as const satisfies readonly (keyof Arounds)[];

/** The interceptors of a server, one function for each kind; undefined if there is none, so that it costs nothing. */
export class Interceptors {
  operation: Arounds['operation'] | undefined;
  run: Arounds['run'] | undefined;
  commit: Arounds['commit'] | undefined;
  step: Arounds['step'] | undefined;
  call: Arounds['call'] | undefined;
  webhook: Arounds['webhook'] | undefined;
  #transform: Transform | undefined;
  #listeners: readonly ((event: RunEvent) => void)[] = [];

  /** Adds one inside of those that are there. */
  add(interceptor: ServerInterceptor): void {
    const added = membersOf(interceptor);
    const transform = boundMember(interceptor, 'transform');
    const event = boundMember(interceptor, 'event');
    for (const kind of KINDS) this.#put(kind, this[kind], added[kind]);
    if (transform) this.#transform = chained(this.#transform, transform);
    if (event) this.#listeners = [...this.#listeners, event];
  }

  /** Those who are told of events of runs; empty without listeners. */
  get listeners(): readonly ((event: RunEvent) => void)[] {
    return this.#listeners;
  }

  /** Adds one around those that are there. */
  addOutermost(interceptor: Omit<ServerInterceptor, 'transform'>): void {
    const added = membersOf(interceptor);
    const event = boundMember(interceptor, 'event');
    for (const kind of KINDS) this.#put(kind, added[kind], this[kind]);
    if (event) this.#listeners = [event, ...this.#listeners];
  }

  #put<Kind extends keyof Arounds>(
    kind: Kind,
    outer: Arounds[Kind] | undefined,
    inner: Arounds[Kind] | undefined,
  ): void {
    const both = outer && inner ? inside(outer as AnyAround, inner as AnyAround) : (outer ?? inner);
    (this as Arounds)[kind] = both as Arounds[Kind];
  }

  /** Returns the change of all that readers of an agent are sent; undefined where nothing is to be changed at all. */
  transformOf(agent: string): AgentTransform | undefined {
    const transform = this.#transform;
    return transform && ((event, info) => transform(event, { ...info, agent }));
  }
}

/** A member of an extension as a function that needs no `this`; undefined if there is none. */
export function boundMember<Extension extends object, Name extends keyof Extension & string>(
  extension: Extension,
  name: Name,
): Extension[Name] | undefined {
  const member: unknown = extension[name];
  if (member === undefined || member === null) return undefined;
  if (typeof member !== 'function') throw new TypeError(`${name} of an extension must be a function`);
  return member.bind(extension);
}

/** The members of an interceptor. A write is the one kind of work that is tried again where an interceptor fails. */
function membersOf(interceptor: ServerInterceptor): Arounds {
  const members: Partial<Record<keyof Arounds, AnyAround>> = {};
  for (const kind of KINDS) {
    const member = boundMember(interceptor, kind) as AnyAround | undefined;
    if (member) members[kind] = kind === 'commit' ? outlasting(member) : doingOnce(kind, member);
  }
  return members as Arounds;
}

function inside(outer: AnyAround, inner: AnyAround): AnyAround {
  return (subject, next, input) => outer(subject, () => inner(subject, next, input), input);
}
