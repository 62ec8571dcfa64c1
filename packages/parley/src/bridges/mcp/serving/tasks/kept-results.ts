import type { CallToolResult } from '@modelcontextprotocol/server';
import type { BridgedAgent } from '../agents/roster.ts';
import { KEPT_REPLIES } from '../limits.ts';
import { taskIdOf } from './task-ids.ts';

export interface KeptResult {
  readonly taskId: string;
  readonly result: CallToolResult;
  readonly at: string;
}

/** Results of calls whose clients asked for a task and whose agents made none: a bare reply, or a refusal. */
export class KeptResults {
  readonly #results = new Map<string, KeptResult>();

  keep(agent: BridgedAgent, result: CallToolResult): KeptResult {
    const taskId = taskIdOf({ agent, taskId: `reply-${crypto.randomUUID()}` });
    const kept = { taskId, result, at: new Date().toISOString() };
    this.#results.set(taskId, kept);
    for (const id of this.#results.keys()) if (this.#results.size > KEPT_REPLIES) this.#results.delete(id);
    return kept;
  }

  get(taskId: string): KeptResult | undefined {
    return this.#results.get(taskId);
  }
}
