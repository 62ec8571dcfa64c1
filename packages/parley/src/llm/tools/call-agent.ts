import type { AgentCall, CallTarget } from '../../agent/calls.ts';
import { recordedStep } from '../../agent/run/recorded-step.ts';
import type { MessageInput } from '../../client/message/content.ts';
import { modelOutputOf } from '../../client/skill/model-output.ts';
import type { ToolAgent } from '../../client/skill/tool-agent.ts';
import type { ToolInput } from '../../client/skill/tool-input.ts';
import { toolOutputOf } from '../../client/skill/tool-result.ts';
import type { JsonValue } from '../../model/basics/json.ts';
import { textOfThrown } from '../../model/errors/thrown-text.ts';
import { textOf } from '../../model/parts.ts';
import { isInterrupted } from '../../model/states.ts';
import { isTask, type Message, type StreamEvent, type Task, type TaskStatus } from '../../model/task.ts';
import { relayQuestion, UnaskableQuestion } from '../ask/relayed-question.ts';
import type { LlmRun } from '../loop/llm-run.ts';
import { QUESTION_STEP, type ToolCall, type ToolOutcome } from '../loop/records.ts';
import { boundedOutcome, errorOutcome } from './tool-outcome.ts';

/** A call of an agent by the model. */
interface AgentToolCall extends ToolCall {
  /** Its place in the response, from 1. */
  readonly number: number;
  /** The model turns that the agent may use. */
  readonly maxTurns: number;
}

/** An agent that asks without an end is given up. */
const MOST_QUESTIONS = 32;

/**
 * Calls the agent behind a tool as `task.call` does: its task refers to this one, ends with it, is found again after a restart,
 * and may use what is left of the model turns. What it asks, the caller of this agent is asked.
 */
export async function callAgent(run: LlmRun, target: ToolAgent<CallTarget>, call: AgentToolCall): Promise<ToolOutcome> {
  const { limits } = run.settings;
  try {
    const result = await endOf(run, target, call);
    if (!isTask(result)) return boundedOutcome(modelOutputOf(toolOutputOf(result, target.files)), limits);
    run.spend(modelCallsOf(result));
    if (result.status.state !== 'completed') return boundedOutcome(errorOutcome(stateOf(result)), limits);
    return boundedOutcome(modelOutputOf(toolOutputOf(result, target.files)), limits);
  } catch (error) {
    if (run.inside.handle.isAborted) throw error;
    return boundedOutcome(errorOutcome(textOfThrown(error)), limits);
  }
}

/** The end of the agent's task, with its questions answered. */
async function endOf(run: LlmRun, target: ToolAgent<CallTarget>, call: AgentToolCall): Promise<Task | Message> {
  const { skill, timeout, agent } = target;
  const { maxTurns, toolName, number } = call;
  const options = { timeout, maxTurns, forward: saidWhileWorking };
  const place = `${run.records.length}.${number}`;
  let use = run.task.call(agent, (call.input as unknown as ToolInput).task, { ...options, skill });
  for (let round = 1; ; round += 1) {
    const result = await use;
    if (!isTask(result)) return result;
    // The agent may be further when a resumed run looks at it.
    const asked = await recordedStep(run.inside.handle, `${QUESTION_STEP} ${place} ${toolName}`, async () => {
      return isInterrupted(result.status.state) ? (result.status as unknown as JsonValue) : null;
    });
    if (asked === null || asked === undefined) return result;
    const asking = { ...result, status: asked as unknown as TaskStatus };
    const answer = await answerFor(run, asking, use, { place, round });
    use = run.task.call(agent, answer, { ...options, taskId: result.id });
  }
}

/** The caller's answer. Without one, the agent's task is canceled, because it will never be continued. */
async function answerFor(
  run: LlmRun,
  task: Task,
  use: AgentCall,
  { place, round }: { readonly place: string; readonly round: number },
): Promise<MessageInput> {
  const { handle } = run.inside;
  const cancel = () => {
    if (!handle.goesOnElsewhere) use.cancel().catch(() => {});
  };
  handle.signal.addEventListener('abort', cancel);
  try {
    if (round > MOST_QUESTIONS)
      throw new UnaskableQuestion(`The agent has asked ${MOST_QUESTIONS} times and is not done`);
    if (task.status.state !== 'input-required') throw new UnaskableQuestion(stateOf(task));
    return await relayQuestion(run, task, `${place}.${round}`);
  } catch (error) {
    if (!handle.isAborted) cancel();
    throw error;
  } finally {
    handle.signal.removeEventListener('abort', cancel);
  }
}

/** The message with which the agent explains its state; a question is shown when the caller is asked. */
function saidWhileWorking(event: StreamEvent): string | undefined {
  if (event.kind !== 'status' || event.status.state === 'input-required') return undefined;
  return event.status.message && textOf(event.status.message);
}

/** The model turns of a child, where it tells them. */
function modelCallsOf({ metadata }: Task): number {
  const usage = metadata?.usage as { readonly modelCalls?: unknown } | undefined;
  const calls = usage?.modelCalls;
  return typeof calls === 'number' && Number.isInteger(calls) && calls > 0 ? calls : 0;
}

function stateOf({ status }: Task): string {
  const said = status.message ? `: ${textOf(status.message)}` : '';
  return `The agent's task is ${status.state}${said}`;
}
