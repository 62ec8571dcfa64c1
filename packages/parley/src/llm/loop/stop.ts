import type { StepResult, StopCondition, ToolResultPart, ToolSet } from 'ai';
import type { LlmRun } from './llm-run.ts';
import type { CallRecord } from './records.ts';

/** True if a condition of `stopWhen` is met; all of them are asked, as in the AI SDK. */
export async function isStopped(run: LlmRun): Promise<boolean> {
  const { stopWhen } = run.settings;
  if (stopWhen.length === 0) return false;
  const steps = stepsOf(run);
  const answers = await Promise.all(stopWhen.map(async (condition) => condition({ steps })));
  return answers.some(Boolean);
}

/** The model calls so far in the words of the AI SDK: the members that a recorded call has. */
function stepsOf({ records, messages }: LlmRun): Parameters<StopCondition<ToolSet>>[0]['steps'] {
  // By the place of the call: some providers use the same ids in each response.
  const results = messages.filter(({ role }) => role === 'tool').values();
  return records.map((record, index) => {
    const content = record.toolCalls.length > 0 ? results.next().value?.content : undefined;
    return stepOf(record, index, Array.isArray(content) ? (content as readonly ToolResultPart[]) : []);
  });
}

function stepOf(record: CallRecord, index: number, results: readonly ToolResultPart[]): StepResult<ToolSet> {
  const { text, toolCalls, finishReason, usage, model, provider, messages } = record;
  const calls = toolCalls.map(({ problem, ...call }) => ({
    type: 'tool-call',
    ...call,
    dynamic: true,
    ...(problem !== undefined && { invalid: true }),
  }));
  const toolResults = toolCalls.flatMap(({ toolCallId, toolName, input }, place) => {
    const output = results[place]?.output;
    if (!output) return [];
    const value = 'value' in output ? output.value : undefined;
    return [{ type: 'tool-result', toolCallId, toolName, input, output: value, dynamic: true }];
  });
  const content = [...(text === '' ? [] : [{ type: 'text', text }]), ...calls, ...toolResults];
  return {
    stepNumber: index,
    model: { provider, modelId: model },
    content,
    text,
    toolCalls: calls,
    dynamicToolCalls: calls,
    staticToolCalls: [],
    toolResults,
    dynamicToolResults: toolResults,
    staticToolResults: [],
    finishReason,
    usage,
    files: [],
    sources: [],
    reasoning: [],
    reasoningText: undefined,
    warnings: undefined,
    request: {},
    response: { id: '', timestamp: new Date(0), modelId: model, messages },
    providerMetadata: undefined,
  } as unknown as StepResult<ToolSet>;
}
