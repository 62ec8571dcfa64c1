import { describe, expect, it } from 'vitest';
import { SPEAKERS } from '../support/speakers.ts';
import { annsWork } from './support/anns-work.ts';
import { expectNoDifference } from './support/compared.ts';
import { sendRaw } from './support/raw-request.ts';
import type { Template } from './support/recorded.ts';
import { PROOFS, proofOf, STORES, startVictim } from './support/victim.ts';

describe.each(STORES)('a task of another caller, %s', (_, newStore) => {
  describe.each(PROOFS)('with %s', (proof) => {
    it.each(SPEAKERS)('is as good as none in $name, by every operation [rule:security.authorize]', async (speaker) => {
      const victim = await startVictim({}, newStore);
      const [ann, bob] = [await proofOf('ann', proof), await proofOf('bob', proof)];
      const { templates, tasks } = await annsWork(victim, speaker, ann);
      for (const [state, task] of tasks) {
        const get = templates.get('get') as Template;
        const before = await sendRaw(victim.url, get(task, ann));
        expect(before.body).toContain(task.taskId);
        for (const [operation, ask] of templates) {
          const title = `${operation} a task that is ${state}`;
          const { answer } = await expectNoDifference(victim, title, (target) => ask(target, bob), task);
          if (operation === 'list') expect(answer.body).not.toContain(task.taskId);
          else expect(answer.body).toMatch(/not found/i);
        }
        // Nothing that Bob did has reached it.
        expect((await sendRaw(victim.url, get(task, ann))).body).toBe(before.body);
      }
    });
  });
});
