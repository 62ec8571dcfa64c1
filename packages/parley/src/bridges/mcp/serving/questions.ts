import type { CallToolResult, InputRequest } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../../model/basics/json.ts';
import { questionOf } from '../../../model/extensions/questions.ts';
import { taskAuthOf } from '../../../model/extensions/task-auth.ts';
import { textOf } from '../../../model/parts.ts';
import { awaitsSecret } from '../../../model/secrets.ts';
import type { Part, Task } from '../../../model/task.ts';
import type { Abilities } from './abilities.ts';
import { formOf } from './forms.ts';
import { TASK_META } from './results.ts';

/** The key of a task's open question. Each question has its own: an answer to an earlier one must not count for it. */
export function keyOf({ status }: Task): string {
  return status.message?.messageId || 'answer';
}

export interface AskForm {
  readonly request: InputRequest;
  /** The parts that answer the agent. Empty where the person has done what was asked elsewhere, on a page. */
  readonly answerOf: (content: JsonObject) => readonly Part[];
}

/**
 * The question of a task that waits, for a client that can show it. Undefined where it cannot, and for secrets: forms
 * must not ask for them.
 */
export function askFormOf(task: Task, abilities: Abilities): AskForm | undefined {
  const { state, message } = task.status;
  if (state === 'auth-required') return authForm(task, abilities);
  if (!abilities.forms || awaitsSecret(task.status)) return undefined;
  const question = message && questionOf(message);
  const { form, answerOf } = formOf(question?.schema, question?.choices);
  return {
    request: {
      method: 'elicitation/create',
      params: { mode: 'form', message: promptOf(task), requestedSchema: form },
    } as InputRequest,
    answerOf,
  };
}

function authForm(task: Task, abilities: Abilities): AskForm | undefined {
  const url = urlOf(task);
  if (!abilities.pages || url === undefined) return undefined;
  const params = { mode: 'url', message: promptOf(task), url, elicitationId: task.id };
  return { request: { method: 'elicitation/create', params } as InputRequest, answerOf: () => [] };
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
  const prompt = question?.prompt ?? (message ? textOf(message) : '');
  const problem = question?.problem === undefined ? '' : `${question.problem}\n`;
  return `${problem}${prompt}` || 'The agent asks for something, without saying what.';
}

/** The page of an authorization; only the web has such pages. */
function urlOf({ status }: Task): string | undefined {
  const url = status.message && taskAuthOf(status.message)?.url;
  return url !== undefined && /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : undefined;
}
