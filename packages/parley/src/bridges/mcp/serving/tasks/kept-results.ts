import type { CallToolResult } from '@modelcontextprotocol/server';
import type { BridgedAgent } from '../agents/roster.ts';
import { KEPT_BYTES, KEPT_REPLIES } from '../limits.ts';
import { taskIdOf } from './task-ids.ts';

export interface KeptResult {
  readonly taskId: string;
  readonly result: CallToolResult;
  readonly at: string;
}

/** Results of calls whose clients asked for a task and whose agents made none: a bare reply, or a refusal. */
export class KeptResults {
  /** The oldest first, each with its length as JSON. */
  readonly #results = new Map<string, { readonly kept: KeptResult; readonly length: number }>();
  readonly #most: number;
  #length = 0;

  /** `most`: the length of all results together. */
  constructor(most: number = KEPT_BYTES) {
    this.#most = most;
  }

  keep(agent: BridgedAgent, result: CallToolResult): KeptResult {
    const taskId = taskIdOf({ agent, taskId: `reply-${crypto.randomUUID()}` });
    const kept = { taskId, result, at: new Date().toISOString() };
    const { length } = JSON.stringify(result);
    this.#results.set(taskId, { kept, length });
    this.#length += length;
    this.#makeRoom();
    return kept;
  }

  get(taskId: string): KeptResult | undefined {
    return this.#results.get(taskId)?.kept;
  }

  /** The last result stays, however long it is. */
  #makeRoom(): void {
    for (const [id, { length }] of this.#results) {
      const { size } = this.#results;
      if (size === 1 || (size <= KEPT_REPLIES && this.#length <= this.#most)) return;
      this.#results.delete(id);
      this.#length -= length;
    }
  }
}
