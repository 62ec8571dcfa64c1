import { expectError, sentResult } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import { GREETING } from '../../probe/prompts.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable } from '../../verdict.ts';
import type { Answer } from '../../wire/caller.ts';
import { detailOf, ERROR_INFO } from '../../wire/errors.ts';
import { listAt, memberOf, textAt } from '../../wire/json.ts';

const CALLS = 'urn:parley:ext:calls:v1';
const QUESTIONS = 'urn:parley:ext:questions:v1';
const TOOLS = 'urn:parley:ext:tools:v1';
const MANY_HOPS = 100;

function need(probe: Probe, uri: string): void {
  if (!probe.server.capabilities.extensions.includes(uri)) inapplicable(`the card does not declare ${uri}`);
}

async function sendWith(probe: Probe, uri: string, data: unknown): Promise<Answer> {
  need(probe, uri);
  return probe.say(await probe.promptFor('task'), { message: { metadata: { [uri]: data } } });
}

/** In 0.3 the message alone tells the problem. */
function expectProblem(probe: Probe, answer: Answer, problem: string): void {
  expectError(answer, 'UNSUPPORTED_OPERATION');
  if (probe.version !== '1.0' || answer.error === undefined) return;
  const told = textAt(detailOf(answer.error, ERROR_INFO), 'metadata', 'problem');
  if (told !== problem) fail(`the problem is ${JSON.stringify(told)} and not "${problem}"`, answer.exchange);
}

export const EXTENSION_CASES: readonly Rule[] = [
  {
    id: 'calls.deadline',
    async check(probe) {
      const chain = { trace: 'check', hops: ['check/caller'], deadline: '2020-01-01T00:00:00Z' };
      expectProblem(probe, await sendWith(probe, CALLS, chain), 'deadline');
    },
  },
  {
    id: 'calls.hops',
    async check(probe) {
      const hops = Array.from({ length: MANY_HOPS }, (_, index) => `check/${index}`);
      expectProblem(probe, await sendWith(probe, CALLS, { trace: 'check', hops }), 'hops');
    },
  },
  {
    id: 'calls.malformed',
    async check(probe) {
      sentResult(await sendWith(probe, CALLS, 'no chain'));
    },
  },
  {
    id: 'questions.plain-answer',
    async check(probe) {
      need(probe, QUESTIONS);
      const { id } = await probe.fresh('asking');
      sentResult(await probe.say(GREETING, { message: { taskId: id } }));
      await probe.drop(id);
    },
  },
  {
    id: 'questions.shape',
    async check(probe) {
      need(probe, QUESTIONS);
      const { id, statusMessage } = await probe.fresh('asking');
      await probe.drop(id);
      const question = memberOf(statusMessage, 'metadata', QUESTIONS);
      if (question === undefined) inapplicable('the agent asks in words alone');
      if (!textAt(question, 'id')) fail('the question has no id');
      if (!(listAt(statusMessage, 'extensions') ?? []).includes(QUESTIONS))
        fail('the message does not name the extension');
    },
  },
  {
    id: 'tools.unused',
    async check(probe) {
      const tools = [{ name: 'check_tool', description: 'Is never called', inputSchema: { type: 'object' } }];
      const task = probe.taskOf(await sendWith(probe, TOOLS, { tools }));
      if (task.state !== 'completed') fail(`the task became ${task.state}`);
    },
  },
  {
    id: 'tools.malformed',
    async check(probe) {
      sentResult(await sendWith(probe, TOOLS, { tools: 'none' }));
    },
  },
];
