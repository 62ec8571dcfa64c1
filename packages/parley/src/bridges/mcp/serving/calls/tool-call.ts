import type { CallToolResult, InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server';
import { isInterrupted, isTerminal } from '../../../../model/states.ts';
import { isTask, type Message, type Task } from '../../../../model/task.ts';
import type { BridgedTool, Roster } from '../agents/roster.ts';
import { CANCEL_TIMEOUT, TASK_DELAY } from '../limits.ts';
import { answerIn } from '../questions/answers.ts';
import { askFormsOf, questionResult } from '../questions/ask-forms.ts';
import type { KeptResults } from '../tasks/kept-results.ts';
import { placeOfState, stateOf } from '../tasks/task-ids.ts';
import { viewOf } from '../tasks/task-view.ts';
import { taskResultOf } from '../tasks/tasks-2026.ts';
import { type Abilities, abilitiesOf } from './abilities.ts';
import { ArgumentsError, type Request, requestOf } from './arguments.ts';
import { type Progress, progressOf } from './progress.ts';
import { failureOf, resultOf } from './results.ts';
import { asksForAuthorization, type Cancellations, endOfWait, followTurn, type TurnOptions } from './turn.ts';

/** All that calls share. */
export interface BridgeParts {
  readonly roster: Roster;
  readonly cancellations: Cancellations;
  readonly kept: KeptResults;
  /** A failure at an agent's address, in words for the operator of the bridge. */
  readonly explain: (error: unknown, url: string) => string;
  /** Default `TASK_DELAY`. */
  readonly taskDelay?: number | undefined;
}

/** A task instead of a result, which the types of the SDK do not know. */
export interface TaskResult extends Record<string, unknown> {
  readonly resultType: 'task';
}

type CallResult = CallToolResult | InputRequiredResult | TaskResult;

/** Calls that wait for a person, by their signals: what ends the watch over them when the person has reacted. */
const asking = new WeakMap<AbortSignal, () => void>();

/** One call of a tool, or the next round of one whose question was answered. */
export class ToolCall {
  readonly #parts: BridgeParts;
  readonly #tool: BridgedTool;
  readonly #ctx: ServerContext;
  readonly #abilities: Abilities;
  readonly #progress: Progress | undefined;

  constructor(parts: BridgeParts, tool: BridgedTool, server: Server, ctx: ServerContext) {
    this.#parts = parts;
    this.#tool = tool;
    this.#ctx = ctx;
    this.#abilities = abilitiesOf(server, ctx);
    this.#progress = progressOf(ctx);
  }

  /** Never throws: whatever goes wrong is a result that a model can read. */
  async run(given: unknown): Promise<CallResult> {
    const { signal, requestState } = this.#ctx.mcpReq;
    asking.get(signal)?.();
    try {
      const state = requestState<string>();
      return state === undefined ? await this.#begin(given) : await this.#goOn(state);
    } catch (error) {
      return failureOf(error, textOfFailure(error, this.#tool, this.#parts));
    } finally {
      this.#progress?.end();
    }
  }

  async #begin(given: unknown): Promise<CallResult> {
    const request = requestOf(this.#tool, given);
    return this.#abilities.tasks ? this.#beginTask(request) : this.#settle(await this.#send(request));
  }

  /** A client that takes tasks gets one where the agent has not finished soon. */
  async #beginTask(request: Request): Promise<CallResult> {
    const leave = new AbortController();
    const known = Promise.withResolvers<string>();
    const turn = this.#send(request, { leave: leave.signal, onTask: known.resolve });
    const delay = Promise.withResolvers<void>();
    const timer = setTimeout(delay.resolve, this.#parts.taskDelay ?? TASK_DELAY);
    try {
      const first = await Promise.race([turn, Promise.all([known.promise, delay.promise])]);
      if (!Array.isArray(first)) return this.#settle(first as Task | Message);
      leave.abort();
      turn.catch(() => {});
      const place = { agent: this.#tool.agent, taskId: await known.promise };
      const task = await place.agent.client.getTask(place.taskId, { historyLength: 0 });
      return taskResultOf(viewOf(task, place, this.#abilities, this.#parts.roster));
    } finally {
      clearTimeout(timer);
    }
  }

  /** The client has come back with what was asked for. */
  async #goOn(state: string): Promise<CallResult> {
    const place = placeOfState(state, this.#parts.roster);
    if (place?.agent !== this.#tool.agent) throw new ArgumentsError('The state of this call is not known here.');
    const { taskId } = place;
    const { client } = place.agent;
    const task = await client.getTask(taskId, { historyLength: 0, signal: this.#ctx.mcpReq.signal });
    // Another client has answered meanwhile.
    if (isTerminal(task.status.state)) return this.#settle(task);
    if (!isInterrupted(task.status.state)) return this.#settle(await this.#watch(taskId));
    const answer = answerIn(this.#ctx.mcpReq.inputResponses, task, this.#abilities);
    switch (answer.kind) {
      case 'none':
        return this.#settle(task);
      case 'declined':
        return this.#settle(await client.cancelTask(taskId));
      case 'dismissed':
        return questionResult(task, this.#questionTools);
      case 'done':
        return this.#settle(await this.#watch(taskId));
      case 'parts':
        return this.#settle(await this.#send({ parts: answer.parts, taskId, contextId: task.contextId }));
    }
  }

  async #send({ parts, ...options }: Request, more: Pick<TurnOptions, 'leave' | 'onTask'> = {}) {
    const { client } = this.#tool.agent;
    const open = (signal: AbortSignal) => client.sendMessageStream(parts, { ...options, signal });
    let taskId = options.taskId ?? '';
    const onTask = (id: string) => {
      taskId = id;
      more.onTask?.(id);
    };
    const answer = await followTurn({ ...this.#turn, ...more, open, onTask, isEnd: asksForAuthorization });
    return answer ?? client.getTask(taskId);
  }

  /** Follows a task until it has ended or asks. */
  async #watch(taskId: string): Promise<Task> {
    const { client } = this.#tool.agent;
    const open = (signal: AbortSignal) => client.subscribe(taskId, { signal });
    await followTurn({ ...this.#turn, open, isEnd: endOfWait() });
    return client.getTask(taskId);
  }

  get #turn() {
    const { cancellations } = this.#parts;
    return { signal: this.#ctx.mcpReq.signal, progress: this.#progress, cancellations };
  }

  #settle(answer: Task | Message): CallResult {
    if (!isTask(answer) || !isInterrupted(answer.status.state)) {
      return resultOf(answer, { takesMessages: this.#tool.skill === undefined });
    }
    const forms = askFormsOf(answer, this.#abilities);
    if (forms.length === 0) return questionResult(answer, this.#questionTools);
    this.#cancelWithCall(answer.id);
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(forms.map(({ key, request }) => [key, request])),
      requestState: stateOf({ agent: this.#tool.agent, taskId: answer.id }),
    };
  }

  /** The call goes on while a person of 2025-11-25 is asked, and may be canceled then. Since, each round is a call of its own. */
  #cancelWithCall(taskId: string): void {
    const { signal, envelope } = this.#ctx.mcpReq;
    if (envelope !== undefined) return;
    const { client } = this.#tool.agent;
    const cancel = () => this.#parts.cancellations.add(client.cancelTask(taskId, { timeout: CANCEL_TIMEOUT }));
    signal.addEventListener('abort', cancel, { once: true });
    asking.set(signal, () => signal.removeEventListener('abort', cancel));
  }

  get #questionTools() {
    const { agent, outputSchema } = this.#tool;
    return { messageTool: this.#parts.roster.messageToolOf(agent), hasOutputSchema: outputSchema !== undefined };
  }
}

/** Arguments that do not fit are the model's to mend; all else is a matter of the agent or of the way to it. */
export function textOfFailure(error: unknown, { agent }: BridgedTool, { explain }: BridgeParts): string {
  return error instanceof ArgumentsError ? error.message : explain(error, agent.url);
}
