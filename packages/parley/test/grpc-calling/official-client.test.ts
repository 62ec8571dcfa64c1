import { TaskState } from '@a2a-js/sdk';
import {
  type A2AError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { describe, expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/lab.ts';
import { failureOf } from '../interop/support/errors.ts';
import { allOf, kindsOf, reading, stateOf, taskIdOf } from '../interop/support/events.ts';
import { sending, taskOf } from '../interop/support/messages.ts';
import { GRPC_ROWS } from '../interop/support/rows.ts';
import { served } from '../interop/support/sdk.ts';

describe.each(GRPC_ROWS)('the official client over gRPC, in $version', (row) => {
  it('sends, gets, streams, follows, cancels and lists', async () => {
    const { client, server } = await served(row, lab);
    expect([client.protocolVersion, client.transport.protocolName]).toEqual([row.version, 'GRPC']);
    const task = taskOf(await client.sendMessage(sending('chunk 3 8')));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect((await client.getTask({ id: task.id, tenant: '' })).artifacts).toEqual(task.artifacts);
    const events = await allOf(client.sendMessageStream(sending('chunk 3 8')));
    expect(kindsOf(events)).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
    expect(stateOf(events.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);

    const first = reading(client.sendMessageStream(sending('wait 600000')));
    const id = taskIdOf((await first.until(() => true))[0]);
    await first.leave();
    const again = reading(client.resubscribeTask({ id, tenant: '' }));
    await again.until(() => true);
    expect((await client.cancelTask({ id, tenant: '', metadata: undefined })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    expect(stateOf((await again.rest()).at(-1))).toBe(TaskState.TASK_STATE_CANCELED);
    await expect.poll(() => server.load.subscriptions).toBe(0);
    if (!row.sdk.lists) return;
    const page = await client.listTasks({ tenant: '', contextId: '', status: 0, pageToken: '' } as never);
    expect(page.tasks.length).toBeGreaterThanOrEqual(3);
  });

  it('is told of errors by their types [rule:errors.grpc-status]', async () => {
    const { client } = await served(row, lab);
    const task = taskOf(await client.sendMessage(sending('chunk 1 1')));
    const missing = await failureOf(client.getTask({ id: 'unknown', tenant: '' }));
    expect(missing).toBeInstanceOf(TaskNotFoundError);
    expect((missing as A2AError).message).toContain('Task not found');
    const cancel = client.cancelTask({ id: task.id, tenant: '', metadata: undefined });
    expect(await failureOf(cancel)).toBeInstanceOf(TaskNotCancelableError);
    const over = client.sendMessage(sending('chunk 1 1', { message: { taskId: task.id } }));
    expect(await failureOf(over)).toBeInstanceOf(UnsupportedOperationError);
  });
});
