import { describe, expect, it } from 'vitest';
import { expectNoDifference } from '../attack/support/compared.ts';
import { sendRaw } from '../attack/support/raw-request.ts';
import { type Performed, Recorder, type Template } from '../attack/support/recorded.ts';
import { STORES, startVictim } from '../attack/support/victim.ts';
import { SPEAKERS } from '../support/speakers.ts';
import { authOf, type Member, memberProof } from './callers.ts';

const ANN: Member = { name: 'ann', tenant: 'acme' };
const STRANGERS: readonly Member[] = [
  { name: 'ann', tenant: 'globex' },
  { name: 'ann', tenant: '' },
  { name: 'bob', tenant: 'acme' },
];

/** No such host is ever asked: what counts here is who may see the config. */
const WEBHOOK = { id: 'hook-of-ann', url: 'https://client.invalid/hook', token: 'a-secret-of-ann' };

const PERFORM: Readonly<Record<string, Performed>> = {
  create: (client, { taskId }) => client.createPushConfig(taskId, WEBHOOK),
  get: async (client, { taskId }) => {
    await client.createPushConfig(taskId, WEBHOOK);
    return client.getPushConfig(taskId, WEBHOOK.id);
  },
  list: (client, { taskId }) => client.listPushConfigs(taskId),
  delete: (client, { taskId }) => client.deletePushConfig(taskId, WEBHOOK.id),
};

/** The dialects that have every operation on webhooks. */
const SPEAKING = SPEAKERS.filter(({ name }) => name.startsWith('1.0') || name.startsWith('0.3') || name === 'v1_draft');

describe.each(STORES)('a webhook of another tenant, or of another caller, %s', (_, newStore) => {
  it.each(
    SPEAKING,
  )('is as good as none in $name, by every operation [rule:tenant.isolated] [rule:security.owner]', async (speaker) => {
    const victim = await startVictim({ auth: await authOf([ANN, ...STRANGERS]), push: true }, newStore);
    const ann = await memberProof(ANN, 'API key');
    const recorder = new Recorder(victim.url, speaker, ann);
    const templates = new Map<string, Template>();
    for (const [operation, perform] of Object.entries(PERFORM)) {
      templates.set(operation, await recorder.record(perform));
    }
    const task = await recorder.begin();
    await sendRaw(victim.url, (templates.get('create') as Template)(task, ann));
    const get = templates.get('get') as Template;
    const before = await sendRaw(victim.url, get(task, ann));
    expect(before.body).toContain(WEBHOOK.id);
    for (const stranger of STRANGERS) {
      const credentials = await memberProof(stranger, 'API key');
      for (const [operation, ask] of templates) {
        const title = `${operation} by ${JSON.stringify(stranger)}`;
        const { answer } = await expectNoDifference(victim, title, (target) => ask(target, credentials), task);
        expect(answer.body, title).toMatch(/not found/i);
        expect(answer.body, title).not.toContain(WEBHOOK.token);
      }
    }
    expect((await sendRaw(victim.url, get(task, ann))).body).toBe(before.body);
  });
});
