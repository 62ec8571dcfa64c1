import type { MessageDraft, RunHandle } from '../../engine/turn/runner.ts';
import { isPlainObject, type JsonValue } from '../../model/basics/json.ts';
import { InputError, isInputError } from '../../model/errors/input-error.ts';
import { hasToolResult, toolResultOf } from '../../model/extensions/caller-tools.ts';
import { openQuestionsOf } from '../../model/extensions/open-questions.ts';
import type { Choice, QuestionInfo } from '../../model/extensions/questions.ts';
import { textOf } from '../../model/parts.ts';
import type { SchemaSource, SourceOutput } from '../../model/schema/schema-check.ts';
import { jsonSchemaIfKnown } from '../../model/schema/schema-problems.ts';
import type { MessageContent } from '../outcomes.ts';
import { messageDraft } from '../run/outputs.ts';
import { readAnswer } from './answers.ts';
import { promptText, questionDraft, withProblem } from './question-prompt.ts';

/** Options of every question. */
export interface QuestionOptions<Late = never> {
  /** The question for people. */
  readonly prompt: MessageContent;
  /** Marks the answer as a secret: callers should not show or log it, and no error contains it. */
  readonly sensitive?: boolean | undefined;
  /** Milliseconds to wait for the answer. Default: `limits.askTimeout`, or forever in a resumable agent. */
  readonly timeout?: number | undefined;
  /** The value that the run continues with after the timeout. Without it, the question fails with INPUT_TIMEOUT. */
  readonly onTimeout?: Late | (() => Late | Promise<Late>) | undefined;
  /** Attempts before a wrong answer fails the question with INVALID_ANSWER. Default 3. */
  readonly attempts?: number | undefined;
  /** The state of the task while it waits. Default `input-required`. */
  readonly state?: 'input-required' | 'auth-required' | undefined;
  /** A tool call of the agent that the answer allows or refuses, for callers that show it in their own way. */
  readonly approves?: { readonly name: string; readonly args: JsonValue } | undefined;
}

/** A question whose answer must fit a schema (Zod 4, or anything that follows Standard Schema). */
export interface SchemaQuestion<Schema extends SchemaSource, Late = never> extends QuestionOptions<Late> {
  readonly schema: Schema;
  /** Answers to choose from; the chosen one must fit the schema. */
  readonly choices?: readonly (string | Choice)[] | undefined;
}

/** A question with answers to choose from. */
export interface ChoiceQuestion<Value extends string, Late = never> extends QuestionOptions<Late> {
  readonly choices: readonly (Value | { readonly value: Value; readonly label?: string | undefined })[];
  readonly schema?: undefined;
}

/** A question that any text answers. */
export interface TextQuestion<Late = never> extends QuestionOptions<Late> {
  readonly schema?: undefined;
  readonly choices?: undefined;
}

export type Question = SchemaQuestion<SchemaSource, unknown> | ChoiceQuestion<string, unknown> | TextQuestion<unknown>;

export type SchemaAnswer<Schema extends SchemaSource> = SourceOutput<Schema>;

export function isQuestion(content: MessageContent | Question): content is Question {
  return isPlainObject(content) && 'prompt' in content && !('kind' in content);
}

const DEFAULT_ATTEMPTS = 3;

/** Asks until an answer fits, the time is up, or it was asked often enough. `isFresh`: earlier messages are no answers. */
export async function askQuestion(handle: RunHandle, question: Question, isFresh = false): Promise<unknown> {
  const timeout = checkedTimeout(question.timeout);
  const { sensitive = false, attempts = DEFAULT_ATTEMPTS, state = 'input-required' } = question;
  const choices = question.choices?.map(toChoice);
  let problem: string | undefined;
  for (let attempt = 1; attempt <= Math.max(attempts, 1); attempt += 1) {
    const id = handle.newId('question');
    const draft = draftOf({ ...question, timeout }, id, choices, problem);
    let message: Awaited<ReturnType<RunHandle['questions']['ask']>>;
    try {
      message = await handle.questions.ask(draft, state, { id, timeout, isFresh });
    } catch (error) {
      if (!isTimeout(error) || question.onTimeout === undefined) throw error;
      return typeof question.onTimeout === 'function' ? question.onTimeout() : question.onTimeout;
    }
    const answer = await readAnswer(message, { id, schema: question.schema, choices });
    if (answer.isValid) return answer.value;
    // The problem with a secret may reveal it.
    problem = sensitive ? 'it does not have the expected form' : answer.problem;
  }
  throw new InputError('INVALID_ANSWER', `No answer fitted; the last one: ${problem}`);
}

const WRONG_RESULT = 'it is the result of another call';

/** Asks for a text. A message that brings the result of a tool is no answer, whatever else it says. */
export async function askInWords(
  handle: RunHandle,
  prompt: MessageContent,
  state: 'input-required' | 'auth-required',
): Promise<string> {
  const draft = messageDraft(prompt);
  for (let attempt = 1; attempt <= DEFAULT_ATTEMPTS; attempt += 1) {
    const id = openQuestionsOf(draft)[0]?.id ?? handle.questions.newId();
    const parts = attempt === 1 ? draft.parts : withProblem(draft.parts, WRONG_RESULT);
    const message = await handle.questions.ask({ ...draft, parts }, state, { id });
    const named = toolResultOf(message, id);
    if (named) return wordsOf('result' in named ? named.result : named.error);
    if (!hasToolResult(message)) return textOf(message);
  }
  throw new InputError('INVALID_ANSWER', `No answer fitted; the last one: ${WRONG_RESULT}`);
}

/** A result in words; `{ value: … }` stands for the value. */
function wordsOf(result: JsonValue): string {
  const value = isPlainObject(result) && 'value' in result ? result.value : result;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whole milliseconds; undefined = for ever. */
export function checkedTimeout(timeout: number | undefined): number | undefined {
  if (timeout === undefined || timeout === Number.POSITIVE_INFINITY) return undefined;
  if (!(timeout >= 0)) throw new TypeError(`A question cannot be answered within ${timeout} milliseconds`);
  return Math.ceil(timeout);
}

function isTimeout(error: unknown): boolean {
  return isInputError(error) && error.code === 'INPUT_TIMEOUT';
}

function toChoice(choice: string | Choice): Choice {
  return typeof choice === 'string' ? { value: choice } : { value: choice.value, label: choice.label };
}

function draftOf(
  { prompt, schema, sensitive, timeout, approves }: Question,
  id: string,
  choices: readonly Choice[] | undefined,
  problem: string | undefined,
): MessageDraft {
  const jsonSchema = schema && jsonSchemaIfKnown(schema, 'input');
  const info: QuestionInfo = {
    id,
    prompt: promptText(prompt),
    ...(jsonSchema && { schema: jsonSchema }),
    ...(choices && { choices }),
    ...(sensitive && { sensitive }),
    ...(timeout !== undefined && { timeoutSeconds: timeout / 1000 }),
    ...(problem !== undefined && { problem }),
    ...(approves && { approves }),
  };
  return questionDraft(prompt, info);
}
