import type { Call, Caller } from '../../model/call.ts';
import { A2AError, invalidParams } from '../../model/errors/errors.ts';
import type { SendInput } from '../../model/operations.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import type { Message, Task } from '../../model/task.ts';
import type { Remote } from '../node/remote.ts';
import type { Clock, ContextFacet, Owner, PushConfigDraft } from '../ports.ts';
import type { Feed } from '../read/feed.ts';
import type { Feeds } from '../read/feeds.ts';
import type { Snapshot } from '../read/subscription.ts';
import type { SecretArrival } from '../replay/sealed-secret.ts';
import { type Actor, FIRST_MESSAGE_SEQ } from '../task/actor.ts';
import { isElsewhere } from '../task/elsewhere.ts';
import type { KeyDraft } from '../task/opening.ts';
import type { Scope } from '../task/scope.ts';
import type { Tasks } from '../task/tasks.ts';
import { ownTurnLimits } from '../turn/own-limits.ts';
import type { TurnCaller, TurnRequest } from '../turn/runner.ts';
import { isOvertaken, WRITE_ATTEMPTS } from './cancels.ts';
import type { Keys, KeyTarget } from './idempotency-keys.ts';

export interface SendCall {
  readonly scope: Scope;
  readonly input: SendInput;
  /** Extensions that are active for this request. */
  readonly extensions: readonly string[];
  readonly idempotencyKey?: string | undefined;
  /** Under a key: checks the send and returns it as it is to be performed. Only called for the first one. */
  readonly admit?: (() => SendCall | Promise<SendCall>) | undefined;
  /** Under a key: called where this send joins an earlier one. */
  readonly onReplayed?: (() => void) | undefined;
  /** The webhook that comes with it, ready to be stored. */
  readonly push?: PushConfigDraft | undefined;
  /** The turn must be over by then, in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** The request that brought the send; undefined for one that has none. */
  readonly call?: (Pick<Call, 'dialect' | 'trace' | 'onAbort'> & Partial<Pick<Call, 'caller' | 'traffic'>>) | undefined;
  /** Another run of this server waits for the one that this starts. */
  readonly nested?: boolean | undefined;
  /** The message is a credential, whatever the task waits for by the time that it arrives. */
  readonly isSecret?: boolean | undefined;
  /** The stream of the send goes on while the task waits for its caller. */
  readonly staysOpen?: boolean | undefined;
}

/** A send whose message is committed. The caller must call `release` when it no longer reads the feed. */
export interface SentToTask {
  readonly kind: 'task';
  readonly taskId: string;
  readonly contextId: string;
  readonly messageSeq: number;
  /** Returns the task right after the message was logged; where that was not captured, as it is now. */
  readonly snapshot: () => Snapshot;
  /** The turn is already over. */
  readonly isTurnOver: boolean;
  /** Resolves at the status that ends the turn of the message, with the task as it was then if known. */
  readonly turnEnd: Promise<Task | undefined>;
  /** Resolves `turnEnd` at once, with undefined. */
  readonly giveUp: () => void;
  current(): Promise<Task>;
  readonly feed: Feed;
  readonly release: () => void;
}

const NOT_AWAITED = { promise: Promise.resolve(undefined), giveUp: () => {} };

type Reading = Pick<SentToTask, 'kind' | 'messageSeq' | 'feed' | 'turnEnd' | 'giveUp' | 'release'>;

type Sent = { readonly kind: 'reply'; readonly message: Message } | SentToTask;

/** Brings messages to agents: new tasks, follow-ups, and the joining of sends that were made before. */
export class Sends {
  readonly #tasks: Tasks;
  readonly #feeds: Feeds;
  readonly #keys: Keys;
  readonly #remote: Remote;
  readonly #store: ContextFacet;
  readonly #clock: Clock;
  readonly #newId: () => string;

  constructor(options: {
    readonly tasks: Tasks;
    readonly feeds: Feeds;
    readonly keys: Keys;
    readonly remote: Remote;
    readonly store: ContextFacet;
    readonly clock: Clock;
    readonly newId: () => string;
  }) {
    this.#tasks = options.tasks;
    this.#feeds = options.feeds;
    this.#keys = options.keys;
    this.#remote = options.remote;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#newId = options.newId;
  }

