import { A2AClient, inputRequired, type StreamEvent, textOf } from 'parley-a2a';
import { faulty, type Recording, record, replay, testAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { matrix } from '../interop/support/rows.ts';
import '../support/a2a-matchers.ts';
import { agentOf } from '../support/script.ts';

const asking = () =>
  agentOf(async function* (task) {
    if (task.history.length === 0) return inputRequired('Which?');
    yield 'You said ';
    yield task.text;
    return undefined;
  });

/** A talk with an agent: everything that a client sees of it. */
async function talk(client: A2AClient) {
  const events: StreamEvent[] = [];
  const stream = client.sendMessageStream('go');
  for await (const event of stream) events.push(event);
  const { id } = await stream.task;
  const text = await client.run('this', { taskId: id });
  const task = await client.getTask(id);
  const missing = await client.getTask('missing').catch((error: unknown) => error);
  return { card: await client.agentCard(), events, text, task, missing };
}

matrix(({ version, binding }) => {
  it('is played again as it was recorded', async () => {
    const kit = testAgent(asking());
    onTestFinished(() => kit.close());
    const recorder = record(kit.fetch);
    const options = { prefer: { version, binding } };
    const first = await talk(kit.connect({ ...options, fetch: recorder.fetch }));
    expect(first.text).toBe('You said this');
    // As it comes out of a file.
    const recording: Recording = JSON.parse(JSON.stringify(recorder.recording()));
    const again = await talk(new A2AClient(kit.url, { ...options, fetch: replay(recording) }));
    expect(again).toEqual(first);
    const third = await talk(new A2AClient(kit.url, { ...options, fetch: replay(recording) }));
    expect(third).toEqual(first);
  });
});

describe('a recording', () => {
  it('holds no credentials', async () => {
    const kit = testAgent(agentOf(() => 'done'));
    onTestFinished(() => kit.close());
    const recorder = record(kit.fetch);
    const client = kit.connect({
      fetch: recorder.fetch,
      headers: { authorization: 'Bearer secret', cookie: 'secret' },
    });
    await client.run('go');
    expect(recorder.recording().exchanges).toHaveLength(2);
    expect(JSON.stringify(recorder.recording())).not.toContain('secret');
  });

  it('has the breaks that there were', async () => {
    const kit = testAgent(asking());
    onTestFinished(() => kit.close());
    const recorder = record(faulty(kit.fetch, { dropAt: 2 }));
    const reconnect = { firstDelay: 1, longestDelay: 2 };
    await kit.connect({ fetch: recorder.fetch, reconnect }).sendMessageStream('go').task;
    const recording = recorder.recording();
    expect(recording.exchanges.filter(({ response }) => response.broken)).toHaveLength(1);
    const reconnects: number[] = [];
    const onReconnect = ({ attempt }: { attempt: number }) => void reconnects.push(attempt);
    const client = new A2AClient(kit.url, { fetch: replay(recording), reconnect, onReconnect });
    expect(textOf(await client.sendMessageStream('go').task)).toBe('Which?');
    expect(reconnects).toEqual([1]);
  });

  it('says what it was not asked before', async () => {
    const kit = testAgent(agentOf(() => 'done'));
    onTestFinished(() => kit.close());
    const recorder = record(kit.fetch);
    await kit.connect({ fetch: recorder.fetch }).run('go');
    const fetch = replay(recorder.recording());
    const client = new A2AClient(kit.url, { fetch, retry: false, reconnect: false });
    await expect(client.run('something else')).rejects.toThrow(/no \(further\) answer to POST/);
    expect(await client.run('go')).toBe('done');
    await expect(client.run('go')).rejects.toThrow(/no \(further\) answer/);
  });
});
