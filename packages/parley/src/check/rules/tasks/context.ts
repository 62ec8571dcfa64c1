import { expectRefusal, sentResult } from '../../expectations.ts';
import { GREETING } from '../../probe/prompts.ts';
import type { Rule } from '../../rule.ts';
import { fail, skip } from '../../verdict.ts';
import { textAt } from '../../wire/json.ts';
import { readPayload } from '../../wire/shapes.ts';

const UUID_7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

export const CONTEXT: readonly Rule[] = [
  {
    id: 'context.returned',
    async check(probe) {
      const answer = await probe.say(await probe.promptFor('task'));
      const seen = readPayload(sentResult(answer));
      if (!textAt(seen.value, 'contextId')) fail('there is no contextId in the reply', answer.exchange);
    },
  },
  {
    id: 'context.accepted',
    async check(probe) {
      const contextId = `check-${crypto.randomUUID()}`;
      const answer = await probe.say(await probe.promptFor('task'), { message: { contextId } });
      const seen = readPayload(sentResult(answer));
      if (textAt(seen.value, 'contextId') !== contextId) fail('the client’s contextId is not kept', answer.exchange);
    },
  },
  {
    id: 'context.not-replaced',
    async check(probe) {
      const contextId = `check-${crypto.randomUUID()}`;
      const answer = await probe.say(await probe.promptFor('task'), { message: { contextId } });
      if (answer.error !== undefined) return;
      const seen = readPayload(sentResult(answer));
      const came = textAt(seen.value, 'contextId');
      if (came !== contextId) fail(`the contextId was replaced by ${came ?? 'none'}`, answer.exchange);
    },
  },
  {
    id: 'context.mismatch',
    async check(probe) {
      const { id } = await probe.fresh('asking').catch(() => probe.running());
      const message = { taskId: id, contextId: `another-${crypto.randomUUID()}` };
      expectRefusal(await probe.say('More', { message }));
      await probe.drop(id);
    },
  },
  {
    id: 'context.inferred',
    async check(probe) {
      const task = await probe.fresh('asking');
      const answer = await probe.say(GREETING, { message: { taskId: task.id } });
      const later = probe.taskOf(answer);
      if (later.contextId !== task.contextId)
        fail('the message belongs to another context than its task', answer.exchange);
    },
  },
  {
    id: 'context.new-task',
    async check(probe) {
      const first = await probe.finished();
      const { contextId } = first;
      if (contextId === undefined) skip('tasks have no context');
      const task = await probe.newTask({ message: { contextId } });
      if (task.id === first.id) fail('the message did not start a new task');
      if (task.contextId !== contextId) fail('the new task is in another context');
    },
  },
  {
    id: 'context.agent-messages',
    async check(probe) {
      const { statusMessage, id, contextId } = await probe.fresh('asking').catch(async () => probe.finished());
      if (statusMessage === undefined) skip('no message of the agent was seen');
      if (textAt(statusMessage, 'contextId') !== contextId)
        fail('the agent’s message has not the contextId of its task');
      if (textAt(statusMessage, 'taskId') !== id) fail('the agent’s message has not the taskId');
    },
  },
  {
    id: 'context.foreign-unknown',
    async check(probe) {
      const other = probe.secondCaller();
      const { contextId, id } = await probe.finished();
      const params = probe.sendParams(await probe.promptFor('task'), { message: { contextId } });
      const outgoing = await probe.caller.outgoing('send', { params });
      const headers = { ...outgoing.headers, ...(await other(probe.url)) };
      const answer = await probe.caller.raw({ ...outgoing, headers }, { odd: false });
      const task = probe.taskOf(answer);
      if (task.contextId !== contextId || task.id === id)
        fail('the context of another caller is not as unknown as any', answer.exchange);
    },
  },
  {
    id: 'context.uuidv7',
    async check(probe) {
      const { id, contextId = '' } = await probe.newTask();
      const other = [id, contextId].find((made) => !UUID_7.test(made));
      if (other !== undefined) fail(`the id ${other} is no UUIDv7`);
    },
  },
];
