import { questionDraft } from '../../agent/questions/question-prompt.ts';
import { answerTo } from '../../client/input/input-answers.ts';
import type { InputAnswer, InputQuestion } from '../../client/input/inputs.ts';
import type { MessageInput } from '../../client/message/content.ts';
import type { MessageDraft } from '../../engine/turn/runner.ts';
import { toolResultOf } from '../../model/extensions/caller-tools.ts';
import { openQuestionsOf } from '../../model/extensions/open-questions.ts';
import { QUESTIONS_EXTENSION, type QuestionInfo } from '../../model/extensions/questions.ts';
import type { Message, Part, Task } from '../../model/task.ts';
import type { LlmRun } from '../loop/llm-run.ts';

/** A question of an agent that was called, which the caller of this one cannot be asked. */
export class UnaskableQuestion extends Error {
  override readonly name = 'UnaskableQuestion';
}

/**
 * Asks the caller what an agent that was called asks, and returns the answer for that agent. `name` tells the question from
 * those of other calls: branches that run side by side may come to theirs in another order when the run is resumed.
 */
export async function relayQuestion(run: LlmRun, task: Task, name: string): Promise<MessageInput> {
  let asked = 0;
  const onInput = (question: InputQuestion): Promise<InputAnswer> => {
    asked += 1;
    return askCaller(run, question, `${name}.${asked}`);
  };
  const answer = await answerTo(task, { onInput }, run.task.signal);
  if (!answer) throw new UnaskableQuestion('The agent asks for something that cannot be answered');
  return answer.message;
}

async function askCaller(run: LlmRun, question: InputQuestion, name: string): Promise<InputAnswer> {
  const { sensitive, tool, timeoutSeconds } = question;
  // Nobody must be led by one agent to give a secret to another, and no journal must have it.
  if (sensitive) throw new UnaskableQuestion('The agent asks for a secret, which only its own caller can give');
  if (tool) throw new UnaskableQuestion(`The agent asks its caller to run a tool "${tool.name}", which is not here`);
  const id = `asked-${name}`;
  const timeout = timeoutSeconds === undefined ? undefined : Math.ceil(timeoutSeconds * 1000);
  const details = { id, name, timeout, isFresh: true };
  return answerOf(await run.inside.handle.questions.ask(draftOf(question, id), 'input-required', details), id);
}

/** The question in the words of its agent, under a name of this task. */
function draftOf(question: InputQuestion, id: string): MessageDraft {
  const { prompt, choices, schema, timeoutSeconds, problem, approves, message, taskId } = question;
  const info: QuestionInfo = {
    id,
    prompt,
    ...(schema && { schema }),
    ...(choices && { choices }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(problem !== undefined && { problem }),
    ...(approves && { approves }),
  };
  const draft = questionDraft(prompt, info);
  const isAlone = message !== undefined && openQuestionsOf(message).length <= 1;
  // Its own parts have files beside the words, and choices and problems in them already.
  return { ...draft, ...(isAlone && { parts: message.parts }), referenceTaskIds: [taskId] };
}

/** The caller's answer: a value where it is one, so that it can be put into the form that the agent wants. */
function answerOf(message: Message, id: string): InputAnswer {
  const named = toolResultOf(message, id);
  if (named) return 'result' in named ? named.result : named.error;
  const [only, ...others] = message.parts;
  if (others.length === 0 && only?.kind === 'text') return only.text;
  if (others.length === 0 && only?.kind === 'data') return only.data;
  return { parts: message.parts.map(withoutName) };
}

/** The name of the question is that of this task, and says nothing to the other agent. */
function withoutName({ metadata, ...part }: Part): Part {
  if (!metadata) return part;
  const { [QUESTIONS_EXTENSION]: _, ...others } = metadata;
  return Object.keys(others).length > 0 ? { ...part, metadata: others } : part;
}
