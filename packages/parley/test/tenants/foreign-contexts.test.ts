import { textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { neverWas } from '../attack/support/compared.ts';
import { sendRaw } from '../attack/support/raw-request.ts';
import { type Performed, Recorder, type Target } from '../attack/support/recorded.ts';
import { seenOfSend } from '../attack/support/shown.ts';
import { type Proof, STORES, startVictim } from '../attack/support/victim.ts';
import { agentOf } from '../support/script.ts';
import { SPEAKERS } from '../support/speakers.ts';
import { authOf, type Member, memberProof } from './callers.ts';

const ANN: Member = { name: 'ann', tenant: 'acme' };
/** Only the tenant tells these from Ann; the last one runs her tenant and nothing else. */
const STRANGERS: readonly (readonly [Member, Proof])[] = [
  [{ name: 'ann', tenant: 'globex' }, 'token'],
  [{ name: 'ann', tenant: '' }, 'API key'],
  [{ name: 'ann', tenant: 'globex', scopes: ['parley:operator'] }, 'API key'],
];
const MEMBERS = [ANN, ...STRANGERS.map(([member]) => member)];

/** Sends that name something of Ann's. */
const SENDS: Readonly<Record<string, Performed>> = {
  'a context': (client, { contextId }) => client.sendMessage('finish', { contextId }),
  'a reference in its context': (client, { taskId, contextId }) =>
    client.sendMessage({ parts: ['finish'], referenceTaskIds: [taskId], contextId }),
};

describe.each(STORES)('a context of another tenant, %s', (_, newStore) => {
  it.each(
    SPEAKERS,
  )('is as good as none in $name, even for who has the same name [rule:tenant.isolated] [rule:context.foreign-unknown]', async (speaker) => {
    const victim = await startVictim({ auth: await authOf(MEMBERS), tenants: ['acme', 'globex'] }, newStore);
    const ann = await memberProof(ANN, 'API key');
    const recorder = new Recorder(victim.url, speaker, ann);
    for (const [title, perform] of Object.entries(SENDS)) {
      const ask = await recorder.record(perform);
      for (const [stranger, proof] of STRANGERS) {
        const credentials = await memberProof(stranger, proof);
        // Each stranger makes a context of its own by what it names, so each meets one that it has not named before.
        for (const task of [await recorder.begin(), await recorder.begin('finish')]) {
          const unknown = neverWas(task);
          const seen = async ({ taskId, contextId }: Target) =>
            seenOfSend(victim, ask({ taskId, contextId }, credentials), taskId, contextId);
          const message = `${title} by ${JSON.stringify(stranger)}`;
          const expected = await seen(unknown);
          expect(await seen(task), message).toEqual(expected);
          expect(await seen({ ...task, contextId: unknown.contextId }), `${message}, elsewhere`).toEqual(expected);
          // The context is still Ann's, with her tasks in it.
          const own = await sendRaw(victim.url, ask(task, ann));
          expect([own.status, own.body.includes(task.contextId)], message).toEqual([200, true]);
        }
      }
    }
  });
});

/** Tells all that it knows of the conversation, and remembers what it is told. */
const rememberer = agentOf(async (task) => {
  const said = (await task.context.messages()).map((message) => textOf(message));
  const kept = await task.context.get<string>('kept');
  if (task.text.includes('keep')) await task.context.set('kept', task.text);
  return `said: ${said.join(' | ')}; kept: ${kept ?? 'nothing'}`;
});

describe('what was said and kept in a conversation of a tenant', () => {
  it.each(SPEAKERS)('is nowhere in that of another one with the same contextId in $name', async (speaker) => {
    const victim = await startVictim({ agents: [rememberer], auth: await authOf(MEMBERS) });
    const ann = await memberProof(ANN, 'API key');
    const recorder = new Recorder(victim.url, speaker, ann);
    const ask = await recorder.record((client, { contextId }) => client.sendMessage('tell', { contextId }));
    const task = await recorder.begin('keep the-secret-of-ann');
    for (const [stranger, proof] of STRANGERS) {
      const answer = await sendRaw(victim.url, ask(task, await memberProof(stranger, proof)));
      expect(answer.body, JSON.stringify(stranger)).toContain('kept: nothing');
      expect(answer.body, JSON.stringify(stranger)).not.toContain('the-secret-of-ann');
    }
    const own = await sendRaw(victim.url, ask(task, ann));
    expect(own.body).toMatch(/said: keep the-secret-of-ann.*kept: keep the-secret-of-ann/);
  });
});
