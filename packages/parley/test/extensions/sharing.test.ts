import { A2AServer, type StreamEvent } from 'parley-a2a';
import type { ExtensionDefinition, ExtensionEventInfo } from 'parley-a2a/types';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type OpenStream, RpcPeer, sendParams, startServer, type Wire } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';

const ONE = 'https://example.com/ext/one/v1';
const TWO = 'https://example.com/ext/two/v1';
const asking = (...uris: string[]): Record<string, string> =>
  uris.length === 0 ? {} : { 'a2a-extensions': uris.join(',') };

/** Counts how often an event is shown to the hook. */
class Counting implements ExtensionDefinition {
  readonly uri: string;
  readonly calls: string[] = [];

  constructor(uri: string) {
    this.uri = uri;
  }

  onEvent(event: StreamEvent, { seq }: ExtensionEventInfo): number {
    this.calls.push(`${event.kind} ${seq}`);
    return this.uri === ONE ? 1 : 2;
  }
}

const chunksOf = (frames: readonly { readonly result: Wire }[]): Wire[] =>
  frames.flatMap(({ result }) => (result.artifactUpdate ? [result.artifactUpdate] : []));

describe('readers of one task', () => {
  it('see what their own extensions add, and share it with those who have the same', async () => {
    const begun = gate();
    const one = new Counting(ONE);
    const two = new Counting(TWO);
    const agent = agentOf(
      async function* () {
        await begun.promise;
        for (let n = 0; n < 20; n += 1) yield `word ${n} `;
      },
      { extensions: [one, two] },
    );
    const { peer } = startServer(agent);
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    const sets = [[], [ONE], [ONE], [ONE], [TWO], [ONE, TWO], [TWO, ONE], []];
    const streams: OpenStream[] = [];
    for (const uris of sets) streams.push(await peer.open('SubscribeToTask', { id }, asking(...uris)));
    for (const stream of streams) await stream.next();
    one.calls.length = 0;
    begun.resolve();
    const all = await Promise.all(streams.map((stream) => stream.rest()));
    for (const [index, uris] of sets.entries()) {
      const expected =
        uris.length === 0 ? undefined : Object.fromEntries(uris.map((uri) => [uri, uri === ONE ? 1 : 2]));
      const chunks = chunksOf(all[index] ?? []);
      expect(chunks.map(({ artifact }) => artifact.parts[0]?.text ?? '').join('')).toContain('word 19');
      for (const { metadata } of chunks) expect(metadata).toEqual(expected);
    }
    // Two sets have the first extension, and six streams: each event is shown to it once for a set.
    const times = Map.groupBy(one.calls, (call) => call);
    for (const [call, { length }] of times) expect([call, length]).toEqual([call, 2]);
  });

  it('see the same when they resume, live or after the end, from any frame', async () => {
    const agent = agentOf(
      function* () {
        for (let n = 0; n < 10; n += 1) yield `word ${n} `;
      },
      { extensions: [{ uri: ONE, onEvent: (event, { seq }) => `${event.kind} ${seq}` }] },
    );
    const { peer } = startServer(agent);
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'), asking(ONE));
    const id = frames[0]?.result.task.id;
    for (const [index, frame] of frames.slice(0, -1).entries()) {
      const headers = { ...asking(ONE), 'last-event-id': String(frame.id) };
      const rest = await peer.stream('SubscribeToTask', { id }, headers);
      expect(rest.map(({ result }) => result)).toEqual(frames.slice(index + 1).map(({ result }) => result));
    }
  });
});

describe('an onEvent that fails', () => {
  const failing: ExtensionDefinition = {
    uri: ONE,
    onEvent() {
      throw new Error('no luck');
    },
  };
  const unwritable: ExtensionDefinition = { uri: TWO, onEvent: () => 1n as unknown as number };

  it.each([
    ['throws', failing],
    ['returns what JSON cannot carry', unwritable],
    ['returns a promise', { uri: TWO, onEvent: () => Promise.reject(new Error('no luck')) as never }],
  ])('and %s leaves the stream whole and is logged once for a task', async (_, extension) => {
    const logged: Wire[] = [];
    const log = { error: (message: string, details: Wire) => logged.push({ message, ...details }), warn: () => {} };
    const good = new Counting('https://example.com/ext/good/v1');
    const server = new A2AServer({
      agents: [agentOf((task) => task.text, { extensions: [extension, good] })],
      log,
      anonymous: 'shared',
    });
    onTestFinished(() => server.close());
    const peer = new RpcPeer(server.fetch);
    const named = asking(extension.uri, good.uri);
    const frames = await peer.stream('SendStreamingMessage', sendParams('hello'), named);
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    for (const { result } of frames) {
      const [body] = Object.values<Wire>(result);
      expect(body.metadata).toEqual({ [good.uri]: 2 });
    }
    const id = frames[0]?.result.task.id;
    expect((await peer.call('GetTask', { id }, named)).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await peer.call('ListTasks', {}, named)).totalSize).toBe(1);
    expect(logged).toEqual([expect.objectContaining({ extension: extension.uri, agent: 'test', taskId: id })]);
    expect(await peer.call('GetTask', { id }, asking(extension.uri))).not.toHaveProperty('metadata');
    await peer.stream('SendStreamingMessage', sendParams('again'), named);
    expect(logged).toHaveLength(2);
  });
});

it('transforms of the server see what extensions add, and have the last word', async () => {
  const agent = agentOf((task) => task.text, { extensions: [{ uri: ONE, onEvent: () => 'a secret' }] });
  const { server, peer } = startServer(agent);
  server.use({
    transform: (event) =>
      event.kind === 'task'
        ? { kind: 'task', task: { ...event.task, metadata: { [ONE]: ['not', event.task.metadata?.[ONE] ?? null] } } }
        : event,
  });
  const task = await peer.send('go', {}, undefined, asking(ONE));
  expect(task.metadata).toEqual({ [ONE]: ['not', 'a secret'] });
});
