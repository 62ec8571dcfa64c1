import type { Agent } from '../../agent/agent.ts';
import type { AgentCall, AgentCallOptions, AgentCalls, CallTarget } from '../../agent/calls.ts';
import { messageDraft } from '../../agent/run/outputs.ts';
import { recordedStep } from '../../agent/run/recorded-step.ts';
import { outgoingTrace } from '../../bindings/http/current-trace.ts';
import type { A2AClient } from '../../client/client.ts';
import type { Content } from '../../client/message/content.ts';
import { skillContent, skillOptions } from '../../client/skill/skill.ts';
import { relayed } from '../../client/stream/relayed.ts';
import type { TaskStream } from '../../client/stream/task-stream.ts';
import type { Owner } from '../../engine/ports.ts';
import type { RunHandle } from '../../engine/turn/runner.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { traceHeaders } from '../../model/basics/trace-context.ts';
import type { TraceContext } from '../../model/call.ts';
import { A2AError } from '../../model/errors/errors.ts';
import {
  CALLS_EXTENSION,
  type CallChain,
  type ChildTask,
  chainOf,
  childrenOf,
  MOST_CHILDREN,
} from '../../model/extensions/calls.ts';
import type { SkillCall } from '../../model/extensions/skills.ts';
import { textOf } from '../../model/parts.ts';
import type { StreamEvent } from '../../model/task.ts';
import { WatchedAgentCall } from '../intercept/agent-call.ts';
import type { Interceptors } from '../intercept/interceptors.ts';
import { callName } from './call-name.ts';
import { checkCall } from './call-options.ts';
import { addressOf, type Callee, calleeOf, identityOf, isClient } from './callee.ts';
import { type Begun, begun, rejoined } from './rejoined.ts';
import { StartedCall } from './started-call.ts';
import { UnwatchedCalls } from './unwatched-calls.ts';

export interface SubAgentsOptions {
  readonly agents: ReadonlyMap<string, Agent>;
  /** Names an agent of this server for the list of hops. */
  readonly hopOf: (name: string) => string;
  /** A client of one of this server's agents, without a socket, for the owner of the calling task. */
  readonly localClient: (agent: Agent, name: string, owner: Owner) => A2AClient;
  /** The address of one of this server's agents, if it is known. */
  readonly urlOf: (name: string) => string | undefined;
  readonly now: () => number;
  readonly interceptors: Pick<Interceptors, 'call'>;
}

/** Calls from one agent to another. */
export class SubAgents {
  readonly #options: SubAgentsOptions;
  readonly #unwatched: UnwatchedCalls;
  /** Calls of a run that interceptors are around. */
  readonly #watched = new WeakMap<RunHandle, WatchedAgentCall[]>();

  constructor(options: SubAgentsOptions) {
    this.#options = options;
    this.#unwatched = new UnwatchedCalls(options.now);
  }

  /** Follows no call any further: the server is closed. */
  close(): void {
    this.#unwatched.close();
  }

  /** The functions that the runs of one agent get. */
  of(agent: string): AgentCalls {
    return {
      call: (handle, target, message, options) => {
        try {
          return this.#call(agent, handle, target, message, options);
        } catch (error) {
          return this.#failed(handle, error);
        }
      },
      settle: (handle) => {
        this.#endWatched(handle);
        return this.#unwatched.settle(handle);
      },
    };
  }

