import { expectError, resultOf, sentResult } from '../../expectations.ts';
import type { Rule } from '../../rule.ts';
import { fail, skip } from '../../verdict.ts';

export const IDEMPOTENCY: readonly Rule[] = [
  {
    id: 'idempotency.message-id',
    async check(probe) {
      const params = probe.sendParams(await probe.promptFor('task'));
      const one = probe.taskOf(await probe.call('send', { params }));
      const answer = await probe.call('send', { params });
      if (probe.taskOf(answer).id === one.id)
        fail('a second send with the same messageId is not a second one', answer.exchange);
    },
  },
  {
    id: 'idempotency.joins',
    async check(probe) {
      const params = probe.sendParams(await probe.promptFor('task'));
      const headers = { 'idempotency-key': `check-${crypto.randomUUID()}` };
      const one = probe.taskOf(await probe.call('send', { params, headers }));
      const answer = await probe.call('send', { params, headers });
      if (probe.taskOf(answer).id !== one.id)
        fail('a second send with the same key made another task', answer.exchange);
    },
  },
  {
    id: 'idempotency.other-body-status',
    async check(probe) {
      const prompt = await probe.promptFor('task');
      const headers = { 'idempotency-key': `check-${crypto.randomUUID()}` };
      sentResult(await probe.call('send', { params: probe.sendParams(prompt), headers }));
      const answer = await probe.call('send', { params: probe.sendParams({ text: `${prompt.text} ` }), headers });
      if (probe.binding === 'jsonrpc') expectError(answer, 'INVALID_PARAMS');
      else if (answer.error?.status !== 422) fail('the status is not 422', answer.exchange);
    },
  },
  {
    id: 'idempotency.scope',
    async check(probe) {
      const other = probe.secondCaller();
      const params = probe.sendParams(await probe.promptFor('task'));
      const headers = { 'idempotency-key': `check-${crypto.randomUUID()}` };
      const own = probe.taskOf(await probe.call('send', { params, headers }));
      const foreign = await probe.call('send', { params, headers: { ...headers, ...(await other(probe.url)) } });
      if (foreign.error !== undefined) skip('the second caller may not send');
      if (probe.taskOf(foreign).id === own.id) fail('a key of one caller is that of another', foreign.exchange);
      resultOf(foreign);
    },
  },
];
