import type { Agent } from '../../agent/agent.ts';
import type { AgentCall, AgentCallOptions, AgentCalls, CallTarget } from '../../agent/calls.ts';
import { messageDraft } from '../../agent/run/outputs.ts';
import { recordedStep } from '../../agent/run/recorded-step.ts';
import { outgoingTrace } from '../../bindings/http/current-trace.ts';
import { A2AClient } from '../../client/client.ts';
import { A2AClient as EveryDialectClient } from '../../client/every-dialect-client.ts';
import type { InputHandlers } from '../../client/input/inputs.ts';
import type { Content } from '../../client/message/content.ts';
import { skillContent, skillOptions } from '../../client/skill/skill.ts';
import { relayed, streamOf, turnStream } from '../../client/stream/relayed.ts';
import type { TaskStream } from '../../client/stream/task-stream.ts';
import type { Owner } from '../../engine/ports.ts';
import type { RunHandle } from '../../engine/turn/runner.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { traceHeaders } from '../../model/basics/trace-context.ts';
import type { TraceContext } from '../../model/call.ts';
import { type AgentCard, RESUME_EXTENSION } from '../../model/card.ts';
import { A2AError } from '../../model/errors/errors.ts';
import {
  agentPath,
  CALLS_EXTENSION,
  type CallChain,
  type ChildTask,
  chainOf,
  childrenOf,
  MOST_CHILDREN,
} from '../../model/extensions/calls.ts';
import type { SkillCall } from '../../model/extensions/skills.ts';
import { textOf } from '../../model/parts.ts';
import { isTerminal } from '../../model/states.ts';
import { isTask, type Message, type StreamEvent, type TaskStatus } from '../../model/task.ts';
import { WatchedAgentCall } from '../intercept/agent-call.ts';
import type { Interceptors } from '../intercept/interceptors.ts';
import { callName } from './call-name.ts';
import { StartedCall } from './started-call.ts';

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

/** The called agent. */
interface Callee {
  readonly client: A2AClient;
  /** Set for an agent of this server: the name under which it is hosted. */
  readonly hostedAs?: string | undefined;
}

/** Calls from one agent to another. */
export class SubAgents {
  readonly #options: SubAgentsOptions;
  /** Calls of a run that are not sent yet, or that nobody watches. */
  readonly #open = new WeakMap<RunHandle, Set<StartedCall>>();
  /** Calls of a run that interceptors are around. */
  readonly #watched = new WeakMap<RunHandle, WatchedAgentCall[]>();

  constructor(options: SubAgentsOptions) {
    this.#options = options;
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
        const calls = this.#open.get(handle);
        return calls && calls.size > 0 ? settle(handle, calls) : undefined;
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
    const calls = this.#callsOf(handle);
    const around = this.#options.interceptors.call;
    const watched = around && this.#watch(agent, handle, callee, target);
    const open = async (signal: AbortSignal) => {
      const { forward, maxTurns: _, client: __, messageMetadata, headers, ...send } = options;
      const { trace } = watched ?? handle;
      handle.signal.addEventListener('abort', cancel, { once: true });
      // The deadline is another one in a run that was taken up, and a send is only repeated if it is the same.
      const chain = await handle.steps.perform(`${name} chain`, async () => ({ ...ownChain }) as unknown as JsonObject);
      const started = await recordedStep(handle, name, async ({ idempotencyKey }) => {
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
      });
      inner ??= await rejoined(started as Begun & JsonObject, {
        client,
        signal,
        mayAnswer: target instanceof A2AClient,
        onInput: options.onInput ?? options.client?.onInput,
        tools: options.tools ?? options.client?.tools,
      });
      const child = (started as Begun).taskId;
      if (child !== undefined) this.#noteChild(handle, { taskId: child, ...identityOf(callee) });
      if (handle.isAborted) cancel();
      const stopWatching = () => {
        handle.signal.removeEventListener('abort', cancel);
        watched?.end();
      };
      const onEvent = (event: StreamEvent) => {
        watched?.see(event);
        return this.#forward(handle, forward, event, child);
      };
      return relayed(inner, onEvent, stopWatching);
    };
    const call = new StartedCall({
      onWatched: (one) => calls.delete(one),
      open: (signal) => (watched ? watched.open(around, () => open(signal)) : open(signal)),
      cancelTask: (id) => client.cancelTask(id),
    });
    calls.add(call);
    return call;
  }

  /** A call that cannot even be begun fails like any other: who awaits it hears of it, else the log does. */
  #failed(handle: RunHandle, error: unknown): StartedCall {
    const calls = this.#callsOf(handle);
    const fail = () => Promise.reject(error);
    const call = new StartedCall({ onWatched: (one) => calls.delete(one), open: fail, cancelTask: fail });
    calls.add(call);
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