  #call(
    agent: string,
    handle: RunHandle,
    target: CallTarget,
    message: Content | SkillCall,
    given: AgentCallOptions,
  ): AgentCall<never> {
    checkCall(given);
    const options = isSkillCall(message) ? skillOptions(message.skill, given) : given;
    const content = isSkillCall(message) ? skillContent(message.input) : message;
    const callee = this.#calleeOf(handle, target, options);
    const { client } = callee;
    const ownChain = this.#chain(agent, handle, options);
    const { skill, contextId, taskId } = options;
    const address = addressOf(target);
    const name = callName({ hostedAs: callee.hostedAs, address, content, skill, contextId, taskId });
    let inner: TaskStream | undefined;
    const cancel = () => {
      if (!handle.goesOnElsewhere) Promise.resolve(inner?.cancel()).catch(() => {});
    };
    // Nothing more is recorded of a run that has returned; what it begins now is sent all the same.
    const isLate = this.#unwatched.isOver(handle);
    let started: Begun | undefined;
    const rejoinedBy = (signal: AbortSignal) =>
      rejoined(started as Begun, {
        client,
        signal,
        mayAnswer: isClient(target),
        onInput: options.onInput ?? options.client?.onInput,
        tools: options.tools ?? options.client?.tools,
      });
    const around = this.#options.interceptors.call;
    const watched = around && this.#watch(agent, handle, callee, target);
    const open = async (signal: AbortSignal) => {
      const { forward, maxTurns: _, client: __, messageMetadata, headers, ...send } = options;
      const { trace } = watched ?? handle;
      handle.signal.addEventListener('abort', cancel, { once: true });
      // The deadline is another one in a run that was taken up, and a send is only repeated if it is the same.
      const chain = isLate
        ? ownChain
        : await handle.steps.perform(`${name} chain`, async () => ({ ...ownChain }) as unknown as JsonObject);
      const begin = async (idempotencyKey?: string) => {
        inner = client.sendMessageStream(content, {
          ...send,
          headers: { ...this.#traceHeaders(callee, trace), ...headers },
          signal,
          messageId: idempotencyKey,
          idempotencyKey,
          messageMetadata: { ...messageMetadata, [CALLS_EXTENSION]: chain as JsonObject },
          referenceTaskIds: [handle.taskId],
        });
        return begun(inner, taskId !== undefined);
      };
      started = isLate
        ? await begin()
        : ((await recordedStep(handle, name, ({ idempotencyKey }) => begin(idempotencyKey))) as Begun);
      inner ??= await rejoinedBy(signal);
      const child = started.taskId;
      if (child !== undefined) this.#noteChild(handle, { taskId: child, ...identityOf(callee) });
      if (handle.isAborted) cancel();
      const stopWatching = () => {
        handle.signal.removeEventListener('abort', cancel);
        watched?.end();
      };
      const onEvent = (event: StreamEvent) => {
        watched?.see(event);
        return this.#forward(handle, this.#unwatched.isOver(handle) ? undefined : forward, event, child);
      };
      return relayed(inner, onEvent, stopWatching);
    };
    const followAgain = async () => {
      await call.sent;
      if (!started) throw call.failure?.error;
      inner = await rejoinedBy(handle.signal);
      handle.signal.addEventListener('abort', cancel, { once: true });
      return inner.result.finally(() => handle.signal.removeEventListener('abort', cancel));
    };
    const call = new StartedCall({
      onWatched: (one) => this.#unwatched.remove(handle, one),
      open: (signal) => (watched ? watched.open(around, () => open(signal)) : open(signal)),
      cancelTask: (id) => client.cancelTask(id),
      followAgain,
      signals: [this.#unwatched.signal],
    });
    this.#unwatched.add(handle, call, Date.parse(ownChain.deadline));
    return call;
  }

  /** A call that cannot even be begun fails like any other: who awaits it hears of it, else the log does. */
  #failed(handle: RunHandle, error: unknown): StartedCall {
    const fail = () => Promise.reject(error);
    const onWatched = (one: StartedCall) => this.#unwatched.remove(handle, one);
    const call = new StartedCall({ onWatched, open: fail, cancelTask: fail, followAgain: fail });
    this.#unwatched.add(handle, call, this.#options.now());
    return call;
  }

  /** Interceptors are told of the end of the run at the latest. */
  #watch(agent: string, handle: RunHandle, { client, hostedAs }: Callee, target: CallTarget): WatchedAgentCall {
    const url = addressOf(target) ?? client.interface?.url;
    const watched = new WatchedAgentCall(agent, handle, {
      name: hostedAs ?? client.card?.name,
      ...(hostedAs === undefined && { url }),
    });
    const known = this.#watched.get(handle);
    if (known) known.push(watched);
    else {
      this.#watched.set(handle, [watched]);
      handle.signal.addEventListener('abort', () => this.#endWatched(handle), { once: true });
    }
    return watched;
  }

  #endWatched(handle: RunHandle): void {
    for (const watched of this.#watched.get(handle) ?? []) watched.end();
  }

  #traceHeaders({ hostedAs }: Callee, trace: TraceContext | undefined): Readonly<Record<string, string>> {
    return trace && hostedAs !== undefined ? traceHeaders(trace) : outgoingTrace(trace);
  }

  #calleeOf(handle: RunHandle, target: CallTarget, options: AgentCallOptions): Callee {
    const { agents, localClient } = this.#options;
    const { owner } = handle.request;
    return calleeOf(target, { agents, localClient: (agent, name) => localClient(agent, name, owner) }, options);
  }

  #chain(agent: string, handle: RunHandle, { maxTurns, timeout, ...options }: AgentCallOptions) {
    const before = chainOf(handle.message.metadata);
    const deadline = Math.min(
      handle.deadline.getTime(),
      timeout ? this.#options.now() + timeout : Number.POSITIVE_INFINITY,
    );
    if (deadline <= this.#options.now()) throw new A2AError('TIMEOUT', 'There is no time left to call another agent');
    const caller = this.#options.urlOf(agent);
    const { trace } = handle.request;
    const priority = options.priority ?? handle.request.priority;
    const turns = [handle.request.maxTurns, before?.maxTurns, maxTurns].filter((limit) => limit !== undefined);
    return {
      trace: before?.trace ?? trace ?? handle.taskId,
      hops: [...(before?.hops ?? []), this.#options.hopOf(agent)],
      deadline: new Date(deadline).toISOString(),
      ...(turns.length > 0 && { maxTurns: Math.min(...turns) }),
      ...(priority !== undefined && { priority }),
      ...(caller !== undefined && { caller }),
    } satisfies CallChain;
  }

  #noteChild(handle: RunHandle, child: ChildTask): void {
    const children = childrenOf(handle.output.metadata);
    if (children.length >= MOST_CHILDREN || children.some(({ taskId }) => taskId === child.taskId)) return;
    handle.output.extendMetadata({ [CALLS_EXTENSION]: { children: [{ ...child }] } as unknown as JsonObject });
    if (children.length + 1 === MOST_CHILDREN) {
      handle.warn('The task lists no further tasks that it starts: it has started too many', { listed: MOST_CHILDREN });
    }
  }

  /**
   * What is forwarded references the child, so that a client which reads the parent's stream knows of it (seed S0.6). Returns
   * a promise where the child must wait until the store has taken what it said before.
   */
  #forward(
    handle: RunHandle,
    forward: AgentCallOptions['forward'],
    event: StreamEvent,
    child?: string,
  ): Promise<void> | undefined {
    if (!forward) return undefined;
    const said = forward === true ? saidOf(event) : forward(event);
    if (said === undefined || said === '') return undefined;
    const { referenceTaskIds = child ? [child] : undefined, ...draft } = messageDraft(said);
    // A turn that is over takes no more, and the call goes on without it.
    return handle.output.status({ ...draft, referenceTaskIds })?.catch(() => {});
  }
}

/** The message with which the child explains its state. */
function saidOf(event: StreamEvent): string | undefined {
  return event.kind === 'status' && event.status.message ? textOf(event.status.message) : undefined;
}

function isSkillCall(message: Content | SkillCall): message is SkillCall {
  return typeof message === 'object' && 'skill' in message;
}
