import { expectError, resultOf, sentResult } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import { GREETING } from '../../probe/prompts.ts';
import type { Rule } from '../../rule.ts';
import { fail, skip, Unseen } from '../../verdict.ts';
import { listAt, memberOf } from '../../wire/json.ts';
import { readPayload, readTask, type SeenTask, textIn } from '../../wire/shapes.ts';

const ANSWER = GREETING;

/** A finished task with several messages, where the agent can be brought to ask; else one with its first message. */
function talked(probe: Probe): Promise<SeenTask> {
  return probe.once('talked', async () => {
    try {
      const { id } = await probe.fresh('asking');
      sentResult(await probe.say(ANSWER, { message: { taskId: id } }));
      return await probe.get(id);
    } catch (error) {
      if (!(error instanceof Unseen)) throw error;
      return probe.finished();
    }
  });
}

export const HISTORY: readonly Rule[] = [
  {
    id: 'history.limit',
    async check(probe) {
      const { id } = await talked(probe);
      const answer = await probe.call('get', { taskId: id, params: { historyLength: 1 } });
      const history = probe.bareTaskOf(answer).history ?? [];
      if (history.length > 1) fail(`historyLength 1 gave ${history.length} messages in get`, answer.exchange);
      const sent = await probe.say(await probe.promptFor('task'), { settings: { historyLength: 1 } });
      const task = probe.taskOf(sent);
      if ((task.history?.length ?? 0) > 1)
        fail(`historyLength 1 gave ${task.history?.length} messages in send`, sent.exchange);
      if (probe.version !== '1.0') return;
      const listed = await probe.call('list', { params: { historyLength: 1 } });
      if (listed.error) return;
      const tasks = listAt(resultOf(listed), 'tasks') ?? [];
      if (tasks.some((one) => (listAt(one, 'history')?.length ?? 0) > 1))
        fail('historyLength 1 gave more messages in list', listed.exchange);
    },
  },
  {
    id: 'history.zero',
    async check(probe) {
      const { id } = await probe.finished();
      const answer = await probe.call('get', { taskId: id, params: { historyLength: 0 } });
      if (memberOf(resultOf(answer), 'history') !== undefined) fail('historyLength 0 gave a history', answer.exchange);
    },
  },
  {
    id: 'history.negative',
    async check(probe) {
      const { id } = await probe.finished();
      expectError(await probe.call('get', { taskId: id, params: { historyLength: -1 }, odd: true }), 'INVALID_PARAMS');
    },
  },
  {
    id: 'history.order',
    async check(probe) {
      const prompt = await probe.promptFor('asking');
      const { id } = await probe.fresh('asking');
      sentResult(await probe.say(ANSWER, { message: { taskId: id } }));
      const answer = await probe.call('get', { taskId: id });
      const texts = (probe.bareTaskOf(answer).history ?? skip('the task keeps no history')).map(textIn);
      const [first, second] = [texts.indexOf(prompt.text), texts.indexOf(ANSWER)];
      if (first < 0 || second < 0) skip('the agent does not keep the messages of its user');
      if (first > second) fail('the history is not in the order of the messages', answer.exchange);
    },
  },
  {
    id: 'history.user',
    async check(probe) {
      const prompt = await probe.promptFor('running');
      const task = await probe.running();
      const { history = [] } = await probe.get(task.id);
      if (!history.some((message) => textIn(message) === prompt.text))
        fail('the message is not in the history at once');
      await probe.drop(task.id);
    },
  },
  {
    id: 'history.agent',
    async check(probe) {
      const answer = await probe.say(probe.script('say first words\nsay second words\nask Which one?'));
      const seen = readPayload(sentResult(answer));
      const task = readTask(seen.value) ?? fail('the result is no task', answer.exchange);
      const texts = (task.history ?? []).map(textIn);
      if (!texts.includes('first words') || !texts.includes('second words'))
        fail('the history lacks replaced status messages', answer.exchange);
      if (texts.includes('Which one?')) fail('the current status message is in the history', answer.exchange);
      if (textIn(task.statusMessage) !== 'Which one?')
        fail('the current message is not in status.message', answer.exchange);
    },
  },
];
