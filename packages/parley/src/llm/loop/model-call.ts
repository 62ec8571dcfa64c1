import type { LanguageModel, ModelMessage } from 'ai';
import { recordedStep } from '../../agent/run/recorded-step.ts';
import { pause } from '../../agent/run/retry.ts';
import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import { jsonSchemaOf } from '../../model/schema/schema-check.ts';
import { type Ai, loadAi } from '../ai.ts';
import { classify, type ModelError, sentenceOf } from '../errors/classify.ts';
import { ModelCallFailure } from '../errors/failures.ts';
import { guardedDownload } from '../history/guarded-download.ts';
import { describedTools } from '../tools/tool-set.ts';
import { abortable } from './abortable.ts';
import type { LlmRun } from './llm-run.ts';
import { outputModeSchema } from './output-mode.ts';
import { type CallRecord, MODEL_STEP } from './records.ts';
import { Silence } from './silence.ts';
import { type ModelResponse, readResponse } from './stream-call.ts';

/** One model call, as a step: a resumed run gets the recorded response, and pays for it once. */
export async function callModel(run: LlmRun): Promise<CallRecord> {
  const { handle } = run.inside;
  const record = await recordedStep(handle, MODEL_STEP, () => attempts(run) as Promise<unknown> as Promise<JsonValue>, {
    writes: true,
  });
  return record as unknown as CallRecord;
}

/** Tries again what may pass, within `limits.attempts`; output of an attempt that failed is taken back. */
async function attempts(run: LlmRun): Promise<CallRecord> {
  const { handle } = run.inside;
  const { limits } = run.settings;
  const request = await requestOf(run);
  const { model } = request;
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = Date.now();
    try {
      const record = await attemptCall(run, request, attempt === limits.attempts);
      report(run, record, startedAt);
      return jsonOf(record);
    } catch (thrown) {
      if (handle.isAborted) throw handle.signal.reason;
      const error = classify(thrown);
      report(run, factsOf(model), startedAt, error);
      const isLast = !error.mayPass || attempt >= limits.attempts;
      const message = isLast ? 'A model call failed' : 'A model call failed and is tried again';
      handle.warn(message, { kind: error.kind, status: error.status, attempt, error: detailOf(thrown) });
      if (isLast) throw new ModelCallFailure(error.kind, sentenceOf(error.kind), thrown);
      await pause(delayOf(error, attempt, run), handle);
      run.answer.reset(run.records);
    }
  }
}

type Request = Awaited<ReturnType<typeof requestOf>>;

async function attemptCall(run: LlmRun, request: Request, takesCut: boolean): Promise<CallRecord> {
  const ai = await loadAi();
  const { limits } = run.settings;
  const silence = new Silence(run.inside.handle, limits);
  const facts = { ...factsOf(request.model), most: limits.responseLength, takesCut, silence };
  return abortable(run.task.signal, (abortSignal) =>
    silence.limit(readResponse(begin(ai, request, abortSignal), run.answer, facts)),
  );
}

/** Messages are kept as they come: the AI SDK's own promise of them would read the whole stream a second time. */
function begin(ai: Ai, request: Request, abortSignal: AbortSignal): ModelResponse {
  const messages: ModelMessage[] = [];
  const keep = ({ response }: { readonly response: { readonly messages: readonly ModelMessage[] } }) => {
    messages.push(...response.messages);
  };
  // The one that keeps no copy of the stream for further readers. Not every version has it.
  const streamOnce = ai.experimental_streamTextLowMemory ?? ai.streamText;
  // Versions have one or both of these names; where both are known, the first one is called.
  const { stream } = streamOnce({ ...request, abortSignal, onStepEnd: keep, onStepFinish: keep });
  return { stream, messages };
}

/** Prepares the request to the model. Mistakes of the agent's own functions show here, and are not taken for the provider's. */
async function requestOf(run: LlmRun) {
  const { Output, jsonSchema } = await loadAi();
  const { limits, settings } = run.settings;
  const tools = await run.tools;
  const schema = run.output && jsonSchemaOf(run.output.source, 'input');
  const mode = schema && outputModeSchema(schema);
  const instructions = instructionsOf(await run.instructions, schema);
  return {
    ...settings,
    model: await run.model,
    ...(instructions && { instructions }),
    messages: await promptOf(run),
    ...(Object.keys(tools).length > 0 && { tools: describedTools(tools) }),
    ...(mode && { output: Output.object({ schema: jsonSchema(mode as object) }) }),
    // Attempts are ours: each is reported, and takes back what the one before it wrote.
    maxRetries: 0,
    onError: () => {},
    experimental_download: guardedDownload(run.task, limits),
  };
}

/** Not every model has a mode for data, so each is told in words as well. */
function instructionsOf(given: string | undefined, schema: JsonObject | undefined): string | undefined {
  if (!schema) return given;
  const wanted = `Respond with JSON alone that fits this JSON Schema: ${JSON.stringify(schema)}`;
  return given ? `${given}\n\n${wanted}` : wanted;
}

async function promptOf(run: LlmRun): Promise<ModelMessage[]> {
  const { prepareHistory } = run.settings;
  const all = [...(await run.conversation), ...run.messages];
  if (!prepareHistory) return all;
  const inputTokens = run.records.at(-1)?.usage.inputTokens;
  const prepared = await prepareHistory(all, { task: run.task, turn: run.records.length + 1, inputTokens });
  if (!Array.isArray(prepared) || prepared.length === 0) {
    throw new TypeError('prepareHistory must return a list of at least one message');
  }
  return prepared;
}

function factsOf(model: LanguageModel): { readonly model: string; readonly provider: string } {
  if (typeof model === 'string') return { model, provider: 'gateway' };
  return { model: model.modelId, provider: model.provider };
}

function delayOf({ retryAfter = 0 }: ModelError, attempt: number, { settings: { limits } }: LlmRun): number {
  // Runs that met the same error do not come back at the same time.
  const backoff = limits.firstDelay * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return Math.min(Math.max(retryAfter, backoff), limits.longestDelay);
}

/** As the journal will have it, so that a first run sees the same as a resumed one. */
function jsonOf(record: CallRecord): CallRecord {
  return JSON.parse(JSON.stringify(record)) as CallRecord;
}

function report(
  { inside, task }: LlmRun,
  call: Pick<CallRecord, 'model' | 'provider'> & Partial<CallRecord>,
  startedAt: number,
  error?: ModelError,
): void {
  const { listener, agent } = inside;
  if (!listener) return;
  const { model, provider, usage, finishReason } = call;
  const facts = { agent, taskId: task.id, contextId: task.contextId, model, provider, usage, finishReason };
  const failure = error && { kind: error.kind, ...(error.status !== undefined && { status: error.status }) };
  listener({ kind: 'model-call', ...facts, startedAt, endedAt: Date.now(), ...(failure && { error: failure }) });
}

/** The words of an error for the log, without what it carries along: requests, keys, bodies. */
function detailOf(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'not an Error';
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
