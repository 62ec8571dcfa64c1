import type { Outcome } from '../../agent/outcomes.ts';
import type { TaskContext } from '../../agent/task-context.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import { isModelCallFailure } from '../errors/failures.ts';
import type { LlmSettings } from '../settings.ts';
import { runToolCalls } from '../tools/run-tools.ts';
import { correction, readData, writeData } from './data-output.ts';
import { takeIncoming } from './incoming.ts';
import { LlmRun } from './llm-run.ts';
import { callModel } from './model-call.ts';
import { type CallRecord, summedUsage } from './records.ts';
import { isStopped } from './stop.ts';

/** Asks the model, carries out what it calls, and asks again, until it is done or may not go on. */
export async function runLoop(settings: LlmSettings, task: TaskContext): Promise<Outcome> {
  const run = new LlmRun(settings, task);
  try {
    return await loop(run);
  } catch (error) {
    if (isModelCallFailure(error)) return failed(run, error.code, error.message);
    // A file of the message could not be had; read from the journal, the error has its name alone.
    if (error instanceof Error && error.name === 'TaskFailure') return failed(run, 'no-file', error.message);
    throw error;
  }
}

async function loop(run: LlmRun): Promise<Outcome> {
  while (run.turnsLeft > 0) {
    const record = await callModel(run);
    run.add(record);
    if (record.toolCalls.length === 0) {
      // Messages that arrived meanwhile are part of the question.
      const incoming = run.turnsLeft > 0 ? await takeIncoming(run) : [];
      run.messages.push(...incoming);
      const end = incoming.length > 0 ? undefined : await ended(run, record);
      if (end) return end;
      continue;
    }
    // Results that the model cannot see any more are not worth their effects.
    if (run.turnsLeft === 0) break;
    const results = await runToolCalls(run, record.toolCalls);
    run.messages.push({ role: 'tool', content: [...results] });
    if (await isStopped(run)) {
      // Data beside the last calls is the result. Without it, a tool may have written it: the server looks at the whole.
      await problemOf(run, record);
      return completed(run);
    }
    run.messages.push(...(await takeIncoming(run)));
  }
  return failed(run, 'max-turns', `The agent has used all of its ${run.maxTurns} model turns and is not done`);
}

/** The end of the run after a response without tool calls; undefined where the model is asked once more. */
async function ended(run: LlmRun, record: CallRecord): Promise<Outcome | undefined> {
  if (record.finishReason === 'content-filter') {
    return failed(run, 'content-filter', "The model's provider has filtered the response");
  }
  const problem = await problemOf(run, record);
  if (problem === undefined) return completed(run);
  if (run.isCorrected)
    return failed(run, 'invalid-output', `The result of the model does not fit its schema: ${problem}`);
  run.isCorrected = true;
  run.messages.push({ role: 'user', content: correction(problem) });
  return undefined;
}

/** Writes the data of a response, where data is wanted; the reason why there is none that fits. */
async function problemOf(run: LlmRun, { text }: CallRecord): Promise<string | undefined> {
  if (!run.output) return undefined;
  const { data, problem } = await readData(text, run.output);
  if (problem === undefined) await writeData(run, data);
  return problem;
}

function completed(run: LlmRun): Outcome {
  return { outcome: 'complete', metadata: metadataOf(run) };
}

function failed(run: LlmRun, reason: string, sentence: string): Outcome {
  const message = { parts: [{ kind: 'text', text: sentence } as const], metadata: { reason } };
  return { outcome: 'failed', message, metadata: metadataOf(run) };
}

/** The facts about the run in its last status update; from there they go into the task's metadata. */
function metadataOf({ records }: LlmRun): JsonObject {
  const reason = records.at(-1)?.finishReason;
  const isPlain = reason === undefined || reason === 'stop' || reason === 'tool-calls';
  return { usage: summedUsage(records), ...(!isPlain && { finishReason: reason }) };
}
