import type { CallToolResult, InputRequest } from '@modelcontextprotocol/server';
import { textOf } from '../../../../model/parts.ts';
import { isInterrupted } from '../../../../model/states.ts';
import type { Task } from '../../../../model/task.ts';
import type { Roster } from '../agents/roster.ts';
import type { Abilities } from '../calls/abilities.ts';
import { resultOf } from '../calls/results.ts';
import { PROGRESS_LENGTH, TASK_POLL_INTERVAL } from '../limits.ts';
import { askFormsOf, questionResult } from '../questions/ask-forms.ts';
import { type TaskPlace, taskIdOf } from './task-ids.ts';

type McpTaskStatus = 'working' | 'input_required' | 'completed' | 'cancelled';

/** A task of an agent as clients of MCP see it. Both generations have the same of it, under different names. */
export interface TaskView {
  readonly taskId: string;
  readonly status: McpTaskStatus;
  readonly statusMessage: string | undefined;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly pollInterval: number;
  /** Questions by their keys, where the status is `input_required`. */
  readonly inputRequests: Readonly<Record<string, InputRequest>>;
  /** Present where the status is `completed`; a failure is a result that says so. */
  readonly result: CallToolResult | undefined;
}

/** A question that the client cannot show ends the task for it: the result says how to go on. */
export function viewOf(task: Task, place: TaskPlace, abilities: Abilities, roster: Roster): TaskView {
  const { state, message, timestamp } = task.status;
  const forms = isInterrupted(state) ? askFormsOf(task, abilities) : [];
  const status = forms.length > 0 ? 'input_required' : statusOf(task);
  const said = message ? textOf(message).slice(0, PROGRESS_LENGTH) : '';
  return {
    taskId: taskIdOf(place),
    status,
    statusMessage: said === '' ? undefined : said,
    createdAt: createdAtOf(task.id) ?? timestamp,
    lastUpdatedAt: timestamp,
    pollInterval: TASK_POLL_INTERVAL,
    inputRequests: Object.fromEntries(forms.map(({ key, request }) => [key, request])),
    result: status === 'completed' ? resultIn(task, place, roster) : undefined,
  };
}

function statusOf({ status: { state } }: Task): McpTaskStatus {
  if (state === 'submitted' || state === 'working') return 'working';
  return state === 'canceled' ? 'cancelled' : 'completed';
}

function resultIn(task: Task, { agent }: TaskPlace, roster: Roster): CallToolResult {
  if (!isInterrupted(task.status.state)) return resultOf(task, { takesMessages: true });
  return questionResult(task, { messageTool: roster.messageToolOf(agent), hasOutputSchema: false });
}

/** Ids of Parley begin with the time of their making (UUIDv7); of others it is not known. */
function createdAtOf(id: string): string | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(id) ?? [];
  return high === undefined || low === undefined ? undefined : new Date(Number.parseInt(high + low, 16)).toISOString();
}
