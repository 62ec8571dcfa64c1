import { expectRefusal, sentResult } from '../../expectations.ts';
import { GREETING, INNER_FAILURE } from '../../probe/prompts.ts';
import type { Rule } from '../../rule.ts';
import { fail, skip } from '../../verdict.ts';
import { listAt, textAt } from '../../wire/json.ts';
import { TERMINAL, textIn } from '../../wire/shapes.ts';

const PAUSE_MS = 150;

export const RUNS: readonly Rule[] = [
  {
    id: 'send.disconnect',
    async check(probe) {
      const contextId = `check-${crypto.randomUUID()}`;
      const params = probe.sendParams(probe.script('wait 400'), { message: { contextId } });
      await probe.caller.abandon(await probe.caller.outgoing('send', { params }), PAUSE_MS);
      const lister =
        [probe, ...probe.siblings].find(({ version }) => version === '1.0') ?? skip('no interface lists tasks');
      const listed = await lister.call('list', { params: { contextId } });
      const taskId = textAt((listAt(listed.result, 'tasks') ?? [])[0], 'id');
      if (taskId === undefined) fail('the task is gone with its client', listed.exchange);
      const { state } = await probe.until(taskId, (task) => TERMINAL.has(task.state), 'over');
      if (state !== 'completed') fail(`the task became ${state} when its client left`, listed.exchange);
    },
  },
  {
    id: 'send.queued',
    async check(probe) {
      const { id } = await probe.running();
      const answer = await probe.say('A message meanwhile', { message: { taskId: id }, settings: { atOnce: true } });
      sentResult(answer);
      const { history = [] } = await probe.get(id);
      if (!history.some((message) => textIn(message) === 'A message meanwhile'))
        fail('the message is not logged at once', answer.exchange);
      await probe.drop(id);
    },
  },
  {
    id: 'send.blocking-follow-up',
    async check(probe) {
      const { id } = await probe.fresh('asking');
      const answer = await probe.say(GREETING, { message: { taskId: id } });
      const { state } = probe.taskOf(answer);
      if (state === 'working' || state === 'submitted')
        fail(`the reply came while the task was ${state}`, answer.exchange);
    },
  },
  {
    id: 'send.skill',
    async check(probe) {
      const skill = textAt((listAt(probe.server.card, 'skills') ?? [])[0], 'id');
      const prompt = await probe.promptFor('task');
      sentResult(await probe.say(prompt, { message: { metadata: { skillId: skill } } }));
      expectRefusal(await probe.say(prompt, { message: { metadata: { skillId: 'no-such-skill-4711' } } }));
    },
  },
  {
    id: 'send.agent-error',
    async check(probe) {
      const prompt = await probe.promptFor('failing');
      const answer = await probe.say(prompt);
      const task = probe.taskOf(answer);
      if (task.state !== 'failed') skip('the task did not fail');
      if (textIn(task.statusMessage) === '') fail('the failed task says nothing', answer.exchange);
      const told = JSON.stringify([task.statusMessage, task.artifacts ?? []]);
      if (told.includes(INNER_FAILURE)) fail('the inner text of the failure is shown', answer.exchange);
    },
  },
  {
    id: 'send.reject',
    async check(probe) {
      const task = await probe.fresh('rejecting');
      if (textIn(task.statusMessage) === '') fail('the rejected task does not say why');
    },
  },
];
