import type { ModelMessage, ToolResultPart } from 'ai';
import type { RecordedTask, RecordedTurn } from '../../engine/turn/runner.ts';
import { isPlainObject, type JsonValue } from '../../model/basics/json.ts';
import { isReasoning } from '../../model/reasoning.ts';
import type { ModelErrorKind } from '../errors/classify.ts';
import { type CallRecord, MODEL_STEP, TOOL_STEP, type ToolOutcome } from '../loop/records.ts';
import { errorOutcome } from '../tools/tool-outcome.ts';
import { agentMessage, type FileReading, userMessage } from './message-content.ts';

/**
 * The messages of an earlier task, as the model saw and wrote them: its journal has the responses and the results of tools.
 * Of a task without one, its words.
 */
export async function transcriptOf(recorded: RecordedTask, reading: FileReading): Promise<readonly ModelMessage[]> {
  const { task, turns } = recorded;
  const isOwn = turns.some(({ entries }) => entries.some((entry) => entry.kind === 'step' && isModelStep(entry.step)));
  if (!isOwn) return wordsOf(recorded, reading);
  // A model that did not take the files once will not take them with the next message either.
  const shown = wasRefused(recorded) ? { ...reading, budget: { ...reading.budget, left: 0 } } : reading;
  const messages = await turnMessages(turns, shown);
  // A failure or a rejection is part of the conversation: the caller has read it.
  const { state, message } = task.status;
  const said = (state === 'failed' || state === 'rejected') && message && agentMessage(message.parts);
  return said ? [...messages, said] : messages;
}

const REFUSALS: ReadonlySet<unknown> = new Set<ModelErrorKind>(['refused', 'too-long', 'failed']);

/** True for a task that ended because the model did not take what its first call was to be sent. */
function wasRefused({ task, turns }: RecordedTask): boolean {
  const hasResponse = turns.some(({ entries }) => entries.some((entry) => responseOf(entry) !== undefined));
  return task.status.state === 'failed' && !hasResponse && REFUSALS.has(task.status.message?.metadata?.reason);
}

/** The messages of turns, one after the other. */
export async function turnMessages(
  turns: readonly RecordedTurn[],
  reading: FileReading,
): Promise<readonly ModelMessage[]> {
  const messages: ModelMessage[] = [];
  for (const turn of turns) messages.push(...(await messagesOf(turn, reading)));
  return messages;
}

async function wordsOf({ task }: RecordedTask, reading: FileReading): Promise<readonly ModelMessage[]> {
  const messages: ModelMessage[] = [];
  const add = (message: ModelMessage | undefined) => message && messages.push(message);
  for (const message of task.history) {
    if (message.role === 'user') messages.push(await userMessage(message, reading));
    else add(agentMessage(message.parts));
  }
  const results = task.artifacts.filter((artifact) => !isReasoning(artifact));
  add(agentMessage(results.flatMap(({ parts }) => parts)));
  if (task.status.message) add(agentMessage(task.status.message.parts));
  return messages;
}

/** A response whose tool calls may still get their outcomes. */
interface OpenCall {
  readonly call: CallRecord;
  /** By the place of the call in the response, from 1. */
  readonly outcomes: Map<number, ToolOutcome>;
  /** The number of messages before it. */
  readonly begin: number;
}

async function messagesOf({ message, entries }: RecordedTurn, reading: FileReading): Promise<readonly ModelMessage[]> {
  const messages: ModelMessage[] = message ? [await userMessage(message, reading)] : [];
  let open: OpenCall | undefined;
  const close = () => {
    if (open && open.call.toolCalls.length > 0) messages.push(toolMessage(open.call, open.outcomes));
    open = undefined;
  };
  for (const entry of entries) {
    if (entry.kind === 'messages') {
      close();
      for (const given of entry.messages) messages.push(await userMessage(given, reading));
      continue;
    }
    const value = recordedValue(entry);
    const number = toolNumber(entry.step);
    if (isModelStep(entry.step) && value !== undefined) {
      // The model was asked once more, because its result did not fit: only the last one counts.
      if (open && open.call.toolCalls.length === 0) messages.length = open.begin;
      close();
      const call = value as unknown as CallRecord;
      open = { call, outcomes: new Map(), begin: messages.length };
      messages.push(...call.messages);
    } else if (number !== undefined && value !== undefined) {
      open?.outcomes.set(number, value as unknown as ToolOutcome);
    }
  }
  close();
  return messages;
}

/** A tool that had begun may have acted: the model must not be told otherwise. */
const NO_RESULT = 'The tool has no result: the task ended before it was done, or before it began';

/** Every call has a result, or providers refuse the conversation. */
function toolMessage({ toolCalls }: CallRecord, outcomes: ReadonlyMap<number, ToolOutcome>): ModelMessage {
  const content = toolCalls.map(({ toolCallId, toolName, problem }, index): ToolResultPart => {
    const output = outcomes.get(index + 1) ?? errorOutcome(problem ?? NO_RESULT);
    return { type: 'tool-result', toolCallId, toolName, output };
  });
  return { role: 'tool', content };
}

type Entry = RecordedTurn['entries'][number];

function recordedValue(entry: Entry): JsonValue | undefined {
  if (entry.kind !== 'step' || !isPlainObject(entry.result)) return undefined;
  return entry.result.value as JsonValue | undefined;
}

function responseOf(entry: Entry): JsonValue | undefined {
  return entry.kind === 'step' && isModelStep(entry.step) ? recordedValue(entry) : undefined;
}

/** Steps are recorded with how often their name came: `model 2`, `tool 2.1 weather 1`. */
function isModelStep(step: string): boolean {
  return step.startsWith(`${MODEL_STEP} `);
}

function toolNumber(step: string): number | undefined {
  if (!step.startsWith(`${TOOL_STEP} `)) return undefined;
  const [, number] = /^\d+\.(\d+) /.exec(step.slice(TOOL_STEP.length + 1)) ?? [];
  return number === undefined ? undefined : Number(number);
}
