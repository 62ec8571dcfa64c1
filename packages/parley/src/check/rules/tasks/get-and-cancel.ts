import { expectError, resultOf } from '../../expectations.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable } from '../../verdict.ts';
import { isObject, memberOf } from '../../wire/json.ts';
import { textIn } from '../../wire/shapes.ts';

export const UNKNOWN_TASK = 'no-such-task-4711';

export const GET_AND_CANCEL: readonly Rule[] = [
  {
    id: 'get.bare',
    async check(probe) {
      const { id } = await probe.finished();
      const answer = await probe.call('get', { taskId: id });
      const task = resultOf(answer);
      if (memberOf(task, 'id') !== id) fail('the result is not the bare task', answer.exchange);
      if (!isObject(memberOf(task, 'status'))) fail('the task has no status', answer.exchange);
    },
  },
  {
    id: 'get.unknown',
    async check(probe) {
      expectError(await probe.call('get', { taskId: UNKNOWN_TASK }), 'TASK_NOT_FOUND');
    },
  },
  {
    id: 'get.cross-binding',
    async check(probe) {
      if (probe.siblings.length === 0) inapplicable('there is one interface only');
      const { id } = await probe.finished();
      const own = await probe.get(id);
      for (const other of probe.siblings) {
        const answer = await other.call('get', { taskId: id });
        const seen = other.bareTaskOf(answer);
        const isSame = seen.state === own.state && seen.contextId === own.contextId && allText(seen) === allText(own);
        if (!isSame) fail('the task is another one through this interface', answer.exchange);
      }
    },
  },
  {
    id: 'cancel.returns',
    async check(probe) {
      const { id } = await probe.running();
      const answer = await probe.call('cancel', { taskId: id });
      const task = probe.bareTaskOf(answer);
      if (task.id !== id) fail('the result is another task', answer.exchange);
      if (task.state === 'submitted') fail('the returned task is not updated', answer.exchange);
    },
  },
  {
    id: 'cancel.terminal',
    async check(probe) {
      const { id } = await probe.finished();
      expectError(await probe.call('cancel', { taskId: id }), 'TASK_NOT_CANCELABLE');
      const running = await probe.running().catch(() => undefined);
      if (running === undefined) return;
      resultOf(await probe.call('cancel', { taskId: running.id }));
      await probe.until(running.id, ({ state }) => state === 'canceled', 'canceled');
      expectError(await probe.call('cancel', { taskId: running.id }), 'TASK_NOT_CANCELABLE');
    },
  },
  {
    id: 'cancel.unknown',
    async check(probe) {
      expectError(await probe.call('cancel', { taskId: UNKNOWN_TASK }), 'TASK_NOT_FOUND');
    },
  },
  {
    id: 'cancel.states',
    async check(probe) {
      for (const { id } of [await probe.running(), await probe.fresh('asking')]) {
        const answer = await probe.call('cancel', { taskId: id });
        if (probe.bareTaskOf(answer).state !== 'canceled') fail('the task is not canceled', answer.exchange);
      }
    },
  },
  {
    id: 'cancel.at-once',
    async check(probe) {
      const { id } = await probe.running();
      const answer = await probe.call('cancel', { taskId: id });
      if (probe.bareTaskOf(answer).state !== 'canceled') fail('CANCELED is not there at once', answer.exchange);
      const before = await probe.get(id);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const after = await probe.get(id);
      if (allText(before) !== allText(after) || after.state !== 'canceled') fail('output came after the cancellation');
    },
  },
];

function allText({ artifacts }: { readonly artifacts: readonly unknown[] | undefined }): string {
  return (artifacts ?? []).map(textIn).join('\n');
}