  #callsOf(handle: RunHandle): Set<StartedCall> {
    const known = this.#open.get(handle);
    if (known) return known;
    const calls = new Set<StartedCall>();
    this.#open.set(handle, calls);
    return calls;
  }

  #calleeOf(handle: RunHandle, target: CallTarget, options: AgentCallOptions): Callee {
    if (target instanceof A2AClient) return { client: target };
    if (typeof target === 'string' || target instanceof URL || !isAgent(target)) {
      return { client: new EveryDialectClient(target, options.client) };
    }
    const hostedAs = [...this.#options.agents].find(([, agent]) => agent === target)?.[0];
    if (hostedAs === undefined) throw new TypeError(`The agent "${target.name}" is not one of this server's`);
    return { client: this.#options.localClient(target, hostedAs, handle.request.owner), hostedAs };
  }

  #chain(agent: string, handle: RunHandle, { maxTurns, timeout, ...options }: AgentCallOptions): CallChain {
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
    };
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

function addressOf(target: CallTarget): string | undefined {
  return typeof target === 'string' || target instanceof URL ? String(target) : undefined;
}

/** Waits until the calls have been sent, and leaves those that nobody watches. */
async function settle(handle: RunHandle, calls: ReadonlySet<StartedCall>): Promise<void> {
  await Promise.all([...calls].map(({ sent }) => sent));
  for (const call of calls) {
    if (!call.failure) call.leave();
    else handle.warn('A call of another agent failed, and nobody waited for it', { error: call.failure.error });
  }
}

/** The outcome of the beginning of a call. */
interface Begun {
  readonly taskId?: string;
  readonly message?: Message;
  /** The position at which the turn of the call begins, in a task that was there before. */
  readonly from?: string;
}

async function begun(stream: TaskStream, isContinued: boolean): Promise<Begun & JsonObject> {
  try {
    const taskId = await stream.id;
    const from = isContinued ? stream.lastEventId : undefined;
    return { taskId, ...(from !== undefined && { from }) };
  } catch (error) {
    const answer = await stream.result;
    if (isTask(answer)) throw error;
    return { message: answer } as unknown as Begun & JsonObject;
  }
}

interface Rejoining extends InputHandlers {
  readonly client: A2AClient;
  readonly signal: AbortSignal;
  /** The client may answer questions by itself: only one that is still open ends the turn. */
  readonly mayAnswer: boolean;
}

/**
 * The child of a run that was lost: from where the call began where that can be had, else as it is. It ends with a question, as
 * the call itself did, unless somebody answers it.
 */
async function rejoined({ taskId, message, from }: Begun, call: Rejoining): Promise<TaskStream> {
  const { client, signal, mayAnswer, onInput, tools } = call;
  const cancelTask = (id: string) => client.cancelTask(id);
  if (taskId === undefined) return streamOf(message as Message, cancelTask);
  const { capabilities } = await client.agentCard({ signal });
  const canResume = capabilities.extensions.some(({ uri }) => uri === RESUME_EXTENSION);
  const getTask = () => client.getTask(taskId, { signal });
  const task = canResume ? undefined : await getTask();
  if (task && isTerminal(task.status.state)) return streamOf(task, cancelTask);
  const stream = client.subscribe(taskId, {
    signal,
    ...(canResume && { lastEventId: from ?? 0 }),
    ...(onInput && { onInput }),
    ...(tools && { tools }),
  });
  if (onInput || tools) return stream;
  const whole = canResume && from !== undefined ? getTask : undefined;
  const stillAsks = async (status: TaskStatus) => isSame(status, (await getTask()).status);
  return turnStream(stream, { cancelTask, whole, isEnd: mayAnswer ? stillAsks : undefined });
}

function isSame(one: TaskStatus, other: TaskStatus): boolean {
  return one.state === other.state && one.message?.messageId === other.message?.messageId;
}

function identityOf({ client, hostedAs }: Callee): Pick<ChildTask, 'agent' | 'url' | 'path'> {
  const agent = client.card?.name ?? '';
  if (hostedAs !== undefined) return { agent, path: agentPath(hostedAs) };
  const url = client.interface?.url;
  return url === undefined ? { agent } : { agent, url };
}

/** The message with which the child explains its state. */
function saidOf(event: StreamEvent): string | undefined {
  return event.kind === 'status' && event.status.message ? textOf(event.status.message) : undefined;
}

function isSkillCall(message: Content | SkillCall): message is SkillCall {
  return typeof message === 'object' && 'skill' in message;
}

function isAgent(target: Agent | AgentCard): target is Agent {
  return 'run' in target;
}
