import { isPlainObject } from '../../../../model/basics/json.ts';
import type { BridgedAgent, Roster } from '../agents/roster.ts';

/** A task of an agent. */
export interface TaskPlace {
  readonly agent: BridgedAgent;
  readonly taskId: string;
}

/** The id of a task for clients of the bridge: the agent's key and the agent's own id. The bridge keeps nothing for it. */
export function taskIdOf({ agent, taskId }: TaskPlace): string {
  return `${agent.key}.${taskId}`;
}

/** Undefined for what is no id of a task of these agents. */
export function placeOf(id: string, roster: Roster): TaskPlace | undefined {
  const dot = id.indexOf('.');
  const agent = dot > 0 ? roster.agentOf(id.slice(0, dot)) : undefined;
  const taskId = id.slice(dot + 1);
  return agent && taskId !== '' ? { agent, taskId } : undefined;
}

/**
 * The state that a client sends back with an answer: the task that asked. A client that changes it reaches no more than it
 * can name by `taskId` or `tasks/get`, so it is not signed; agents decide who may see a task.
 */
export function stateOf(place: TaskPlace): string {
  return JSON.stringify({ task: taskIdOf(place) });
}

export function placeOfState(state: string, roster: Roster): TaskPlace | undefined {
  try {
    const value: unknown = JSON.parse(state);
    return isPlainObject(value) && typeof value.task === 'string' ? placeOf(value.task, roster) : undefined;
  } catch {
    return undefined;
  }
}
