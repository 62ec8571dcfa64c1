import { TaskState } from '@a2a-js/sdk';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { agentOf, gate } from '../support/script.ts';
import { storeWith } from '../support/stores/store-with.ts';
import { failureOf } from './support/errors.ts';
import { assembledTexts, brings, reading, stateOf, taskIdOf } from './support/events.ts';
import { artifactTexts, sending } from './support/messages.ts';
import { matrix } from './support/rows.ts';
import { served } from './support/sdk.ts';

/** An agent that writes `one `, waits for the test, and writes `two`. */
function gatedAgent() {
  const released = gate();
  const started: string[] = [];
  const agent = agentOf(async function* (task) {
    started.push(task.id);
    yield 'one ';
    await released.promise;
    yield 'two';
  });
  return { agent, started, go: released.resolve };
}

matrix((row) => {
  it('fails with the stream that fails, and learns nothing of the inside', async () => {
    const { agent, go } = gatedAgent();
    let broken = false;
    const store = storeWith((inner) => ({
      commit: async (entries) => {
        if (broken) throw new Error('disk db.internal is full');
        return inner.commit(entries);
      },
    }));
    const { client } = await served(row, agent, { store });
    const stream = reading(client.sendMessageStream(sending('go')));
    await stream.until(brings('one '));
    broken = true;
    go();
    const error = await failureOf(stream.rest());
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toMatch(/db\.internal|Failed to parse/);
    broken = false;
  });

  it('reads a stream that the server ends early as one that is over, and can go on', async () => {
    const { agent, go } = gatedAgent();
    const { client } = await served(row, agent, { limits: { streamTimeout: 500 } });
    const stream = reading(client.sendMessageStream(sending('go')));
    const cut = await stream.rest();
    expect(stateOf(cut.at(-1))).not.toBe(TaskState.TASK_STATE_COMPLETED);
    const again = reading(client.resubscribeTask({ id: taskIdOf(cut[0]), tenant: '' }));
    const [snapshot] = await again.until(() => true);
    go();
    const rest = await again.rest();
    expect(assembledTexts([snapshot ?? {}, ...rest], row)).toEqual(['one two']);
    expect(stateOf(rest.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('reads a stream of a server that stops as one that is over', async () => {
    const { agent } = gatedAgent();
    const { client, server } = await served(row, agent);
    const stream = reading(client.sendMessageStream(sending('go')));
    await stream.until(brings('one '));
    const rest = stream.rest();
    await server.close();
    for (const event of await rest) expect(stateOf(event)).not.toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('gives up a send that waits, and the task goes on', async () => {
    const { agent, started, go } = gatedAgent();
    const { client } = await served(row, agent);
    const aborted = new AbortController();
    const waiting = client.sendMessage(sending('go'), { signal: aborted.signal });
    await eventually(() => started.length).toBe(1);
    aborted.abort();
    expect(await failureOf(waiting)).toMatchObject({ name: 'AbortError' });
    go();
    const look = async () => artifactTexts(await client.getTask({ id: started[0] ?? '', tenant: '' }));
    await eventually(look).toEqual(['one two']);
  });
});