  /** `captures` keeps the task as it is right after the message, for a stream to begin with. */
  send(call: SendCall, captures: boolean): Promise<Sent> {
    const { idempotencyKey, input, scope } = call;
    if (idempotencyKey === undefined) return this.#start(call, captures);
    // A repeated send may well be part of another trace.
    const { trace: _, ...request } = input;
    return this.#keys.once<Sent>(
      { ...scope.owner, agent: scope.agent },
      idempotencyKey,
      request,
      async (draft) => this.#start(call.admit ? await call.admit() : call, captures, draft),
      async (target) => {
        const sent = await this.#join(scope, target);
        call.onReplayed?.();
        return sent;
      },
    );
  }

  #start(call: SendCall, captures: boolean, key?: KeyDraft): Promise<Sent> {
    const { taskId } = call.input.message;
    return taskId ? this.#follow(call, taskId, captures, key) : this.#begin(call, captures, key);
  }

  async #begin(call: SendCall, captures: boolean, key?: KeyDraft): Promise<Sent> {
    const { scope, input } = call;
    const { message } = input;
    const { contextId } = message;
    const waiting = this.#tasks.whenHeld();
    if (waiting) await waiting;
    const holder = contextId ? await this.#store.contextOwner(scope.owner, contextId) : undefined;
    const owner = holder ?? scope.owner;
    const most = call.call?.traffic?.tasksPerContext ?? Number.POSITIVE_INFINITY;
    if (contextId && this.#tasks.atWork.count(owner, contextId) >= most) throw tooManyTasks(most, contextId);
    const actor = this.#tasks.create({
      id: this.#newId(),
      contextId: contextId ?? this.#newId(),
      agent: scope.agent,
      owner,
      createdAt: this.#clock.now(),
    });
    if (most !== Number.POSITIVE_INFINITY) this.#tasks.atWork.add(owner, actor.contextId, actor);
    const reading = this.#read(actor.taskId, FIRST_MESSAGE_SEQ, !captures);
    const snapshot = captures ? captureAt(actor, FIRST_MESSAGE_SEQ) : () => snapshotOf(actor);
    try {
      const atOnce = input.returnImmediately || input.asTask === true || input.pushConfig !== undefined;
      const reply = await actor.begin(message, turnRequest(call, owner), { atOnce, key, push: call.push });
      if (!reply) {
        const { taskId, contextId } = actor;
        const current = () => this.#tasks.current(actor, scope);
        return { ...reading, taskId, contextId, snapshot, isTurnOver: false, current };
      }
      reading.release();
      this.#tasks.abandon(actor);
      return { kind: 'reply', message: reply };
    } catch (error) {
      reading.release();
      this.#tasks.abandon(actor);
      throw error;
    }
  }

  async #follow(
    call: SendCall,
    taskId: string,
    captures: boolean,
    key?: KeyDraft,
    secret?: SecretArrival,
    attempt = 1,
  ): Promise<Sent> {
    const { scope, input } = call;
    const writer = await this.#tasks.writerOf(taskId, scope);
    const { contextId, owner } = isElsewhere(writer) ? writer.head : writer.log.identity;
    const request = turnRequest(call, owner);
    if (isElsewhere(writer)) {
      requireSameContext(input.message, contextId);
      const messageSeq = await this.#remote.receive(writer.node, {
        taskId,
        scope,
        message: input.message,
        request,
        key,
        push: call.push,
        isSecret: call.isSecret || secret !== undefined,
      });
      return this.#joinTask(scope, taskId, messageSeq);
    }
    let messageSeq: number;
    try {
      requireSameContext(input.message, contextId);
      const preparing = secret ? undefined : writer.prepareSecret(input.message, request, call.isSecret);
      // The task may be elsewhere by then.
      if (preparing) return await this.#follow(call, taskId, captures, key, await preparing, attempt);
      messageSeq = writer.receive(input.message, request, { key, push: call.push, secret });
    } catch (error) {
      this.#tasks.dismiss(writer);
      throw error;
    }
    const reading = this.#read(taskId, messageSeq, !captures);
    const snapshot = captures ? captureAt(writer, messageSeq) : () => snapshotOf(writer);
    try {
      await writer.whenCommitted(messageSeq);
    } catch (error) {
      reading.release();
      if (!isOvertaken(error) || attempt === WRITE_ATTEMPTS) throw error;
      return this.#follow(call, taskId, captures, key, secret, attempt + 1);
    }
    const current = () => this.#tasks.current(writer, scope);
    return { ...reading, taskId, contextId, snapshot, isTurnOver: false, current };
  }

  async #join(scope: Scope, target: KeyTarget): Promise<Sent> {
    if (target.kind === 'reply') return target;
    return this.#joinTask(scope, target.taskId, target.messageSeq);
  }

  async #joinTask(scope: Scope, taskId: string, messageSeq: number): Promise<Sent> {
    const reading = this.#read(taskId, messageSeq, true);
    try {
      const snapshot = await this.#tasks.snapshot(taskId, scope);
      reading.feed.advance({ seq: snapshot.seq, status: snapshot.task.status });
      const { contextId, status } = snapshot.task;
      const head = isTerminal(status.state) ? undefined : await this.#tasks.headOf(taskId, scope);
      const isTurnOver =
        head === undefined ||
        (isInterrupted(head.status.state) && head.consumed >= messageSeq && head.seq <= snapshot.seq);
      const current = async () => (await this.#tasks.snapshot(taskId, scope)).task;
      return { ...reading, taskId, contextId, snapshot: () => snapshot, isTurnOver, current };
    } catch (error) {
      reading.release();
      throw error;
    }
  }

  /** Holds the feed and, if asked, waits for the end of the turn from now on, so that no commit is missed. */
  #read(taskId: string, messageSeq: number, waits: boolean): Reading {
    const feed = this.#feeds.acquire(taskId);
    const { promise, giveUp } = waits ? feed.turnEnd(messageSeq) : NOT_AWAITED;
    promise.catch(() => {});
    const release = () => {
      giveUp();
      this.#feeds.release(taskId, feed);
    };
    return { kind: 'task', messageSeq, feed, turnEnd: promise, giveUp, release };
  }
}

