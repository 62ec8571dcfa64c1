import type { CallToolResult, InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server';
import { isPlainObject, type JsonObject } from '../../../model/basics/json.ts';
import { isInterrupted, isTerminal } from '../../../model/states.ts';
import { isTask, type Message, type Task } from '../../../model/task.ts';
import { type Abilities, abilitiesOf } from './abilities.ts';
import { ArgumentsError, type Request, requestOf } from './arguments.ts';
import { type Progress, progressOf } from './progress.ts';
import { ANSWER_KEY, askFormOf, questionResult } from './questions.ts';
import { failureOf, resultOf } from './results.ts';
import type { BridgedTool, Roster } from './roster.ts';
import { placeOfState, stateOf } from './task-ids.ts';
import { asksForAuthorization, type Cancellations, endOfWait, followTurn } from './turn.ts';

/** All that calls share. */
export interface BridgeParts {
  readonly roster: Roster;
  readonly cancellations: Cancellations;
  /** A failure in words for whoever runs the bridge. */
  readonly explain: (error: unknown) => string;
}

export type CallResult = CallToolResult | InputRequiredResult;

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
    try {
      const state = this.#ctx.mcpReq.requestState<string>();
      return state === undefined ? await this.#begin(given) : await this.#goOn(state);
    } catch (error) {
      if (error instanceof ArgumentsError) return failureOf(error, () => error.message);
      return failureOf(error, this.#parts.explain);
    } finally {
      this.#progress?.end();
    }
  }

  async #begin(given: unknown): Promise<CallResult> {
    return this.#settle(await this.#send(requestOf(this.#tool, given)));
  }

  /** The client has come back with what was asked for. */
  async #goOn(state: string): Promise<CallResult> {
    const place = placeOfState(state, this.#parts.roster);
    if (place?.agent !== this.#tool.agent) throw new ArgumentsError('The state of this call is not known here.');
    const { taskId } = place;
    const { client } = place.agent;
    const task = await client.getTask(taskId, { historyLength: 0, signal: this.#ctx.mcpReq.signal });
    const response = this.#ctx.mcpReq.inputResponses?.[ANSWER_KEY];
    const action = isPlainObject(response) ? response.action : undefined;
    // Somebody else has answered meanwhile.
    if (isTerminal(task.status.state)) return this.#settle(task);
    if (!isInterrupted(task.status.state)) return this.#settle(await this.#watch(taskId));
    if (response === undefined) return this.#settle(task);
    if (action === 'decline') return this.#settle(await client.cancelTask(taskId));
    if (action !== 'accept') return questionResult(task, this.#questionTools());
    const parts = askFormOf(task, this.#abilities)?.answerOf(contentIn(response));
    if (parts === undefined) return this.#settle(task);
    if (parts.length === 0) return this.#settle(await this.#watch(taskId));
    return this.#settle(await this.#send({ parts, taskId, contextId: task.contextId }));
  }

  async #send({ parts, ...options }: Request): Promise<Task | Message> {
    const { client } = this.#tool.agent;
    const open = (signal: AbortSignal) => client.sendMessageStream(parts, { ...options, signal });
    let taskId = options.taskId ?? '';
    const onTask = (id: string) => {
      taskId = id;
    };
    const answer = await followTurn({ ...this.#turn, open, onTask, isEnd: asksForAuthorization });
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
    const form = askFormOf(answer, this.#abilities);
    if (!form) return questionResult(answer, this.#questionTools());
    return {
      resultType: 'input_required',
      inputRequests: { [ANSWER_KEY]: form.request },
      requestState: stateOf({ agent: this.#tool.agent, taskId: answer.id }),
    };
  }

  #questionTools() {
    const { agent, outputSchema } = this.#tool;
    const tools = [...this.#parts.roster.tools.values()];
    const messageTool = tools.find((tool) => tool.agent === agent && tool.skill === undefined)?.name ?? this.#tool.name;
    return { messageTool, hasOutputSchema: outputSchema !== undefined };
  }
}

function contentIn(response: unknown): JsonObject {
  const content = isPlainObject(response) ? response.content : undefined;
  return (isPlainObject(content) ? content : {}) as JsonObject;
}
