import { resultOf, sentResult } from '../../expectations.ts';
import type { Rule } from '../../rule.ts';
import { fail, skip } from '../../verdict.ts';
import { isObject } from '../../wire/json.ts';
import { INTERRUPTED, readPayload, TERMINAL, textIn } from '../../wire/shapes.ts';

const isAtRest = (state: string) => TERMINAL.has(state) || INTERRUPTED.has(state);

export const SEND_RESULTS: readonly Rule[] = [
  {
    id: 'send.wrapped',
    async check(probe) {
      const answer = await probe.say(await probe.promptFor('task').catch(() => ({ text: 'Hello' })));
      const result = sentResult(answer);
      const members = isObject(result) ? Object.keys(result) : [];
      const isOne = members.length === 1 && (members[0] === 'task' || members[0] === 'message');
      if (!isOne)
        fail(
          `the result has ${members.join(', ') || 'no members'} instead of one of task and message`,
          answer.exchange,
        );
    },
  },
  {
    id: 'send.blocking-default',
    async check(probe) {
      const prompt = await probe.promptFor('chunks');
      const answer = await probe.say(prompt);
      const task = probe.taskOf(answer);
      if (!isAtRest(task.state)) fail(`the reply came while the task was ${task.state}`, answer.exchange);
      const later = await probe.get(task.id);
      const missing = (later.artifacts?.length ?? 0) - (task.artifacts?.length ?? 0);
      if (missing > 0) fail(`the reply lacks ${missing} of the task’s artifacts`, answer.exchange);
    },
  },
  {
    id: 'send.return-immediately',
    async check(probe) {
      const answer = await probe.say(await probe.promptFor('running'), { settings: { atOnce: true } });
      const task = probe.taskOf(answer);
      if (isAtRest(task.state)) fail(`the reply came when the task was already ${task.state}`, answer.exchange);
      const seen = await probe.get(task.id);
      if (seen.state === 'canceled' || seen.state === 'rejected') fail('the work does not go on', answer.exchange);
      await probe.drop(task.id);
    },
  },
  {
    id: 'send.task-id',
    async check(probe) {
      const prompt = await probe.promptFor('task');
      const one = probe.taskOf(await probe.say(prompt));
      const answer = await probe.say(prompt);
      const other = probe.taskOf(answer);
      if (one.id === '' || one.id === other.id) fail('two new tasks have the same id', answer.exchange);
    },
  },
  {
    id: 'send.message-reply',
    async check(probe) {
      const prompt = await probe.promptFor('replying');
      const contextId = `check-${crypto.randomUUID()}`;
      const answer = await probe.say(prompt, { message: { contextId } });
      if (readPayload(sentResult(answer)).kind !== 'message') fail('the reply is no bare message', answer.exchange);
      if (probe.version !== '1.0') return;
      const list = await probe.call('list', { params: { contextId } });
      if (list.error) return;
      const { tasks } = resultOf(list) as { readonly tasks?: readonly unknown[] };
      if ((tasks?.length ?? 0) > 0) fail('the reply left a task behind', answer.exchange, list.exchange);
    },
  },
  {
    id: 'send.task-at-once',
    async check(probe) {
      const prompt = await probe.promptFor('replying');
      const answer = await probe.say(prompt, { settings: { atOnce: true } });
      if (readPayload(sentResult(answer)).kind !== 'task') fail('there is no task at once', answer.exchange);
    },
  },
  {
    id: 'send.task-at-first-output',
    async check(probe) {
      const { events, stream } = await probe.transcript();
      if (events[0]?.kind !== 'task') fail('output came before its task', stream.exchange);
    },
  },
  {
    id: 'send.first-task',
    async check(probe) {
      const { events, stream, prompt } = await probe.transcript();
      const [first, second] = events;
      const task = first?.kind === 'task' ? (first.value as { readonly history?: readonly unknown[] }) : undefined;
      const written = JSON.stringify(first?.value ?? null);
      if (!/"state":"(?:TASK_STATE_SUBMITTED|submitted)"/.test(written))
        fail('the first task is not submitted', stream.exchange);
      if (!task?.history?.some((message) => textIn(message) === prompt.text))
        fail('the first task’s history lacks the message', stream.exchange);
      const next = JSON.stringify(second?.value ?? null);
      if (!/"state":"(?:TASK_STATE_WORKING|working)"/.test(next))
        fail('working is no event of its own', stream.exchange);
    },
  },
  {
    id: 'send.late-reply',
    async check(probe) {
      const prompt = probe.server.prompts.replying ?? (await probe.promptFor('replying'));
      if (!prompt.text.startsWith('reply ')) skip('only a script can say when the agent replies');
      const answer = await probe.say(`say one moment\n${prompt.text}`);
      const task = probe.taskOf(answer);
      if (task.state !== 'completed') fail(`the task is ${task.state}`, answer.exchange);
      if (textIn(task.statusMessage) !== prompt.text.slice('reply '.length))
        fail('the reply is not the status message', answer.exchange);
    },
  },
];
