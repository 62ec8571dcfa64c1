import { expectError, refusalOf } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable } from '../../verdict.ts';
import type { Mistake } from '../../wire/errors.ts';
import { listAt } from '../../wire/json.ts';
import { textMessage } from '../../wire/shapes.ts';

const UNKNOWN_TASK = 'no-such-task-4711';
const INVALID: readonly Mistake[] = ['INVALID_PARAMS', 'INVALID_REQUEST'];

/** Messages that lack something, by what they lack. */
function lackingMessages(probe: Probe): readonly (readonly [string, Record<string, unknown>])[] {
  const whole = textMessage(probe.form, `check-${crypto.randomUUID()}`, 'Hello');
  const parts = probe.form === '0.3 proto' ? 'content' : 'parts';
  const without = (name: string) => Object.fromEntries(Object.entries(whole).filter(([member]) => member !== name));
  return [
    ['no message', {}],
    ['no messageId', { message: without('messageId') }],
    ['no parts', { message: { ...whole, [parts]: [] } }],
    ['no valid role', { message: { ...whole, role: 'nobody' } }],
  ];
}

/** A media type that no input mode of the card covers. */
function strangeType(probe: Probe): string {
  const skills = listAt(probe.server.card, 'skills') ?? [];
  const modes = [
    ...(listAt(probe.server.card, 'defaultInputModes') ?? []),
    ...skills.flatMap((skill) => listAt(skill, 'inputModes') ?? []),
  ].map((mode) => String(mode).toLowerCase());
  const isCovered = (type: string) =>
    modes.some((mode) => mode === type || mode === '*/*' || mode === '*' || mode === `${type.split('/', 1)[0]}/*`);
  const strange = ['application/x-parley-check', 'x-parley/check'].find((type) => !isCovered(type));
  return strange ?? inapplicable('the card takes every media type');
}

export const SEND_REFUSALS: readonly Rule[] = [
  {
    id: 'send.unknown-task',
    async check(probe) {
      expectError(await probe.say('Hello', { message: { taskId: UNKNOWN_TASK } }), 'TASK_NOT_FOUND');
      const answer = await probe.call('get', { taskId: UNKNOWN_TASK });
      if (answer.error === undefined) fail('the task was made under the client’s id', answer.exchange);
    },
  },
  {
    id: 'send.terminal-task',
    async check(probe) {
      const { id } = await probe.finished();
      const expected: readonly Mistake[] =
        probe.version === '1.0' ? ['UNSUPPORTED_OPERATION'] : ['UNSUPPORTED_OPERATION', ...INVALID];
      expectError(await probe.say('More', { message: { taskId: id } }), ...expected);
      if (!probe.server.capabilities.streaming) return;
      expectError(await refusalOf(await probe.stream('More', { message: { taskId: id } })), ...expected);
    },
  },
  {
    id: 'send.missing-message',
    async check(probe) {
      for (const [, params] of lackingMessages(probe)) {
        expectError(await probe.call('send', { params, odd: true }), ...INVALID);
      }
    },
  },
  {
    id: 'send.media-type',
    async check(probe) {
      const mediaType = strangeType(probe);
      const params = probe.sendParams({ text: 'Hello' });
      const message = { ...(params.message as object), parts: [{ text: 'Hello', mediaType }] };
      expectError(await probe.call('send', { params: { ...params, message } }), 'CONTENT_TYPE_NOT_SUPPORTED');
    },
  },
  {
    id: 'send.media-type-absent',
    async check(probe) {
      const answer = await probe.say(await probe.promptFor('task'));
      if (answer.error !== undefined) fail('a part without mediaType is refused', answer.exchange);
    },
  },
  {
    id: 'send.inline-push-off',
    async check(probe) {
      if (probe.server.capabilities.push) inapplicable('the card declares push notifications');
      const push = { url: 'http://127.0.0.1:9/hook' };
      const answer = await probe.say('Hello', { settings: { push } });
      expectError(answer, 'PUSH_NOTIFICATION_NOT_SUPPORTED');
    },
  },
];