function snapshotOf(actor: Actor): Snapshot {
  return { task: actor.snapshot(), seq: actor.log.committedSeq };
}

/** The task right after this event, which is not committed yet; asked for too early or too late, as it is then. */
function captureAt(actor: Actor, seq: number): () => Snapshot {
  let captured: Snapshot | undefined;
  actor.log.captureAt(seq, (task) => {
    captured = { task, seq };
  });
  return () => captured ?? snapshotOf(actor);
}

function turnRequest({ scope, input, extensions, deadline, nested, call }: SendCall, { subject }: Owner): TurnRequest {
  const request: Writable<TurnRequest> = {
    owner: scope.owner,
    deadline,
    metadata: input.metadata ?? {},
    extensions,
    acceptedOutputModes: input.acceptedOutputModes,
  };
  if (scope.owner.subject !== subject) request.member = scope.owner.subject;
  if (input.maxTurns !== undefined) request.maxTurns = input.maxTurns;
  if (input.priority !== undefined) request.priority = input.priority;
  if (!input.message.contextId && !input.message.taskId) request.opensContext = true;
  if (input.answers !== undefined) request.answers = input.answers;
  if (input.toolsUndeclared) request.toolsUndeclared = true;
  if (input.trace !== undefined) request.trace = input.trace;
  if (nested) request.nested = nested;
  if (call) request.dialect = call.dialect;
  const traceContext = call?.trace;
  if (traceContext) request.traceContext = traceContext;
  if (input.showsTrace) request.showsTrace = true;
  const limits = ownTurnLimits(call?.traffic);
  if (limits) request.limits = limits;
  const caller = turnCaller(call?.caller, scope);
  if (caller) request.caller = caller;
  return request;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

function turnCaller(caller: Caller | undefined, { owner }: Scope): TurnCaller | undefined {
  if (caller === undefined) return undefined;
  const { subject, scopes, claims } = caller;
  const isOwner = subject === owner.subject && scopes.length === 0 && Object.keys(claims).length === 0;
  return isOwner ? undefined : { subject, scopes, claims };
}

function requireSameContext(message: Message, contextId: string): void {
  if (message.contextId === undefined || message.contextId === contextId) return;
  const description = 'is not the context of the task; leave it out, or send the context of the task';
  throw invalidParams({ field: 'message.contextId', description });
}

/** Seconds that a client should wait if it is not known when a task will end. */
const SOON_SECONDS = 1;

function tooManyTasks(most: number, contextId: string): A2AError {
  const text = `Too many tasks at once: ${most} of this context may be at work. Try again when one has ended, or cancel one`;
  const metadata = { limit: 'tasksPerContext', contextId, retryAfter: String(SOON_SECONDS) };
  return new A2AError('OVERLOADED', text, { metadata, retryAfter: SOON_SECONDS * 1000 });
}
