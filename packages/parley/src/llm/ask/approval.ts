import type { ModelMessage, ToolApprovalConfiguration, ToolApprovalStatus, ToolSet } from 'ai';
import { askQuestion } from '../../agent/questions/questions.ts';
import { recordedStep } from '../../agent/run/recorded-step.ts';
import { isPlainObject, type JsonValue } from '../../model/basics/json.ts';
import { isInputError } from '../../model/errors/input-error.ts';
import type { LlmRun } from '../loop/llm-run.ts';
import type { ToolCall, ToolOutcome } from '../loop/records.ts';
import { argumentsTooLong, shownArguments } from './shown-arguments.ts';

/** The rule that decides about tool calls before they are carried out, as the AI SDK has it. */
export type ToolApproval = ToolApprovalConfiguration<ToolSet, unknown>;

type Status = Exclude<ToolApprovalStatus, string | undefined>;

/** The name of the step in which a function decides; not one of the names under which outcomes are recorded. */
const APPROVAL_STEP = 'approval';

/**
 * Decides on a tool call: resolves with what the model is told if it is refused. Undefined if there is nothing to
 * decide, which costs nothing.
 */
export function approve(
  run: LlmRun,
  tool: ToolSet[string],
  call: ToolCall,
  number: number,
): Promise<ToolOutcome | undefined> | undefined {
  const { toolApproval } = run.settings;
  const isDecided = typeof toolApproval === 'function' || ownStatus(toolApproval, call) != null;
  if (!isDecided && (tool.needsApproval === undefined || tool.needsApproval === false)) return undefined;
  return decide(run, tool, call, number);
}

async function decide(
  run: LlmRun,
  tool: ToolSet[string],
  call: ToolCall,
  number: number,
): Promise<ToolOutcome | undefined> {
  const { type, reason } = await statusOf(run, tool, call, number);
  if (type === 'approved' || type === 'not-applicable') return undefined;
  if (type === 'user-approval') return askCaller(run, call, reason);
  return refusal(reason);
}

/** A function may decide differently each time: what it has decided is a step. */
async function statusOf(run: LlmRun, tool: ToolSet[string], call: ToolCall, number: number): Promise<Status> {
  const decision = decisionOf(run, tool, call);
  if (typeof decision !== 'function') return normalized(decision);
  const name = `${APPROVAL_STEP} ${run.records.length}.${number} ${call.toolName}`;
  const recorded = await recordedStep(run.inside.handle, name, async () => {
    const { type, reason } = normalized(await decision());
    return { type, ...(reason !== undefined && { reason }) };
  });
  return recorded as unknown as Status;
}

type Decision = ToolApprovalStatus | (() => Promise<ToolApprovalStatus>);

/** In the order of the AI SDK: a function for all, what the record has for the tool, what the tool itself says. */
function decisionOf(run: LlmRun, tool: ToolSet[string], call: ToolCall): Decision {
  const { toolApproval } = run.settings;
  const { toolCallId, input } = call;
  if (typeof toolApproval === 'function') {
    return async () => {
      const toolCall = { type: 'tool-call', ...call };
      const facts = { toolCall, tools: await run.tools, toolsContext: {}, runtimeContext: undefined };
      return toolApproval({ ...facts, messages: await seenBy(run) } as never);
    };
  }
  const own = ownStatus(toolApproval, call);
  if (typeof own === 'function') {
    return async () => own(input as never, { toolCallId, messages: await seenBy(run) } as never);
  }
  if (own != null) return own;
  const { needsApproval } = tool;
  if (typeof needsApproval !== 'function') return needsApproval ? 'user-approval' : undefined;
  return async () => {
    const isNeeded = await needsApproval(input as never, { toolCallId, messages: await seenBy(run) } as never);
    return isNeeded ? 'user-approval' : undefined;
  };
}

function ownStatus(toolApproval: ToolApproval | undefined, { toolName }: ToolCall) {
  if (typeof toolApproval !== 'object' || !Object.hasOwn(toolApproval, toolName)) return undefined;
  return toolApproval[toolName];
}

/** The messages that led to the response with the call, without that response. */
async function seenBy(run: LlmRun): Promise<ModelMessage[]> {
  const response = run.records.at(-1)?.messages.length ?? 0;
  return [...(await run.conversation), ...run.messages.slice(0, run.messages.length - response)];
}

const STATUSES: ReadonlySet<unknown> = new Set(['approved', 'denied', 'user-approval', 'not-applicable']);

/** An unknown status is no consent. */
function normalized(status: ToolApprovalStatus): Status {
  if (status === undefined) return { type: 'not-applicable' };
  const given: unknown = typeof status === 'string' ? { type: status } : status;
  if (isPlainObject(given) && STATUSES.has(given.type)) return given as Status;
  throw new TypeError(`toolApproval gave ${JSON.stringify(status)}, which is no approval status`);
}

/** The task is input-required until the caller has decided. An answer that is neither, three times, is no consent. */
async function askCaller(run: LlmRun, call: ToolCall, reason: string | undefined): Promise<ToolOutcome | undefined> {
  const { toolName, input } = call;
  const tooLong = argumentsTooLong(call, run.settings.limits);
  if (tooLong) return tooLong;
  const why = reason === undefined ? '' : `\n${reason}`;
  const prompt = `May the tool "${toolName}" be called with ${shownArguments(input)}?${why}`;
  try {
    const question = { prompt, choices: [APPROVE, REFUSE], approves: { name: toolName, args: input as JsonValue } };
    // A message that came before the call was shown is no consent to it; the model gets that one later.
    const answer = await askQuestion(run.inside.handle, question, true);
    return answer === APPROVE ? undefined : refusal('The caller has refused this call');
  } catch (error) {
    if (isInputError(error) && error.code === 'INVALID_ANSWER') return refusal('The caller has not approved this call');
    throw error;
  }
}

const APPROVE = 'approve';
const REFUSE = 'refuse';

function refusal(reason: string | undefined): ToolOutcome {
  return { type: 'execution-denied', ...(reason !== undefined && { reason }) };
}
