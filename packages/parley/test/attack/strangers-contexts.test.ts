import { describe, expect, it } from 'vitest';
import { SPEAKERS } from '../support/speakers.ts';
import { neverWas } from './support/compared.ts';
import { sendRaw } from './support/raw-request.ts';
import { type Performed, Recorder, type Target } from './support/recorded.ts';
import { seenOfSend } from './support/shown.ts';
import { proofOf, STORES, startVictim } from './support/victim.ts';

/** Sends that name something of Ann's, which Bob sends too. */
const SENDS: Readonly<Record<string, Performed>> = {
  'a context': (client, { contextId }) => client.sendMessage('finish', { contextId }),
  'a reference in its context': (client, { taskId, contextId }) =>
    client.sendMessage({ parts: ['finish'], referenceTaskIds: [taskId], contextId }),
};

describe.each(STORES)('what belongs to another caller, %s', (_, newStore) => {
  it.each(SPEAKERS)('is no context and no reference in $name [rule:context.foreign-unknown]', async (speaker) => {
    const victim = await startVictim({}, newStore);
    const [ann, bob] = [await proofOf('ann', 'token'), await proofOf('bob', 'API key')];
    const recorder = new Recorder(victim.url, speaker, ann);
    for (const [title, perform] of Object.entries(SENDS)) {
      const ask = await recorder.record(perform);
      for (const task of [await recorder.begin(), await recorder.begin('finish')]) {
        const unknown = neverWas(task);
        const seen = async ({ taskId, contextId }: Target) =>
          seenOfSend(victim, ask({ taskId, contextId }, bob), taskId, contextId);
        const expected = await seen(unknown);
        expect(await seen(task), title).toEqual(expected);
        expect(await seen({ ...task, contextId: unknown.contextId }), `${title}, elsewhere`).toEqual(expected);
        // The context itself is still Ann's, with her tasks in it.
        const own = await sendRaw(victim.url, ask(task, ann));
        expect([own.status, own.body.includes(task.contextId)]).toEqual([200, true]);
      }
    }
  });
});
