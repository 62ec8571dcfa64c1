import { isPlainObject, type JsonObject, type JsonValue } from '../basics/json.ts';
import { textOf } from '../parts.ts';
import type { Message, Part } from '../task.ts';
import { namedResults, toolUseOf, toolUsesOf } from './caller-tools.ts';
import {
  inputRequestOf,
  inputRequestsOf,
  QUESTIONS_EXTENSION,
  type QuestionInfo,
  questionOf,
  readCall,
  readQuestion,
} from './questions.ts';

/** One of the questions that a task waits with: something asked for, or a tool to be run. */
export interface AskedQuestion extends QuestionInfo {
  /** The tool that the caller is to run; its call has the question's id. */
  readonly tool?: { readonly name: string; readonly args: JsonValue } | undefined;
}

/** The members of a message that say what it asks for. */
export type Asking = Pick<Message, 'parts' | 'metadata' | 'extensions' | 'referenceTaskIds'>;

/** A question with its message, as it would be shown alone. */
interface QuestionMessage {
  readonly id: string;
  readonly message: Asking;
}

/** The questions that a status message asks, oldest first. One that is asked only in words has no id and is not among them. */
export function openQuestionsOf(message: Asking): readonly AskedQuestion[] {
  const info = message.metadata?.[QUESTIONS_EXTENSION];
  if (isPlainObject(info) && Array.isArray(info.open)) return info.open.flatMap((entry) => readAsked(entry));
  const requests = inputRequestsOf(message);
  if (requests.length > 0) {
    const uses = toolUsesOf(message);
    return requests.map(({ requestId, prompt, sensitive }) => {
      const use = uses.find(({ toolUseId }) => toolUseId === requestId);
      const tool = use && { name: use.name, args: use.args };
      return { id: requestId, prompt, ...(sensitive && { sensitive }), ...(tool && { tool }) };
    });
  }
  const only = onlyQuestionOf(message);
  return only ? [only] : [];
}

/** The question of a message that asks one. */
function onlyQuestionOf(message: Asking): AskedQuestion | undefined {
  const question = questionOf(message);
  const request = inputRequestOf(message);
  const use = toolUseOf(message);
  const id = question?.id ?? request?.requestId ?? use?.toolUseId;
  if (id === undefined) return undefined;
  const tool = use && { name: use.name, args: use.args };
  const prompt = request?.prompt ?? textOf(message.parts);
  return { prompt, ...(request?.sensitive && { sensitive: true }), ...question, id, ...(tool && { tool }) };
}

function readAsked(value: unknown): readonly AskedQuestion[] {
  const question = readQuestion(value, '');
  if (!question || !isPlainObject(value)) return [];
  const { tool } = value;
  if (!isPlainObject(tool) || typeof tool.name !== 'string') return [question];
  return [{ ...question, tool: readCall(tool) }];
}

/**
 * The message that asks several questions: the parts of each, oldest first, and under the extension the oldest question
 * with a list of all of them.
 */
export function askingAll(questions: readonly QuestionMessage[]): Asking {
  const open = questions.map(describe);
  const metadata: JsonObject = Object.assign({}, ...questions.map(({ message }) => message.metadata).toReversed());
  const references = union(questions.map(({ message }) => message.referenceTaskIds ?? []));
  return {
    parts: questions.flatMap(({ message }, index) => (index === 0 ? message.parts : apart(message.parts))),
    metadata: { ...metadata, [QUESTIONS_EXTENSION]: { ...open[0], open } as unknown as JsonObject },
    extensions: union([...questions.map(({ message }) => message.extensions ?? []), [QUESTIONS_EXTENSION]]),
    ...(references.length > 0 && { referenceTaskIds: references }),
  };
}

/** The message of one question that was asked beside others: it keeps its id. */
export function askingByName(question: QuestionMessage): Asking {
  const { message } = question;
  if (openQuestionsOf(message).length > 0) return message;
  return {
    ...message,
    metadata: { ...message.metadata, [QUESTIONS_EXTENSION]: describe(question) as unknown as JsonObject },
    extensions: union([message.extensions ?? [], [QUESTIONS_EXTENSION]]),
  };
}

function describe({ id, message }: QuestionMessage): AskedQuestion {
  return { ...(onlyQuestionOf(message) ?? { prompt: textOf(message.parts) }), id };
}

/** The parts of a question that stands below another. */
function apart(parts: readonly Part[]): readonly Part[] {
  const [first, ...rest] = parts;
  return first?.kind === 'text' ? [{ ...first, text: `\n\n${first.text}` }, ...rest] : parts;
}

function union(lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

type Answering = Pick<Message, 'parts' | 'metadata'>;

/**
 * The ids of the questions that a message names: by a data part `{ toolUseId | requestId, result | error }`, or by `{ id }`
 * under the extension in the metadata of a part or of the whole message.
 */
export function answeredIds(message: Answering): readonly string[] {
  return [...new Set([...namedResults(message).map(({ id }) => id), ...idsInMetadata(message)])];
}

function idsInMetadata({ metadata, parts }: Answering): readonly string[] {
  return [metadata, ...parts.map((part) => part.metadata)].flatMap((value) => namedIn(value) ?? []);
}

/** The ids by which a message can only mean a question: `toolUseId` may be part of whatever a tool has given. */
function plainIds(message: Answering): readonly string[] {
  const results = namedResults(message).filter(({ by }) => by === 'requestId');
  return [...results.map(({ id }) => id), ...idsInMetadata(message)];
}

/** As much of a message as answers one question: only those parts that name it in their metadata, where some do. */
export function answerTo(message: Message, id: string | undefined): Message {
  if (id === undefined) return message;
  const parts = message.parts.filter((part) => namedIn(part.metadata) === id);
  return parts.length === 0 ? message : { ...message, parts };
}

function namedIn(metadata: JsonObject | undefined): string | undefined {
  const value = metadata?.[QUESTIONS_EXTENSION];
  return isPlainObject(value) && typeof value.id === 'string' ? value.id : undefined;
}

/**
 * The open questions that a message answers: those that it names; without a name the oldest. The only one that is open
 * gets the result of another call as well, and asks again.
 */
export function answeredAmong<Question extends { readonly id?: string | undefined }>(
  message: Answering,
  open: readonly Question[],
): readonly Question[] {
  const ids = answeredIds(message);
  const named = open.filter(({ id }) => id !== undefined && ids.includes(id));
  if (named.length > 0) return named;
  const others = open.length === 1 ? plainIds(message) : ids;
  return others.length === 0 ? open.slice(0, 1) : [];
}
