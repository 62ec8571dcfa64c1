import { expect, it } from 'vitest';
import { HeldBytes } from '../../src/push/receive/held-bytes.ts';
import { webDelivery } from '../../src/push/receive/node-delivery.ts';
import { Receiver } from '../../src/push/receive/receiver.ts';
import { now, request, SECRET } from './support/notifications.ts';

/** The status of a task of about so many bytes. */
function bodyOf(taskId: string, bytes: number): string {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x'.repeat(bytes) }] };
  const status = { state: 'TASK_STATE_WORKING', timestamp: '2027-01-15T08:00:00.000Z', message };
  return JSON.stringify({ statusUpdate: { taskId, contextId: 'context-1', status } });
}

it('large notifications that are read or wait hold so many bytes together; small ones always have room', async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const onEvent = async (_: unknown, { taskId }: { readonly taskId: string }) => {
    if (taskId !== 'slow') return;
    begun.resolve();
    await end.promise;
  };
  const receiver = new Receiver({ secret: SECRET, now, onEvent }, new HeldBytes(200_000));
  const send = async (id: string, taskId: string, bytes: number) =>
    receiver.receive(webDelivery(await request({ id, body: bodyOf(taskId, bytes) })));

  const slow = send('msg_1', 'slow', 150_000);
  await begun.promise;
  const refused = await send('msg_2', 'other', 100_000);
  expect([refused.status, JSON.parse(refused.body)]).toEqual([503, expect.objectContaining({ code: 'BUSY' })]);
  expect((await send('msg_3', 'other', 1000)).status).toBe(204);
  end.resolve();
  expect((await slow).status).toBe(204);
  expect((await send('msg_2', 'other', 100_000)).status).toBe(204);
  // One alone has room however large it is.
  expect((await send('msg_4', 'other', 300_000)).status).toBe(204);
});
