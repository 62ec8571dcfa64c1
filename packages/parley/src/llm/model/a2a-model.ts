import type { CallOptions } from '../../client/options.ts';
import { endOfTurn, type TaskCaller, type TaskUse, useAgent } from '../../client/skill/canceling.ts';
import { QUESTIONS_EXTENSION } from '../../model/extensions/questions.ts';
import type { Message, Task } from '../../model/task.ts';
import { answerOf, contentOf, jsonTextOf } from './answer.ts';
import { type A2AModelSettings, headersOf, readSettings, warnOfSettings } from './call-settings.ts';
import { toSdkError } from './model-errors.ts';
import { type A2ALanguageModel, type GenerateResult, type ModelCall, PROVIDER, type Warning } from './model-types.ts';
import { newSince } from './new-since.ts';
import { finishReasonOf, metadataOf, problemOf, timeOf, usageOf } from './outcome.ts';
import { promptContent } from './prompt.ts';
import { streamOf } from './stream.ts';

export type { A2AModelSettings };

/** Settings for every call of the model. */
export interface A2AModelOptions extends Pick<CallOptions, 'headers' | 'extensions' | 'tenant' | 'timeout'> {
  /** The model's name in results and traces. Default: the name on the agent's card. */
  readonly modelId?: string | undefined;
  /** The skill to use, by its id. */
  readonly skill?: string | undefined;
}

/** One call of the model, on its way. */
interface Started {
  readonly use: TaskUse;
  readonly warnings: Warning[];
  /** The task as it was before the call, where the call goes on with one. */
  readonly before: Task | undefined;
}

/**
 * An A2A agent as a language model of the AI SDK. Each call is a task of the agent, and aborting a call cancels its task.
 *
 * @example
 * const { text } = await generateText({ model: a2aModel(client), prompt: 'Write the report for Q4' });
 */
export function a2aModel(client: TaskCaller, options: A2AModelOptions = {}): A2ALanguageModel {
  const address = () => client.card?.interfaces[0]?.url ?? '';

  /** If the read fails, the answer repeats earlier output rather than lack something. */
  const taskBefore = (id: string, { tenant, headers, timeout, signal }: CallOptions) =>
    client.getTask(id, { tenant, headers, timeout, signal }).catch(() => undefined);

  const start = async (call: ModelCall): Promise<Started> => {
    const settings = readSettings(call);
    const { contextId, taskId } = settings;
    const { parts, warnings } = promptContent(call, contextId !== undefined || taskId !== undefined);
    const { modelId: _, extensions = [], ...general } = options;
    const headers = { ...options.headers, ...headersOf(call) };
    const details = { ...general, ...settings, signal: call.abortSignal, headers };
    const before = taskId === undefined ? undefined : await taskBefore(taskId, details);
    const send = { ...details, extensions: [...extensions, QUESTIONS_EXTENSION] };
    const use = await useAgent(client, { parts }, send);
    return { use, before, warnings: [...warnOfSettings(call), ...warnings] };
  };

  const failure = (error: unknown, call: ModelCall, use?: TaskUse): Promise<unknown> => {
    if (call.abortSignal?.aborted) return Promise.resolve(call.abortSignal.reason);
    return toSdkError(error, { url: address(), hasBegun: use !== undefined && typeof use.stream.id === 'string' });
  };

  return {
    specificationVersion: 'v4',
    provider: PROVIDER,
    get modelId() {
      return options.modelId ?? client.card?.name ?? 'agent';
    },
    // Links are sent to the agent as they are, and are not fetched here.
    supportedUrls: { '*/*': [/^https?:\/\//] },

    async doGenerate(call) {
      let use: TaskUse | undefined;
      try {
        const started = await start(call);
        use = started.use;
        const result = await endOfTurn(use);
        const problem = problemOf(result);
        if (problem) throw problem;
        return generated(newSince(result, started.before), call, started.warnings, this.modelId);
      } catch (error) {
        throw await failure(error, call, use);
      } finally {
        use?.release();
      }
    },

    async doStream(call) {
      let use: TaskUse | undefined;
      try {
        const started = await start(call);
        use = started.use;
        const { modelId } = this;
        const toError = (error: unknown) => failure(error, call, started.use);
        return { stream: await streamOf({ ...started, call, modelId, toError }) };
      } catch (error) {
        use?.release();
        throw await failure(error, call, use);
      }
    },
  };
}

function generated(result: Task | Message, call: ModelCall, warnings: Warning[], modelId: string): GenerateResult {
  const answer = answerOf(result);
  return {
    content: contentOf(answer),
    ...(call.responseFormat?.type === 'json' && { structuredOutputText: jsonTextOf(answer) }),
    finishReason: finishReasonOf(result),
    usage: usageOf(result),
    providerMetadata: metadataOf(result),
    response: responseOf(result, modelId),
    warnings,
  };
}

/** The facts about a response: its id is that of the task, or of the message that was replied. */
function responseOf(result: Task | Message, modelId: string): NonNullable<GenerateResult['response']> {
  if (!('status' in result)) return { id: result.messageId, modelId };
  return { id: result.id, modelId, ...timeOf(result) };
}
