import { describe, expect, it } from 'vitest';
import { SPEAKERS } from '../support/speakers.ts';
import { annsWork } from './support/anns-work.ts';
import { expectNoDifference } from './support/compared.ts';
import { proofOf, startVictim } from './support/victim.ts';

/** Ways of writing an id: what one place takes for the same and another does not is a way past a check. */
const ID_FORMS: Readonly<Record<string, (id: string) => string>> = {
  'in capitals': (id) => id.toUpperCase(),
  'with spaces': (id) => ` ${id} `,
  'with a line break': (id) => `${id}\n`,
  'with a zero character': (id) => `${id}\0`,
  'without dashes': (id) => id.replaceAll('-', ''),
  'in braces': (id) => `{${id}}`,
  'as a resource name': (id) => `tasks/${id}`,
  'as a path': (id) => `/${id}/`,
  'through another folder': (id) => `x/../${id}`,
  'with a query': (id) => `${id}?tenant=`,
  'with a fragment': (id) => `${id}#`,
  'with an operation': (id) => `${id}:cancel`,
  'with a pattern': (id) => `${id.slice(0, -1)}%`,
  'with SQL': (id) => `${id}' OR '1'='1`,
  'encoded twice': (id) => encodeURIComponent(encodeURIComponent(`${id}/`)),
  'with a full-width digit': (id) => id.replace(/\d/, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
};

describe('an id of another caller', () => {
  it.each(SPEAKERS)('is as good as none in $name, however it is written', async (speaker) => {
    const victim = await startVictim();
    const [ann, bob] = [await proofOf('ann', 'token'), await proofOf('bob', 'token')];
    const { templates, tasks } = await annsWork(victim, speaker, ann);
    for (const [, task] of tasks) {
      for (const [form, write] of Object.entries(ID_FORMS)) {
        for (const [operation, ask] of templates) {
          const title = `${operation} ${form}`;
          const { answer } = await expectNoDifference(victim, title, (target) => ask(target, bob), task, write);
          expect(answer.body, title).not.toContain('More?');
        }
      }
    }
  });
});
