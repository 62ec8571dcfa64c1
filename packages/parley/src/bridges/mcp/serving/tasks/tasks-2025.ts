import type { CallToolResult, ElicitRequestFormParams, Server, ServerContext } from '@modelcontextprotocol/server';
import { isInterrupted, isTerminal } from '../../../../model/states.ts';
import { isTask, type Task } from '../../../../model/task.ts';
import type { BridgedTool } from '../agents/roster.ts';
import { type Abilities, abilitiesOf } from '../calls/abilities.ts';
import { requestOf } from '../calls/arguments.ts';
import { failureOf, resultOf } from '../calls/results.ts';
import { type BridgeParts, textOfFailure } from '../calls/tool-call.ts';
import { endOfWait, followTurn } from '../calls/turn.ts';
import { QUESTION_TIMEOUT } from '../limits.ts';
import type { McpServerPackage } from '../packages.ts';
import { answerIn } from '../questions/answers.ts';
import { askFormsOf } from '../questions/ask-forms.ts';
import type { KeptResult } from './kept-results.ts';
import { taskError } from './task-errors.ts';
import { placeOf, type TaskPlace, taskIdOf } from './task-ids.ts';
import { TASK_PARAMS } from './task-params.ts';
import { type TaskView, viewOf } from './task-view.ts';

/** Results of tasks tell how to go on, whatever tool began them: it is not known any more. */
const MESSAGES = { takesMessages: true };
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** A result with a task in it; types and checks of the SDK want content beside it. */
type CreatedTask = CallToolResult & { readonly task: Record<string, unknown> };

/**
 * Tasks of 2025-11-25: the client asks for one with its call, looks at it by `tasks/get`, and waits by `tasks/result`, during
 * which the task's questions are asked.
 */
export class OldTasks {
  readonly #server: Server;
  readonly #parts: BridgeParts;
  readonly #sdk: McpServerPackage;

