import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { isInterrupted } from '../../../../model/states.ts';
import type { Task } from '../../../../model/task.ts';
import { abilitiesOf, TASKS_EXTENSION } from '../calls/abilities.ts';
import type { BridgeParts, TaskResult } from '../calls/tool-call.ts';
import type { McpServerPackage } from '../packages.ts';
import { answerIn } from '../questions/answers.ts';
import { taskError } from './task-errors.ts';
import { placeOf, type TaskPlace } from './task-ids.ts';
import { TASK_PARAMS } from './task-params.ts';
import { type TaskView, viewOf } from './task-view.ts';

/**
 * Tasks since 2026-07-28, an extension: `tasks/get`, `tasks/update` and `tasks/cancel`. The bridge keeps nothing for them; the
 * agent has the task, so that any bridge to it can be asked, also after a restart.
 */
export function serveTasks(server: Server, parts: BridgeParts, sdk: McpServerPackage): void {
  const find = (taskId: string, ctx: ServerContext): TaskPlace => {
    // The extension wants this of clients that have not declared it.
    if (!abilitiesOf(server, ctx).tasks) {
      throw new sdk.MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
      });
    }
    const place = placeOf(taskId, parts.roster);
    if (place) return place;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `There is no task ${taskId.slice(0, 200)}`);
  };
  const told = (place: TaskPlace) => {
    return (error: unknown): never => {
      throw taskError(error, place, parts, sdk);
    };
  };

  server.setRequestHandler('tasks/get', { params: TASK_PARAMS }, async ({ taskId }, ctx) => {
    const place = find(taskId, ctx);
    const task = await getTask(place, ctx).catch(told(place));
    return detailed(viewOf(task, place, abilitiesOf(server, ctx), parts.roster));
  });

  server.setRequestHandler('tasks/cancel', { params: TASK_PARAMS }, async ({ taskId }, ctx) => {
    const place = find(taskId, ctx);
    await cancelTask(place, ctx).catch(told(place));
    return {};
  });

  server.setRequestHandler('tasks/update', { params: TASK_PARAMS }, async ({ taskId }, ctx) => {
    const place = find(taskId, ctx);
    await update(place, server, ctx).catch(told(place));
    return {};
  });
}

/** A task instead of a result. */
export function taskResultOf(view: TaskView): TaskResult {
  const { result: _result, inputRequests: _requests, ...task } = detailed(view);
  return { ...task, resultType: 'task' };
}

function detailed({ pollInterval, statusMessage, inputRequests, result, ...task }: TaskView): Record<string, unknown> {
  return {
    ...task,
    ttlMs: null,
    pollIntervalMs: pollInterval,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(task.status === 'input_required' && { inputRequests }),
    ...(result && { result: { resultType: 'complete', ...result } }),
  };
}

function getTask({ agent, taskId }: TaskPlace, { mcpReq }: ServerContext): Promise<Task> {
  return agent.client.getTask(taskId, { historyLength: 0, signal: mcpReq.signal });
}

/** A task that has ended already is as good as canceled. */
async function cancelTask(place: TaskPlace, ctx: ServerContext): Promise<void> {
  const task = await getTask(place, ctx);
  const isOver = !isInterrupted(task.status.state) && !['submitted', 'working'].includes(task.status.state);
  if (!isOver) await place.agent.client.cancelTask(place.taskId);
}

async function update(place: TaskPlace, server: Server, ctx: ServerContext): Promise<void> {
  const { client } = place.agent;
  const task = await getTask(place, ctx);
  // An answer that was sent before: there is nothing left to answer.
  if (!isInterrupted(task.status.state)) return;
  const answer = answerIn(ctx.mcpReq.inputResponses, task, abilitiesOf(server, ctx));
  // The client does not ask its user twice, so no answer would ever come.
  const isOver =
    answer.kind === 'parts' ? answer.leavesSome : answer.kind === 'declined' || answer.kind === 'dismissed';
  if (isOver) await client.cancelTask(place.taskId);
  if (isOver || answer.kind !== 'parts') return;
  const { contextId } = task;
  await client.sendMessage(answer.parts, { taskId: place.taskId, contextId, returnImmediately: true });
}
