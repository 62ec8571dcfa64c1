import { StreamResponse } from '@a2a-js/sdk';
import { legacyPushNotificationToV1StreamResponse } from '@a2a-js/sdk/compat/v0_3';
import { expect, it } from 'vitest';
import { violationsOf } from '../dialects/support/closed-schema.ts';
import { SCHEMA_V03 } from '../dialects/support/schema-v03.ts';
import { startReceiver } from '../push/receiver.ts';
import { LOCAL } from '../push/support.ts';
import { agentOf } from '../support/script.ts';
import { sending, taskOf } from './support/messages.ts';
import { everyMatrix } from './support/rows.ts';
import { served } from './support/sdk.ts';

const writer = agentOf(async function* () {
  yield 'one ';
  yield 'two';
});

everyMatrix((row) => {
  it('registers webhooks whose bodies the SDK reads', async () => {
    const receiver = await startReceiver();
    const { client } = await served(row, writer, { push: LOCAL });
    const config = { tenant: '', taskId: '', id: 'hook', url: receiver.url, token: 'tok', authentication: undefined };
    const configuration = { taskPushNotificationConfig: config };
    const task = taskOf(await client.sendMessage(sending('go', { configuration })));
    const one = { taskId: task.id, id: 'hook', tenant: '' };
    expect(await client.getTaskPushNotificationConfig(one)).toMatchObject({ id: 'hook', url: receiver.url, token: '' });
    await receiver.until(3);
    const bodies = receiver.accepted.map(({ body }) => body);
    if (row.version === '1.0') {
      const read = bodies.map((body) => StreamResponse.fromJSON(body));
      expect(read.map(({ payload }) => payload?.$case)).toEqual(['statusUpdate', 'artifactUpdate', 'statusUpdate']);
      expect(read.map((one) => StreamResponse.toJSON(one))).toEqual(bodies);
    } else {
      expect(bodies.map(({ kind }) => kind)).toEqual(['task', 'artifact-update', 'task']);
      const read = bodies.map((body) => legacyPushNotificationToV1StreamResponse(body).payload);
      expect(read.map((payload) => payload?.$case)).toEqual(['task', 'artifactUpdate', 'task']);
      expect(JSON.stringify(read.at(-1))).toContain(task.id);
      for (const body of bodies) {
        const type = body.kind === 'task' ? 'Task' : 'TaskArtifactUpdateEvent';
        expect(violationsOf(SCHEMA_V03, type, body)).toEqual([]);
      }
    }
    await client.deleteTaskPushNotificationConfig(one);
  });
});
