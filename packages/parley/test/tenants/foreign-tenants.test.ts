import { describe, expect, it } from 'vitest';
import { annsWork } from '../attack/support/anns-work.ts';
import { expectNoDifference, observe } from '../attack/support/compared.ts';
import { type RawRequest, sendRaw } from '../attack/support/raw-request.ts';
import { Recorder, type Target, type Template } from '../attack/support/recorded.ts';
import { UUID, withoutIds } from '../attack/support/shown.ts';
import { PROOFS, STORES, startVictim } from '../attack/support/victim.ts';
import { SPEAKERS } from '../support/speakers.ts';
import { authOf, type Member, memberProof } from './callers.ts';

const ANN: Member = { name: 'ann', tenant: 'acme' };
/** The same name in another tenant: only the tenant tells them apart. */
const OTHER_ANN: Member = { name: 'ann', tenant: 'globex' };
const NOBODYS_ANN: Member = { name: 'ann', tenant: '' };
/** Who runs one tenant does not run the server. */
const GREEDY_ANN: Member = { name: 'ann', tenant: 'globex', scopes: ['parley:operator'] };
const MEMBERS = [ANN, OTHER_ANN, NOBODYS_ANN, GREEDY_ANN];
const STRANGERS = { 'API key': [OTHER_ANN, NOBODYS_ANN, GREEDY_ANN], token: [OTHER_ANN] };

const NO_TASK: Target = { taskId: 'none', contextId: 'none' };

describe.each(STORES)('a task of another tenant, %s', (_, newStore) => {
  describe.each(PROOFS)('with %s', (proof) => {
    it.each(
      SPEAKERS,
    )('is as good as none in $name, by every operation, even for who has the same name [rule:tenant.isolated]', async (speaker) => {
      const victim = await startVictim({ auth: await authOf(MEMBERS) }, newStore);
      const ann = await memberProof(ANN, proof);
      const { templates, tasks } = await annsWork(victim, speaker, ann);
      for (const [state, task] of tasks) {
        const get = templates.get('get') as Template;
        const before = await sendRaw(victim.url, get(task, ann));
        expect(before.body).toContain(task.taskId);
        for (const stranger of STRANGERS[proof]) {
          const bob = await memberProof(stranger, proof);
          for (const [operation, ask] of templates) {
            const title = `${operation} a task that is ${state} by ${JSON.stringify(stranger)}`;
            const { answer } = await expectNoDifference(victim, title, (target) => ask(target, bob), task);
            if (operation === 'list') expect(answer.body).not.toContain(task.taskId);
            else expect(answer.body).toMatch(/not found/i);
          }
        }
        expect((await sendRaw(victim.url, get(task, ann))).body).toBe(before.body);
      }
    });
  });

  it.each(SPEAKERS)('is not joined by its idempotency key in $name [rule:idempotency.scope]', async (speaker) => {
    const victim = await startVictim({ auth: await authOf(MEMBERS) }, newStore);
    const ann = await memberProof(ANN, 'API key');
    const ask = await new Recorder(victim.url, speaker, ann).record((client) => client.sendMessage('finish'));
    const withKey = (key: string, credentials: Readonly<Record<string, string>>): RawRequest => {
      const request = ask(NO_TASK, credentials);
      return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
    };
    const [idOfAnn = ''] = (await sendRaw(victim.url, withKey('k', ann))).body.match(UUID) ?? [];
    expect(idOfAnn).not.toBe('');
    for (const stranger of [OTHER_ANN, NOBODYS_ANN]) {
      const bob = await memberProof(stranger, 'API key');
      const foreign = await observe(victim, withKey('k', bob));
      expect(foreign.answer.body).not.toContain(idOfAnn);
      expect(withoutIds(foreign)).toEqual(withoutIds(await observe(victim, withKey(`never-${stranger.tenant}`, bob))));
    }
  });
});

describe('a caller of a tenant', () => {
  const NAMED = SPEAKERS.filter(({ name }) => name.startsWith('1.0'));

  it.each(
    NAMED,
  )('cannot name another one in $name, nor find out which there are [rule:tenant.unknown]', async (speaker) => {
    const victim = await startVictim({ auth: await authOf(MEMBERS), tenants: ['acme', 'globex'] });
    const owner = await memberProof(ANN, 'API key');
    const bob = await memberProof(OTHER_ANN, 'API key');
    const recorder = new Recorder(victim.url, speaker, owner);
    const task = await recorder.begin();
    const asks = [
      await recorder.record((client, { taskId }) => client.getTask(taskId, { tenant: 'acme' })),
      await recorder.record((client, { taskId }) => client.sendMessage('go', { taskId, tenant: 'acme' })),
      await recorder.record((client) => client.sendMessage('finish', { tenant: 'acme' })),
      await recorder.record(async (client) => client.listTasks({}, { tenant: 'acme' })),
    ];
    for (const ask of asks) {
      const request = ask(task, bob);
      const elsewhere = (name: string): RawRequest => {
        const body = request.body?.replaceAll('"acme"', JSON.stringify(name));
        const headers = { ...request.headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) };
        return { ...request, headers, path: request.path.replaceAll('/acme', `/${name}`), body };
      };
      const named = await observe(victim, request);
      expect(withoutIds(named)).toEqual(withoutIds(await observe(victim, elsewhere('nobody'))));
      expect(named.answer.body).toMatch(/not found/i);
      expect((await sendRaw(victim.url, ask(task, owner))).status).toBe(200);
    }
  });

  it('is no operator of the server, whatever its scopes', async () => {
    const victim = await startVictim({ auth: await authOf(MEMBERS) });
    for (const proof of PROOFS) {
      const headers = { 'a2a-version': '1.0', ...(await memberProof(GREEDY_ANN, proof)) };
      const answer = await sendRaw(victim.url, { method: 'GET', path: '/a2a/operator/tasks', headers });
      expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('credentials of no tenant')]);
    }
  });
});
