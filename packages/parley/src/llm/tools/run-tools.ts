import type { ToolResultPart, ToolSet } from 'ai';
import { recordedStep } from '../../agent/run/recorded-step.ts';
import type { JsonValue } from '../../model/basics/json.ts';
import { text } from '../../model/parts.ts';
import { approve } from '../ask/approval.ts';
import { isCallerTool, runByCaller } from '../ask/caller-tool.ts';
import type { LlmRun } from '../loop/llm-run.ts';
import { TOOL_STEP, type ToolCall, type ToolOutcome } from '../loop/records.ts';
import { agentOf } from './agent-tool.ts';
import { callAgent } from './call-agent.ts';
import { executeTool, reportToolCall } from './execute-tool.ts';
import { boundedOutcome, errorOutcome } from './tool-outcome.ts';
import { toolNamed } from './tool-set.ts';

/** A tool call that is carried out. */
interface StartedCall {
  readonly call: ToolCall;
  /** Its place in the response, from 1. */
  readonly number: number;
  /** Undefined where the model made the name up. */
  readonly tool: ToolSet[string] | undefined;
  /** The model turns that an agent behind the tool may use. */
  readonly maxTurns: number;
}

/**
 * Carries out the tool calls of one response, all at once. Each has a status update before any begins, and each outcome is a
 * step, so that none is done twice and later turns of the conversation have it.
 */
export async function runToolCalls(run: LlmRun, calls: readonly ToolCall[]): Promise<readonly ToolResultPart[]> {
  const tools = await run.tools;
  const most = run.settings.limits.toolCalls;
  const shown = calls.slice(0, most).filter(({ problem }) => problem === undefined);
  await Promise.all(shown.map((call) => showCall(run, call)));
  // Only agents use model turns.
  const agents = shown.filter(({ toolName }) => isAgentTool(toolNamed(tools, toolName)));
  const maxTurns = Math.floor(Math.max(0, run.turnsLeft - 1) / Math.max(1, agents.length));
  // All begin in the same turn of the loop and in their order, so that a resumed run numbers them alike.
  const outcomes = await allSettled(
    calls.map((call, index) => {
      if (index >= most) return Promise.resolve(tooMany(most));
      return outcomeOf(run, { call, number: index + 1, tool: toolNamed(tools, call.toolName), maxTurns });
    }),
  );
  return calls.map(({ toolCallId, toolName }, index) => {
    const output = outcomes[index] ?? errorOutcome('The tool has no result');
    return { type: 'tool-result', toolCallId, toolName, output };
  });
}

function isAgentTool(tool: ToolSet[string] | undefined): boolean {
  return tool !== undefined && agentOf(tool) !== undefined;
}

/** The metadata is that of the message, so that the history has it and the task's own metadata has not. */
function showCall(run: LlmRun, { toolCallId, toolName }: ToolCall): Promise<void> {
  return run.task.status({ parts: [text(`Calling ${toolName}…`)], metadata: { toolCall: { toolCallId, toolName } } });
}

/** The result of one call for the model. If the call cannot be carried out, the model is told why, and may try again. */
function outcomeOf(run: LlmRun, started: StartedCall): Promise<ToolOutcome> {
  const { call, tool } = started;
  if (call.problem !== undefined) {
    return Promise.resolve(boundedOutcome(errorOutcome(call.problem), run.settings.limits));
  }
  if (!tool) return Promise.resolve(errorOutcome(`There is no tool "${call.toolName}"`));
  const approval = approve(run, tool, call, started.number);
  if (!approval) return carryOut(run, started, tool);
  return approval.then((refused) => {
    return refused ? recordOutcome(run, started, async () => refused) : carryOut(run, started, tool);
  });
}

/** A call of an agent, and a question to the caller, are steps of their own kind, and must not be inside of one. */
function carryOut(run: LlmRun, started: StartedCall, tool: ToolSet[string]): Promise<ToolOutcome> {
  const { call, maxTurns } = started;
  const startedAt = Date.now();
  const record = (outcome: ToolOutcome) =>
    recordOutcome(run, started, async () => {
      reportToolCall(run, call, startedAt, outcome);
      return outcome;
    });
  const agent = agentOf(tool);
  if (agent) return callAgent(run, agent, { ...call, number: started.number, maxTurns }).then(record);
  if (isCallerTool(tool)) return runByCaller(run, tool, call).then(record);
  return recordOutcome(run, started, () => executeTool(run, tool, call));
}

/**
 * The outcome of a tool call as a step. Whatever carries out a call must record its outcome here: the next turns of the
 * conversation read it from the journal.
 */
async function recordOutcome(
  run: LlmRun,
  { call, number }: Pick<StartedCall, 'call' | 'number'>,
  action: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  // Numbered by its place in the response: calls of one tool side by side never take each other's record.
  const name = `${TOOL_STEP} ${run.records.length}.${number} ${call.toolName}`;
  const step = action as () => Promise<unknown> as () => Promise<JsonValue>;
  return (await recordedStep(run.inside.handle, name, step)) as unknown as ToolOutcome;
}

function tooMany(most: number): ToolOutcome {
  return errorOutcome(`Not carried out: a response may have ${most} tool calls (limits.toolCalls)`);
}

/** Waits for all, so that no tool still runs when the first failure ends the run. */
async function allSettled(tasks: readonly Promise<ToolOutcome>[]): Promise<readonly ToolOutcome[]> {
  const settled = await Promise.allSettled(tasks);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
