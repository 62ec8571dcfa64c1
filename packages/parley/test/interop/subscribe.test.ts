import { type StreamResponse, TaskState } from '@a2a-js/sdk';
import { TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/lab.ts';
import { agentOf, gate, hang } from '../support/script.ts';
import { begin } from './support/begin.ts';
import { expectStreamError } from './support/errors.ts';
import {
  allOf,
  assembledTexts,
  brings,
  chunkTexts,
  kindOf,
  payloadOf,
  reading,
  stateOf,
  taskIdOf,
} from './support/events.ts';
import { artifactTexts, sending, taskOf } from './support/messages.ts';
import { everyMatrix } from './support/rows.ts';
import { type Fetch, served } from './support/sdk.ts';

/** An agent that writes a word each time the test says so, and ends after the last. */
function wordByWord(words: readonly string[]) {
  const gates = words.map(() => gate());
  const agent = agentOf(async function* () {
    for (const [index, word] of words.entries()) {
      await gates[index]?.promise;
      yield word;
    }
  });
  return { agent, release: (index: number) => gates[index]?.resolve() };
}

everyMatrix((row) => {
  it('begins with the task as it is and goes on with what comes', async () => {
    const { agent, release } = wordByWord(['one ', 'two ', 'three']);
    const { client, connect } = await served(row, agent);
    const starter = reading(client.sendMessageStream(sending('go')));
    release(0);
    const [first] = await starter.until(brings('one '));
    const { client: other } = await connect();
    const stream = reading(other.resubscribeTask({ id: taskIdOf(first), tenant: '' }));
    const [snapshot] = await stream.until(() => true);
    expect(payloadOf(snapshot, 'task')?.artifacts).toHaveLength(1);
    release(1);
    release(2);
    const rest = await stream.rest();
    expect(chunkTexts(rest).join('')).toBe('two three');
    expect(assembledTexts([snapshot ?? {}, ...rest], row)).toEqual(['one two three']);
    expect(stateOf(rest.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
    await starter.rest();
  });

  it.runIf(row.sdk.failsAsAborted)('misses and doubles nothing after a disconnect', async () => {
    const words = Array.from({ length: 20 }, (_, index) => `${index} `);
    const { agent, release } = wordByWord(words);
    const { client } = await served(row, agent);
    const aborted = new AbortController();
    const started = reading(client.sendMessageStream(sending('go'), { signal: aborted.signal }));
    release(0);
    const [first] = await started.until(brings('0 '));
    const id = taskIdOf(first);
    aborted.abort();
    await expect(started.rest()).rejects.toMatchObject({ name: 'AbortError' });
    for (let index = 1; index < 19; index += 1) {
      release(index);
      const stream = reading(client.resubscribeTask({ id, tenant: '' }));
      const seen = await stream.until((event) => assembledTexts([event], row).join('').includes(`${index} `));
      expect(assembledTexts(seen, row)).toEqual([words.slice(0, index + 1).join('')]);
      await stream.leave();
    }
    const last = reading(client.resubscribeTask({ id, tenant: '' }));
    const [snapshot] = await last.until(() => true);
    release(19);
    expect(assembledTexts([snapshot ?? {}, ...(await last.rest())], row)).toEqual([words.join('')]);
  });

  // The SDK does not show the ids of events, nor does it resume by itself: they are read from the wire here, and the
  // position is handed over as a service parameter.
  it.runIf(row.sdk.usesFetch)('resumes behind a position, with a header that the client lets through', async () => {
    const { agent, release } = wordByWord(['one ', 'two ', 'three']);
    const ids: string[] = [];
    const { client } = await served(row, agent, {}, { fetch: withEventIds(ids) });
    const started = reading(client.sendMessageStream(sending('go')));
    release(0);
    const before = await started.until(brings('one '));
    await started.leave();
    const position = ids.at(-1) ?? '';
    release(1);
    release(2);
    const resumed = client.resubscribeTask(
      { id: taskIdOf(before[0]), tenant: '' },
      { serviceParameters: { 'Last-Event-ID': position } },
    );
    const after = await allOf(resumed);
    expect(after.map(kindOf)).not.toContain('task');
    expect(chunkTexts([...before, ...after]).join('')).toBe('one two three');
    expect(stateOf(after.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('stays open over a question and its answer', async () => {
    const { client, connect } = await served(row, lab);
    const { id } = taskOf(await client.sendMessage(sending('ask Which one?')));
    const { client: other } = await connect();
    const stream = reading(other.resubscribeTask({ id, tenant: '' }));
    const [snapshot] = await stream.until(() => true);
    expect(stateOf(snapshot)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    await client.sendMessage(sending('this one', { message: { taskId: id } }));
    const rest = await stream.rest();
    expect(assembledTexts(rest, row)).toEqual(['answered: this one']);
    expect(stateOf(rest.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('gives every subscriber the same', async () => {
    const { agent, release } = wordByWord(['one ', 'two ', 'three']);
    const { client, connect } = await served(row, agent);
    const id = await begin(client);
    const streams = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { client: other } = await connect();
        const stream = reading(other.resubscribeTask({ id, tenant: '' }));
        const [snapshot] = await stream.until(() => true);
        return { stream, snapshot };
      }),
    );
    for (const index of [0, 1, 2]) release(index);
    const seen: StreamResponse[][] = [];
    for (const { stream, snapshot } of streams) seen.push([snapshot ?? {}, ...(await stream.rest())]);
    for (const events of seen) expect(events).toEqual(seen[0]);
    expect(assembledTexts(seen[0] ?? [], row)).toEqual(['one two three']);
  });

  it('sees a cancel by somebody else', async () => {
    const { client, connect } = await served(row, agentOf(hang));
    const id = await begin(client);
    const { client: other } = await connect();
    const stream = reading(other.resubscribeTask({ id, tenant: '' }));
    await stream.until(() => true);
    await client.cancelTask({ id, tenant: '', metadata: undefined });
    expect(stateOf((await stream.rest()).at(-1))).toBe(TaskState.TASK_STATE_CANCELED);
  });

  it.runIf(row.version === '1.0' || row.binding !== 'GRPC')(
    'fails for a task that is over, which is still there to get',
    async () => {
      const { client } = await served(row, lab);
      const { id } = taskOf(await client.sendMessage(sending('chunk 1 8')));
      const unsupported = { type: UnsupportedOperationError, code: -32004, status: 400 };
      await expectStreamError(row, allOf(client.resubscribeTask({ id, tenant: '' })), unsupported);
      expect(artifactTexts(await client.getTask({ id, tenant: '' }))).toEqual(['0001:...']);
    },
  );

  it('fails for a task that is not there', async () => {
    const { client } = await served(row, lab);
    const notFound = { type: TaskNotFoundError, code: -32001, status: 404 };
    await expectStreamError(row, allOf(client.resubscribeTask({ id: 'unknown', tenant: '' })), notFound);
  });
});

/** Notes the ids of the events that come in. */
function withEventIds(ids: string[]): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    const decoder = new TextDecoder();
    const noting = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        const text = decoder.decode(bytes, { stream: true });
        ids.push(...[...text.matchAll(/^id: (.*)$/gm)].map((match) => match[1] ?? ''));
        controller.enqueue(bytes);
      },
    });
    return new Response(response.body.pipeThrough(noting), response);
  };
}
