import type { CallToolResult, InputRequest } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../../model/basics/json.ts';
import { type AskedQuestion, openQuestionsOf } from '../../../../model/extensions/open-questions.ts';
import { QUESTIONS_EXTENSION, type QuestionInfo, questionOf } from '../../../../model/extensions/questions.ts';
import { taskAuthOf } from '../../../../model/extensions/task-auth.ts';
import { textOf } from '../../../../model/parts.ts';
import { awaitsSecret } from '../../../../model/secrets.ts';
import type { Part, Task } from '../../../../model/task.ts';
import type { Abilities } from '../calls/abilities.ts';
import { TASK_META } from '../calls/results.ts';
import { formOf } from './forms.ts';

interface AskForm {
  /** Names the question. Each has its own key, also when it is asked again: an answer to an earlier one must not count. */
  readonly key: string;
  readonly request: InputRequest;
  /** The parts that answer the agent. Empty where the person has done what was asked elsewhere, on a page. */
  readonly answerOf: (content: JsonObject) => readonly Part[];
}

/**
 * The open questions of a task that waits, for a client that can show them. None where it cannot, and for secrets: forms must
 * not ask for them.
 */
export function askFormsOf(task: Task, abilities: Abilities): readonly AskForm[] {
  const { state, message } = task.status;
  const key = message?.messageId || 'answer';
  if (state === 'auth-required') return authForms(task, abilities, key);
  if (!abilities.forms || awaitsSecret(task.status)) return [];
  const open = message ? openQuestionsOf(message) : [];
  if (open.length <= 1) return [{ key: open[0] ? keyOf(open[0], key) : key, ...askForm(promptOf(task), open[0]) }];
  // Tools are run by callers that have declared some, which the bridge has not.
  return open
    .filter(({ tool }) => tool === undefined)
    .map((question): AskForm => {
      const { request, answerOf } = askForm(wordsOf(question), question);
      const named = (parts: readonly Part[]) => parts.map((part) => nameQuestion(part, question.id));
      return { key: keyOf(question, key), request, answerOf: (content) => named(answerOf(content)) };
    });
}

/** A question keeps its key while others beside it are answered, and gets another where it is asked again. */
function keyOf({ id, problem }: AskedQuestion, messageId: string): string {
  return problem === undefined ? id : `${id}:${messageId}`;
}

function askForm(message: string, question: AskedQuestion | undefined): Omit<AskForm, 'key'> {
  const { form, answerOf } = formOf(question?.schema, question?.choices);
  const params = { mode: 'form', message, requestedSchema: form };
  return { request: { method: 'elicitation/create', params } as InputRequest, answerOf };
}

function nameQuestion(part: Part, id: string): Part {
  return { ...part, metadata: { ...part.metadata, [QUESTIONS_EXTENSION]: { id } } };
}

function authForms(task: Task, abilities: Abilities, key: string): readonly AskForm[] {
  const url = urlOf(task);
  if (!abilities.pages || url === undefined) return [];
  const params = { mode: 'url', message: promptOf(task), url, elicitationId: key };
  return [{ key, request: { method: 'elicitation/create', params } as InputRequest, answerOf: () => [] }];
}

/** The question as the result of a tool, for a model that answers by calling the agent's tool again. */
export function questionResult(
  task: Task,
  tools: { readonly messageTool: string; readonly hasOutputSchema: boolean },
): CallToolResult {
  const { contextId, id: taskId, status } = task;
  const url = urlOf(task);
  const how = awaitsSecret(status) ? secretAdvice(url) : answerAdvice(tools.messageTool, taskId);
  const said = status.message ? textOf(status.message) : '';
  return {
    content: [
      { type: 'text', text: said === '' ? `The task is ${status.state}.` : said },
      { type: 'text', text: how },
    ],
    // A result without the declared data would be refused by the client; a failed one is not looked at.
    ...(tools.hasOutputSchema && { isError: true }),
    _meta: { [TASK_META]: { taskId, contextId, state: status.state } },
  };
}

function answerAdvice(tool: string, taskId: string): string {
  return `The agent waits for an answer. Call the tool ${tool} with taskId ${JSON.stringify(taskId)} and the answer as message.`;
}

function secretAdvice(url: string | undefined): string {
  const where = url === undefined ? 'with `parley send URL --task ID`' : `at ${url}`;
  return `The agent waits for a secret, which must not go through a model: a person gives it ${where}.`;
}

function promptOf({ status }: Task): string {
  const { message } = status;
  const question = message && questionOf(message);
  const words = question ? wordsOf(question) : message ? textOf(message) : '';
  return words || 'The agent asks for something, without saying what.';
}

/** A question with the reason why it is asked again. */
function wordsOf({ prompt, problem }: QuestionInfo): string {
  return problem === undefined ? prompt : `${problem}\n${prompt}`;
}

/** The page of an authorization; only the web has such pages. */
function urlOf({ status }: Task): string | undefined {
  const url = status.message && taskAuthOf(status.message)?.url;
  return url !== undefined && /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : undefined;
}
