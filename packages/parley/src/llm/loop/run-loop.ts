import type { ModelMessage } from 'ai';
import type { Outcome } from '../../agent/outcomes.ts';
import type { TaskContext } from '../../agent/task-context.ts';
import { isModelCallFailure } from '../errors/failures.ts';
import type { LlmSettings } from '../settings.ts';
import { runToolCalls } from '../tools/run-tools.ts';
import { takeIncoming } from './incoming.ts';
import { LlmRun } from './llm-run.ts';
import { callModel } from './model-call.ts';
import { summedUsage } from './records.ts';
import { isStopped } from './stop.ts';

/** Asks the model, carries out what it calls, and asks again, until it is done or may not go on. */
export async function runLoop(settings: LlmSettings, task: TaskContext): Promise<Outcome> {
  const run = new LlmRun(settings, task);
  try {
    return await loop(run);
  } catch (error) {
    if (isModelCallFailure(error)) return failed(run, error.code, error.message);
    throw error;
  }
}

async function loop(run: LlmRun): Promise<Outcome> {
  while (run.turnsLeft > 0) {
    const record = await callModel(run);
    run.add(record);
    if (record.toolCalls.length === 0) return completed(run);
    // Results that the model cannot see any more are not worth their effects.
    if (run.turnsLeft === 0) break;
    const results = await runToolCalls(run, record.toolCalls);
    run.messages.push({ role: 'tool', content: [...results] } satisfies ModelMessage);
    if (await isStopped(run)) return completed(run);
    run.messages.push(...(await takeIncoming(run)));
  }
  return failed(run, 'max-turns', `The agent has used all of its ${run.maxTurns} model turns and is not done`);
}

function completed(run: LlmRun): Outcome {
  return { outcome: 'complete', metadata: { usage: summedUsage(run.records) } };
}

function failed(run: LlmRun, reason: string, sentence: string): Outcome {
  const message = { parts: [{ kind: 'text', text: sentence } as const], metadata: { reason } };
  return { outcome: 'failed', message, metadata: { usage: summedUsage(run.records) } };
}