  constructor(server: Server, parts: BridgeParts, sdk: McpServerPackage) {
    this.#server = server;
    this.#parts = parts;
    this.#sdk = sdk;
    server.setRequestHandler('tasks/get', { params: TASK_PARAMS }, ({ taskId }, ctx) => this.#get(taskId, ctx));
    server.setRequestHandler('tasks/cancel', { params: TASK_PARAMS }, ({ taskId }, ctx) => this.#cancel(taskId, ctx));
    server.setRequestHandler('tasks/result', { params: TASK_PARAMS }, ({ taskId }, ctx) => this.#result(taskId, ctx));
  }

  /** Begins a task for a call that asks for one. */
  async begin(tool: BridgedTool, given: unknown, ctx: ServerContext): Promise<CreatedTask> {
    const { agent } = tool;
    const { roster, kept } = this.#parts;
    try {
      const { parts, ...options } = requestOf(tool, given);
      const answer = await agent.client.sendMessage(parts, { ...options, returnImmediately: true });
      if (!isTask(answer)) return { content: [], task: shownKept(kept.keep(agent, resultOf(answer, MESSAGES))) };
      const place = { agent, taskId: answer.id };
      return { content: [], task: shown(viewOf(answer, place, this.#abilities(ctx), roster)) };
    } catch (error) {
      const failure = failureOf(error, textOfFailure(error, tool, this.#parts));
      return { content: [], task: shownKept(kept.keep(agent, failure)) };
    }
  }

  async #get(taskId: string, ctx: ServerContext): Promise<Record<string, unknown>> {
    const kept = this.#parts.kept.get(taskId);
    if (kept) return shownKept(kept);
    const place = this.#find(taskId);
    const task = await this.#told(place, place.agent.client.getTask(place.taskId, { historyLength: 0 }));
    return shown(viewOf(task, place, this.#abilities(ctx), this.#parts.roster));
  }

  async #cancel(taskId: string, ctx: ServerContext): Promise<Record<string, unknown>> {
    const place = this.#find(taskId);
    const task = await this.#told(place, place.agent.client.cancelTask(place.taskId));
    return shown(viewOf(task, place, this.#abilities(ctx), this.#parts.roster));
  }

  async #result(taskId: string, ctx: ServerContext): Promise<CallToolResult> {
    const kept = this.#parts.kept.get(taskId);
    const result = kept?.result ?? (await this.#resultAt(this.#find(taskId), ctx));
    return { ...result, _meta: { ...result._meta, [RELATED_TASK]: { taskId } } };
  }

  #resultAt(place: TaskPlace, ctx: ServerContext): Promise<CallToolResult> {
    return this.#told(place, this.#wait(place, ctx));
  }

  /** Follows the task to its end, and asks what it asks. A client that leaves leaves the task alone. */
  async #wait(place: TaskPlace, ctx: ServerContext): Promise<CallToolResult> {
    const { client } = place.agent;
    const abilities = this.#abilities(ctx);
    const never = new AbortController().signal;
    for (;;) {
      ctx.mcpReq.signal.throwIfAborted();
      const task = await client.getTask(place.taskId, { historyLength: 0 });
      if (isTerminal(task.status.state)) return resultOf(task, MESSAGES);
      if (!isInterrupted(task.status.state)) await this.#follow(place, ctx, never);
      else if (!(await this.#ask(task, place, ctx, abilities))) {
        const { result } = viewOf(task, place, { ...abilities, forms: false, pages: false }, this.#parts.roster);
        return result ?? resultOf(task, MESSAGES);
      }
    }
  }

  async #follow({ agent, taskId }: TaskPlace, ctx: ServerContext, signal: AbortSignal): Promise<void> {
    const { cancellations } = this.#parts;
    const open = (stop: AbortSignal) => agent.client.subscribe(taskId, { signal: stop });
    const leave = ctx.mcpReq.signal;
    await followTurn({ open, signal, leave, progress: undefined, cancellations, isEnd: endOfWait() });
  }

  /** False where the question cannot be asked, or was put aside. */
  async #ask(task: Task, place: TaskPlace, ctx: ServerContext, abilities: Abilities): Promise<boolean> {
    const { client } = place.agent;
    const responses: Record<string, unknown> = {};
    for (const { key, request } of askFormsOf(task, abilities)) {
      const params = { ...request.params, _meta: { [RELATED_TASK]: { taskId: taskIdOf(place) } } };
      const response = await ctx.mcpReq.elicitInput(params as ElicitRequestFormParams, { timeout: QUESTION_TIMEOUT });
      responses[key] = response;
      // The task ends, so the rest is not asked.
      if (response.action === 'decline') break;
    }
    const answer = answerIn(responses, task, abilities);
    if (answer.kind === 'declined') await client.cancelTask(place.taskId);
    else if (answer.kind === 'done') await this.#follow(place, ctx, new AbortController().signal);
    else if (answer.kind === 'parts') {
      const { contextId } = task;
      await client.sendMessage(answer.parts, { taskId: place.taskId, contextId, returnImmediately: true });
    } else return false;
    return true;
  }

  #abilities(ctx: ServerContext): Abilities {
    return abilitiesOf(this.#server, ctx);
  }

  #find(taskId: string): TaskPlace {
    const place = placeOf(taskId, this.#parts.roster);
    if (place) return place;
    const { ProtocolError, ProtocolErrorCode } = this.#sdk;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${taskId.slice(0, 200)}`);
  }

  async #told<T>(place: TaskPlace, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw taskError(error, place, this.#parts, this.#sdk);
    }
  }
}

function shown({ result, inputRequests: _requests, statusMessage, ...task }: TaskView): Record<string, unknown> {
  const status = result?.isError === true ? 'failed' : task.status;
  return { ...task, status, ttl: null, ...(statusMessage !== undefined && { statusMessage }) };
}

function shownKept({ taskId, result, at }: KeptResult): Record<string, unknown> {
  const status = result.isError === true ? 'failed' : 'completed';
  return { taskId, status, ttl: null, createdAt: at, lastUpdatedAt: at };
}
