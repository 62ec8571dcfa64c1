import { sqlite } from 'parley-a2a/sqlite';
import { isTold } from '../../../src/server/push/notice/notice.ts';
import { pause } from '../../support/script.ts';
import type { Ledger } from '../ledger.ts';
import type { Webhooks } from '../load/webhooks.ts';

const LOOK_AGAIN_AFTER = 100;
/** Longer than the longest delay between two attempts by far. */
const MOST_LOOKS = 1_200;
const WHOLE_LOG = { events: 1_000_000, bytes: 1_000_000_000 } as const;

/** Waits until the end of every task that has a webhook was told. */
export async function awaitWebhooks(webhooks: Webhooks, ledger: Ledger): Promise<void> {
  let left: readonly string[] = [...ledger.hooked];
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    left = left.filter((taskId) => !webhooks.isTold(taskId));
    if (left.length === 0) return;
    await pause(LOOK_AGAIN_AFTER);
  }
  for (const taskId of left) ledger.find(`The webhook of ${taskId} was not told of its end`);
}

/** Holds what webhooks were told against the logs in the file, which no server has open. */
export async function checkWebhooks(file: string, webhooks: Webhooks, ledger: Ledger): Promise<void> {
  const store = sqlite(file);
  await store.open();
  try {
    for (const taskId of ledger.hooked) {
      const events = await store.read(taskId, 0, WHOLE_LOG);
      const expected = events.filter((event) => isTold(event, 'changes')).map(({ seq }) => seq);
      const told = webhooks.told.get(taskId) ?? [];
      if (told.join() !== expected.join()) {
        ledger.find(`The webhook of ${taskId} was told of ${told.join()}, the log has ${expected.join()}`);
      }
    }
  } finally {
    await store.close();
  }
}
