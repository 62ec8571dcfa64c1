import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';
import { textOfThrown } from '../../model/errors/thrown-text.ts';
import { type ToolUse, toolUseOf } from '../../model/extensions/caller-tools.ts';
import { type AskedQuestion, openQuestionsOf } from '../../model/extensions/open-questions.ts';
import { inputRequestOf, QUESTIONS_EXTENSION, questionOf } from '../../model/extensions/questions.ts';
import { json, text, textOf } from '../../model/parts.ts';
import { fitting } from '../../model/schema/schema-problems.ts';
import type { Message, Part, Task } from '../../model/task.ts';
import { type MessageInput, toPart } from '../message/content.ts';
import { checkerOf, type InputHandlers, type InputQuestion } from './inputs.ts';

/** The answer that goes back to the agent. */
export interface PreparedAnswer {
  readonly message: MessageInput;
  /** It must not be shown. */
  readonly isSensitive: boolean;
}

/** Runs the tools that the agent wants, and asks for the answers to the rest; undefined if there is none. */
export async function answerTo(
  task: Task,
  { tools = {}, onInput }: InputHandlers,
  signal: AbortSignal,
): Promise<PreparedAnswer | undefined> {
  const { message } = task.status;
  const open = message ? openQuestionsOf(message) : [];
  if (message && open.length > 1) return answerAll(task, open, { tools, onInput }, signal);
  const use = message && toolUseOf(message);
  if (use && Object.hasOwn(tools, use.name)) {
    const outcome = await outcomeOf(use, tools, task.id, signal);
    return { message: { parts: [toolPart(use.toolUseId, outcome, use.hasKind)] }, isSensitive: false };
  }
  if (!onInput) return undefined;
  const question = questionFor(task, use, signal);
  const given = await onInput(question);
  if (given === undefined) return undefined;
  return { message: messageOf(given as JsonValue | MessageInput, task, use), isSensitive: question.sensitive };
}

/**
 * Answers several questions with one message, in which each answer names its question. The tools run side by side, and
 * `onInput` is called for one question after the other; unanswered ones stay open.
 */
async function answerAll(
  task: Task,
  open: readonly AskedQuestion[],
  { tools = {}, onInput }: InputHandlers,
  signal: AbortSignal,
): Promise<PreparedAnswer | undefined> {
  const { message } = task.status;
  const hasKind = message?.metadata?.inputRequests !== undefined;
  const run = open.map(async ({ id, tool }) => {
    if (!tool || !Object.hasOwn(tools, tool.name)) return [];
    return [toolPart(id, await outcomeOf({ ...tool, toolUseId: id, hasKind }, tools, task.id, signal), hasKind)];
  });
  const parts: Part[] = [];
  let isSensitive = false;
  for (const asked of onInput ? open : []) {
    if (asked.tool && Object.hasOwn(tools, asked.tool.name)) continue;
    const question = questionOfMany(task, asked, signal);
    const given = await onInput?.(question);
    if (given === undefined) continue;
    isSensitive ||= question.sensitive;
    parts.push(...(await namedParts(given as JsonValue | MessageInput, asked, hasKind)));
  }
  const all = [...(await Promise.all(run)).flat(), ...parts];
  if (all.length === 0) return undefined;
  return { message: { parts: all, ...(hasKind && { referenceTaskIds: [task.id] }) }, isSensitive };
}

/** An answer that names its question: a value by a result, a message by the metadata of its parts. */
async function namedParts(
  given: JsonValue | MessageInput,
  { id, tool }: AskedQuestion,
  hasKind: boolean,
): Promise<readonly Part[]> {
  if (!isMessageInput(given)) {
    // The result of a tool is taken as it is; only answers in words or to a form may be wrapped.
    const isWrapped = hasKind && !tool && !isPlainObject(given);
    const result: JsonValue = isWrapped ? { value: given } : given;
    return [toolPart(id, { result }, hasKind)];
  }
  const parts = await Promise.all(given.parts.map(toPart));
  return parts.map((part) => ({ ...part, metadata: { ...part.metadata, [QUESTIONS_EXTENSION]: { id } } }));
}

type Outcome = { readonly result: JsonValue } | { readonly error: string };

async function outcomeOf(
  { name, args, toolUseId }: ToolUse,
  tools: NonNullable<InputHandlers['tools']>,
  taskId: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const tool = tools[name];
  if (!tool) return { error: `There is no tool "${name}"` };
  try {
    const checker = checkerOf(tool.parameters);
    const checked = checker ? await fitting(checker, args, 'args') : { isValid: true as const, value: args };
    if (!checked.isValid) return { error: `The arguments do not fit: ${checked.problem}` };
    const result: unknown = await tool.execute(checked.value, { taskId, toolUseId, signal });
    return { result: result === undefined ? null : (JSON.parse(JSON.stringify(result)) as JsonValue) };
  } catch (error) {
    return { error: textOfThrown(error) };
  }
}

/** As the extension has it, or as a part that says that it is a result. */
function toolPart(toolUseId: string, outcome: Outcome, hasKind: boolean): Part {
  return json({ ...(hasKind && { kind: 'tool-result' }), toolUseId, ...outcome });
}

function questionFor(task: Task, use: ToolUse | undefined, signal: AbortSignal): InputQuestion {
  const { id: taskId, contextId } = task;
  const { message } = task.status;
  const whole = message ? textOf(message) : '';
  const info = message && questionOf(message);
  const request = message && inputRequestOf(message);
  return {
    prompt: info?.prompt ?? request?.prompt ?? whole,
    text: whole,
    id: info?.id ?? request?.requestId,
    choices: info?.choices,
    schema: info?.schema,
    sensitive: (info?.sensitive ?? false) || (request?.sensitive ?? false),
    timeoutSeconds: info?.timeoutSeconds,
    problem: info?.problem,
    tool: use && { name: use.name, args: use.args },
    approves: info?.approves,
    taskId,
    contextId,
    message,
    signal,
  };
}

/** One of several questions. */
function questionOfMany(task: Task, asked: AskedQuestion, signal: AbortSignal): InputQuestion {
  const { id, prompt, choices, schema, sensitive = false, timeoutSeconds, problem, tool, approves } = asked;
  const { id: taskId, contextId } = task;
  const { message } = task.status;
  const about = { schema, timeoutSeconds, problem, tool, approves, taskId, contextId, message, signal };
  return { ...about, prompt, text: prompt, id, choices, sensitive };
}

/** The answer in the shape in which the question came. */
function messageOf(given: JsonValue | MessageInput, task: Task, use: ToolUse | undefined): MessageInput {
  if (isMessageInput(given)) return given;
  if (use) return { parts: [toolPart(use.toolUseId, { result: given }, use.hasKind)] };
  const request = requestOf(task.status.message);
  if (request) {
    const result: JsonObject = isPlainObject(given) ? (given as JsonObject) : { value: given };
    return {
      parts: [text('Here is the requested input:'), toolPart(request.requestId, { result }, true)],
      referenceTaskIds: [task.id],
    };
  }
  return { parts: [typeof given === 'object' ? json(given) : text(String(given))] };
}

/** Only where there is nothing newer. */
function requestOf(message: Message | undefined) {
  return message && !questionOf(message) ? inputRequestOf(message) : undefined;
}

function isMessageInput(given: JsonValue | MessageInput): given is MessageInput {
  return isPlainObject(given) && Array.isArray(given.parts);
}
