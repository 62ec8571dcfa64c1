import { expectError, resultOf } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import type { Answer } from '../../wire/caller.ts';
import { creationOf, type PushSettings, readConfig, readConfigs, type SeenConfig } from '../../wire/push-shapes.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';

/** Nothing listens there, and a guard against private addresses lets it pass. */
const NOWHERE = 'https://example.com/parley-check';
const LINK_LOCAL = 'http://169.254.169.254/latest';
const PRIVATE = 'http://10.0.0.1/hook';
const OPERATIONS = ['createPush', 'getPush', 'listPush', 'deletePush'] as const;

function needPush(probe: Probe): void {
  if (!probe.server.capabilities.push) inapplicable('the card declares no push notifications');
}

export function register(probe: Probe, taskId: string, settings: PushSettings, odd = false): Promise<Answer> {
  return probe.call('createPush', { taskId, params: creationOf(probe.form, taskId, settings), odd });
}

/** An address that the server takes: that of the receiver, where there is one. */
function hookOf(probe: Probe): string {
  return probe.server.receiver?.inbox().url ?? NOWHERE;
}

async function created(probe: Probe, taskId: string, settings: PushSettings = {}): Promise<SeenConfig> {
  const answer = await register(probe, taskId, { url: hookOf(probe), ...settings });
  return readConfig(probe.form, resultOf(answer));
}

async function listed(probe: Probe, taskId: string): Promise<readonly SeenConfig[]> {
  const answer = await probe.call('listPush', { taskId });
  return readConfigs(probe.form, resultOf(answer)) ?? fail('the result is no list of configs', answer.exchange);
}

/** Each of the four operations for a task. */
async function callAll(probe: Probe, taskId: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const operation of OPERATIONS) {
    const params = operation === 'createPush' ? creationOf(probe.form, taskId, { url: NOWHERE }) : {};
    const configId = operation === 'getPush' || operation === 'deletePush' ? 'check' : undefined;
    answers.push(await probe.call(operation, { taskId, configId, params }));
  }
  return answers;
}

