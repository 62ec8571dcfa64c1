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
  const messages = await turnMessages(turns, reading, wasRefused(recorded));
  // A failure or a rejection is part of the conversation: the caller has read it.
  const { state, message } = task.status;
  const said = (state === 'failed' || state === 'rejected') && message && agentMessage(message.parts);
  return said ? [...messages, said] : messages;
}

const REFUSALS: ReadonlySet<unknown> = new Set<ModelErrorKind>(['refused', 'too-long', 'failed']);

/** True for a task that ended because the model did not take what its last call was to be sent. */
function wasRefused({ task }: RecordedTask): boolean {
  return task.status.state === 'failed' && REFUSALS.has(task.status.message?.metadata?.reason);
}

/**
 * The messages of turns, one after the other. `isRefused`: the model did not take the last of them. It will not take their files with
 * the next message either, and gets their names alone.
 */
export async function turnMessages(
  turns: readonly RecordedTurn[],
  reading: FileReading,
  isRefused = false,
): Promise<readonly ModelMessage[]> {
  const messages: ModelMessage[] = [];
  for (const turn of turns) {
    const shown =
      isRefused && turn === turns.at(-1) ? turn.entries.findLastIndex(isResponse) : Number.POSITIVE_INFINITY;
    messages.push(...(await messagesOf(turn, reading, shown)));
  }
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

/** `shown`: the place of the last entry that is shown with its files; -1 where the message of the turn is not either. */
async function messagesOf(
  { message, entries }: RecordedTurn,
  reading: FileReading,
  shown: number,
): Promise<readonly ModelMessage[]> {
  const hiding = { ...reading, budget: { ...reading.budget, left: 0 } };
  const messages: ModelMessage[] = message ? [await userMessage(message, shown < 0 ? hiding : reading)] : [];
  let open: OpenCall | undefined;
  const close = () => {
    if (open && open.call.toolCalls.length > 0) messages.push(toolMessage(open.call, open.outcomes));
    open = undefined;
  };
  for (const [index, entry] of entries.entries()) {
    const isShown = index <= shown;
    if (entry.kind === 'messages') {
      close();
      for (const given of entry.messages) messages.push(await userMessage(given, isShown ? reading : hiding));
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
      const outcome = value as unknown as ToolOutcome;
      open?.outcomes.set(number, isShown ? outcome : withoutFiles(outcome));
    }
  }
  close();
  return messages;
}

function withoutFiles(outcome: ToolOutcome): ToolOutcome {
  if (outcome.type !== 'content') return outcome;
  const value = outcome.value.map((piece) =>
    piece.type === 'text' ? piece : ({ type: 'text', text: '[file: not shown]' } as const),
  );
  return { ...outcome, value };
}

/** A tool that had begun may have acted: the model must not be told otherwise. */
const NO_RESULT = 'The tool has no result: it was not carried out, or the task ended before it was done';

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

function isResponse(entry: Entry): boolean {
  return entry.kind === 'step' && isModelStep(entry.step) && recordedValue(entry) !== undefined;
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
