import { expect, it } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { storeWith } from '../support/stores/store-with.ts';
import { FORMS, MOUNTS, requestOf, sendOf } from './forms.ts';

/** The forms that look up what a message references. */
const LOOKING = FORMS.filter(({ name }) => name === 'draft' || name === 'rxjs');

it.each(LOOKING)('$name looks referenced tasks up one after the other (S2.8)', async (form) => {
  let open = 0;
  let most = 0;
  let lookups = 0;
  const store = storeWith((inner) => ({
    head: async (taskId: string) => {
      lookups += 1;
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return inner.head(taskId);
    },
  }));
  const { server } = startServer(
    agentOf((task) => task.text),
    { store, mounts: MOUNTS },
  );
  const referenceTaskIds = Array.from({ length: 100 }, (_, index) => `t-${index}`);
  const parts = form.name === 'rxjs' ? [{ kind: 'tool-result', toolUseId: 'u-1', result: {} }] : undefined;
  const message = { referenceTaskIds, ...(parts && { parts }) };
  const text = await (await server.fetch(requestOf(form, 'sendMessage', sendOf(form, message)))).text();
  expect(text).toContain(form.name === 'rxjs' ? 'None of the referenced tasks' : '"state":"completed"');
  expect(lookups).toBeGreaterThanOrEqual(100);
  expect(most).toBe(1);
});