export const PUSH_CONFIGS: readonly Rule[] = [
  {
    id: 'push.capability-off',
    async check(probe) {
      if (probe.server.capabilities.push) inapplicable('the card declares push notifications');
      for (const answer of await callAll(probe, UNKNOWN_TASK)) expectError(answer, 'PUSH_NOTIFICATION_NOT_SUPPORTED');
    },
  },
  {
    id: 'push.create',
    async check(probe) {
      needPush(probe);
      const { id: taskId } = await probe.finished();
      const url = hookOf(probe);
      const answer = await register(probe, taskId, { url });
      const config = readConfig(probe.form, resultOf(answer));
      if (!config.id) fail('the config has no id', answer.exchange);
      if (config.taskId !== taskId) fail('the config has not the taskId', answer.exchange);
      if (config.url !== url) fail('the config has another url', answer.exchange);
    },
  },
  {
    id: 'push.create-client-id',
    async check(probe) {
      needPush(probe);
      const { id: taskId } = await probe.finished();
      const id = `check-${crypto.randomUUID()}`;
      const [first, second] = [hookOf(probe), hookOf(probe)];
      if ((await created(probe, taskId, { id, url: first })).id !== id) fail('the client’s id is not kept');
      await created(probe, taskId, { id, url: second });
      const same = (await listed(probe, taskId)).filter((config) => config.id === id);
      if (same.length !== 1 || same[0]?.url !== second) fail('creating it again does not replace the config');
    },
  },
  {
    id: 'push.create-invalid',
    async check(probe) {
      needPush(probe);
      const { id } = await probe.finished();
      expectError(await register(probe, id, {}, true), 'INVALID_PARAMS', 'INVALID_REQUEST');
      const authentication = { credentials: 'x' };
      expectError(
        await register(probe, id, { url: hookOf(probe), authentication }, true),
        'INVALID_PARAMS',
        'INVALID_REQUEST',
      );
    },
  },
  {
    id: 'push.unknown-task',
    async check(probe) {
      needPush(probe);
      for (const answer of await callAll(probe, UNKNOWN_TASK)) expectError(answer, 'TASK_NOT_FOUND');
    },
  },
  {
    id: 'push.get',
    async check(probe) {
      needPush(probe);
      const { id: taskId } = await probe.finished();
      const config = await created(probe, taskId);
      const answer = await probe.call('getPush', { taskId, configId: config.id });
      if (readConfig(probe.form, resultOf(answer)).url !== config.url)
        fail('the config has another url', answer.exchange);
      expectError(await probe.call('getPush', { taskId, configId: 'no-such-config' }), 'TASK_NOT_FOUND');
    },
  },
  {
    id: 'push.list',
    async check(probe) {
      needPush(probe);
      const { id } = await probe.newTask();
      const made = [await created(probe, id), await created(probe, id)].map((config) => config.id);
      const found = (await listed(probe, id)).map((config) => config.id);
      if (made.some((one) => !found.includes(one))) fail('the list lacks a config');
    },
  },
  {
    id: 'push.delete',
    async check(probe) {
      needPush(probe);
      const { id: taskId } = await probe.finished();
      const { id: configId } = await created(probe, taskId);
      for (const time of ['first', 'second']) {
        const answer = await probe.call('deletePush', { taskId, configId });
        if (answer.error !== undefined) fail(`the ${time} delete is refused`, answer.exchange);
      }
      if ((await listed(probe, taskId)).some((config) => config.id === configId))
        fail('a deleted config is still listed');
    },
  },
  {
    id: 'push.persist',
    async check(probe) {
      needPush(probe);
      const { id } = await probe.fresh('asking');
      const config = await created(probe, id);
      const found = (await listed(probe, id)).some((one) => one.id === config.id);
      await probe.drop(id);
      if (!found) fail('the config of an unfinished task is gone');
    },
  },
  {
    id: 'push.finished-task',
    async check(probe) {
      needPush(probe);
      const { id: taskId } = await probe.finished();
      const { id: configId } = await created(probe, taskId);
      resultOf(await probe.call('getPush', { taskId, configId }));
      await listed(probe, taskId);
    },
  },
  {
    id: 'push.secrets-hidden',
    async check(probe) {
      needPush(probe);
      const { id: taskId } = await probe.finished();
      const [token, credentials] = ['check-token-4711', 'check-credentials-4711'];
      const answer = await register(probe, taskId, {
        url: hookOf(probe),
        token,
        authentication: { scheme: 'Bearer', credentials },
      });
      const { id: configId } = readConfig(probe.form, resultOf(answer));
      const answers = [
        answer,
        await probe.call('getPush', { taskId, configId }),
        await probe.call('listPush', { taskId }),
      ];
      for (const { exchange } of answers) {
        const text = exchange.got?.text ?? '';
        if (text.includes(token) || text.includes(credentials)) fail('a response shows token or credentials', exchange);
      }
    },
  },
  {
    id: 'push.ssrf',
    async check(probe) {
      needPush(probe);
      const { id } = await probe.finished();
      for (const url of [LINK_LOCAL, PRIVATE]) {
        const answer = await register(probe, id, { url }, true);
        if (answer.error === undefined) fail(`${url} is taken`, answer.exchange);
      }
    },
  },
  {
    id: 'v03.push-set',
    async check(probe) {
      needPush(probe);
      const { id } = await probe.finished();
      const config = await created(probe, id, { id: 'check-set' });
      if (config.taskId !== id || config.id !== 'check-set') fail('the result is not {taskId, pushNotificationConfig}');
      const url = hookOf(probe);
      if ((await created(probe, id, { id: 'check-set', url })).url !== url) fail('set does not update');
    },
  },
  {
    id: 'v03.push-results',
    async check(probe) {
      needPush(probe);
      const { id } = await probe.newTask();
      if ((await listed(probe, id)).length > 0) fail('a new task has configs');
      const config = await created(probe, id);
      const first = await probe.call('getPush', { taskId: id });
      if (readConfig(probe.form, resultOf(first)).url !== config.url)
        fail('get without an id does not return the config', first.exchange);
      const deleted = await probe.call('deletePush', { taskId: id, configId: config.id });
      if (deleted.error !== undefined || deleted.result !== null)
        fail('the result of delete is not null', deleted.exchange);
    },
  },
  {
    id: 'v03.rest-push-create',
    async check(probe) {
      needPush(probe);
      const { id } = await probe.finished();
      const forms = (url: string): readonly Record<string, unknown>[] => [
        { config: { url } },
        { parent: `tasks/${id}`, configId: 'check-a', config: { name: 'x', pushNotificationConfig: { url } } },
        { name: 'x', pushNotificationConfig: { url } },
        { taskId: 'another', pushNotificationConfig: { url } },
        { url },
      ];
      const url = hookOf(probe);
      for (const params of forms(url)) {
        const answer = await probe.call('createPush', { taskId: id, params });
        const config = readConfig(probe.form, resultOf(answer));
        if (config.url !== url) fail('a form of the body is not read', answer.exchange);
        if (config.taskId !== id) fail('the task id of the path does not win', answer.exchange);
      }
    },
  },
];

/** Skips a rule about deliveries where nothing can be delivered. */
export function needReceiver(probe: Probe) {
  needPush(probe);
  return probe.server.receiver ?? skip('the server cannot reach this machine; --listen HOST says where it can');
}
