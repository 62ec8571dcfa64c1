import { A2AClient, type A2AServer, inputRequired } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { listening } from '../../support/http/sockets.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { openStream, type RpcFrame, RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { storeWith } from '../../support/stores/store-with.ts';

/** The document's request, byte for byte. */
const REQUEST = `{
  "jsonrpc": "2.0",
  "id": "1",
  "method": "SendMessage",
  "params": {
    "message": {
      "messageId": "msg-1",
      "role": "user",
      "parts": [{"text": "Hello, agent!"}]
    }
  }
}`;
const MESSAGE = JSON.parse(REQUEST).params.message;

/** As the document's client asks for a stream. */
async function documented(server: A2AServer, body = REQUEST) {
  if (!server.url) await server.listen({ port: 0 });
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  return fetch(`${server.url}/a2a/stream`, { method: 'POST', headers, body });
}

const streamsAt = async (server: A2AServer) => (await listening(server)).at('/a2a/stream');
const textOf = (frames: readonly RpcFrame[]) =>
  frames.map(({ result }) => result?.artifact?.parts[0]?.text ?? '').join('');

/** What a reader of the document with the two flags of chunks makes of the frames. */
function artifactsOf(frames: readonly RpcFrame[]): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const { result } of frames) {
    if (result?.type !== 'artifact') continue;
    const { artifactId, parts } = result.artifact;
    const text = parts.map((part: Wire) => part.text ?? '').join('');
    texts[artifactId] = result.append ? (texts[artifactId] ?? '') + text : text;
  }
  return texts;
}

describe('POST /a2a/stream', () => {
  it('answers the document’s request with the document’s frames (S2.2) (S2.7)', async () => {
    const { server } = startServer(agentOf(() => 'Hello!'));
    const response = await documented(server);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('a2a-protocol-version')).toBe('1.0');
    const text = await response.text();
    const data = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
    const [first] = data.map((line) => JSON.parse(line).result);
    const at = (line: string) =>
      line.replace(/"timestamp":"[^"]*"/g, '"timestamp":"T"').replaceAll(first.taskId, 'abc');
    const artifactId = JSON.parse(data[2] ?? '').result.artifact.artifactId;
    expect(data.map((line) => at(line).replace(artifactId, 'art').replace(first.contextId, 'ctx'))).toEqual([
      '{"jsonrpc":"2.0","id":"1","result":{"taskId":"abc","contextId":"ctx","status":{"state":"submitted","timestamp":"T"}}}',
      '{"jsonrpc":"2.0","id":"1","result":{"type":"status","taskId":"abc","status":{"state":"working","timestamp":"T"}}}',
      '{"jsonrpc":"2.0","id":"1","result":{"type":"artifact","taskId":"abc","artifact":{"artifactId":"art","parts":[{"text":"Hello!"}]}}}',
      '{"jsonrpc":"2.0","id":"1","result":{"type":"status","taskId":"abc","status":{"state":"completed","timestamp":"T"},"final":true}}',
    ]);
  });

  it('streams for every one of its methods (S2.2)', async () => {
    const { server } = startServer(agentOf(() => 'Hello!'));
    const peer = await streamsAt(server);
    for (const method of ['SendMessage', 'StreamMessage', 'SendStreamingMessage']) {
      const frames = await peer.stream(method, { message: MESSAGE });
      expect(frames.map(({ result }) => result.type)).toEqual([undefined, 'status', 'artifact', 'status']);
    }
    for (const method of ['StreamMessage', 'SendStreamingMessage']) {
      const frames = await peer.at('/a2a').stream(method, { message: MESSAGE }, { 'a2a-version': '' });
      expect(frames.at(-1)?.result.final).toBe(true);
    }
  });

  it('follows a task by either name, with what was there before (S2.2) (S2.7)', async () => {
    const [first, second] = [gate(), gate()];
    const agent = agentOf(async function* (task) {
      await task.artifact({ artifactId: 'whole', name: 'figures' }).end('1, 2, 3');
      yield 'one ';
      yield 'two ';
      first.resolve();
      await second.promise;
      yield 'three';
    });
    const { server } = startServer(agent);
    const peer = await streamsAt(server);
    const sent = await peer.open('SendMessage', { message: MESSAGE });
    const taskId = (await sent.next())?.result.taskId;
    await first.promise;
    const readers = await Promise.all(
      ['Resubscribe', 'SubscribeToTask'].map((method) => peer.open(method, { id: taskId })),
    );
    const begun = await Promise.all(readers.map((reader) => reader.until(({ id }) => id !== undefined)));
    for (const frames of begun) {
      expect(Object.keys(frames[0]?.result)).toEqual(['taskId', 'contextId', 'status']);
      expect(frames[1]?.result.artifact).toEqual({
        artifactId: 'whole',
        name: 'figures',
        parts: [{ text: '1, 2, 3' }],
      });
      // Only what ends the picture can be gone on behind.
      expect(frames.slice(0, -1).map(({ id }) => id)).toEqual(frames.slice(0, -1).map(() => undefined));
    }
    second.resolve();
    const all = await Promise.all(
      readers.map(async (reader, index) => [...(begun[index] ?? []), ...(await reader.rest())]),
    );
    for (const frames of [...all, await sent.rest()]) {
      expect(Object.values(artifactsOf(frames))).toEqual(['1, 2, 3', 'one two three']);
      expect(frames.at(-1)?.result).toMatchObject({ type: 'status', status: { state: 'completed' }, final: true });
    }
  });

  it('answers what cannot stream as it does elsewhere (S2.2)', async () => {
    const { server } = startServer(agentOf(() => 'Hello!'));
    const peer = await streamsAt(server);
    const [first] = await peer.stream('SendMessage', { message: MESSAGE });
    const response = await peer.request('GetTask', { id: first?.result.taskId });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(((await response.json()) as Wire).result.status.state).toBe('completed');
    expect((await peer.call('ListTasks', {})).tasks).toHaveLength(1);
    expect(await peer.error('CancelTask', { id: first?.result.taskId })).toMatchObject({ code: -32002 });
    expect(await peer.error('Resubscribe', { id: first?.result.taskId })).toMatchObject({ code: -32004 });
  });

  it('ends with a question, which is final too, and goes on with its answer (S2.7)', async () => {
    const agent = agentOf((task) => (task.history.length > 1 ? `${task.text} it is` : inputRequired('Which one?')));
    const { server } = startServer(agent);
    const peer = await streamsAt(server);
    const asked = await peer.stream('SendMessage', { message: MESSAGE });
    const question = asked.at(-1)?.result;
    expect(question).toMatchObject({ status: { state: 'input-required' }, final: true });
    expect(question.status.message).toMatchObject({ role: 'agent', parts: [{ text: 'Which one?' }] });
    const answer = { ...MESSAGE, messageId: 'msg-2', taskId: question.taskId, parts: [{ text: 'This' }] };
    const answered = await peer.stream('SendMessage', { message: answer });
    expect(answered[0]?.result.taskId).toBe(question.taskId);
    expect(textOf(answered)).toBe('This it is');
  });

  it('says a failure as a state and leaks nothing of it (S2.7)', async () => {
    const { server } = startServer(
      agentOf(async function* () {
        yield 'half';
        throw new Error('password 1234');
      }),
    );
    const text = await (await documented(server)).text();
    expect(text).toContain('"state":"failed"');
    expect(text).toContain('"final":true');
    expect(text).not.toContain('password');
  });

  it('says what goes wrong in the midst of it as an error frame, and nothing of why (S2.5)', async () => {
    const broken = gate();
    let isBroken = false;
    const store = storeWith((inner) => ({
      commit: (batch) => (isBroken ? Promise.reject(new Error('disk /dev/sda1 is full')) : inner.commit(batch)),
    }));
    const agent = agentOf(async function* () {
      yield 'one';
      await broken.promise;
      yield 'two';
    });
    const { server } = startServer(agent, { store });
    const peer = await streamsAt(server);
    const stream = await peer.open('SendMessage', { message: MESSAGE });
    await stream.until(({ result }) => result.type === 'artifact');
    isBroken = true;
    broken.resolve();
    const { response } = (await stream.rest()).at(-1) ?? {};
    expect(response).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32603 } });
    expect(JSON.stringify(response)).not.toContain('sda1');
  });

  it('ends with -32006 where the agent gives what it may not, and keeps the failed task (S2.5)', async () => {
    const agent = agentOf(async function* () {
      yield 'half ';
      yield { secret: 'no output' } as unknown as string;
    });
    const { server } = startServer(agent, { mounts: [{ path: '/draft', dialect: 'v1_draft' }] });
    const text = await (await documented(server)).text();
    const frames: Wire[] = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
    const { taskId } = frames[0].result;
    const refused = {
      code: -32006,
      message: expect.stringMatching(/^The agent gave a result that the protocol does not allow\. Reference: /),
      data: { taskId },
    };
    expect(textOf(frames as unknown as RpcFrame[])).toBe('half ');
    expect(frames.at(-1)).toEqual({ jsonrpc: '2.0', id: '1', error: refused });
    expect(frames.filter(({ result }) => result?.final)).toEqual([]);
    expect(text).not.toContain('secret');

    const peer = new RpcPeer(server.fetch).at('/draft');
    const sent = await peer.respond('SendMessage', { message: MESSAGE });
    expect(sent.error).toEqual({ ...refused, data: { taskId: expect.any(String) } });
    const task = await peer.call('GetTask', { id: sent.error.data.taskId });
    expect([task.status.state, task.artifacts[0].parts[0].text]).toEqual(['failed', 'half ']);

    const client = new A2AClient(`${server.url}/draft`, { protocol: 'v1_draft' });
    await expect(client.sendMessage('go')).rejects.toMatchObject({ code: 'INVALID_AGENT_RESPONSE' });
    expect(await client.sendMessageStream('go').task).toMatchObject({ status: { state: 'failed' } });
  });

  it('answers what is wrong with an error instead of a stream (S2.5)', async () => {
    const { server } = startServer(agentOf(() => 'Hello!'));
    const bad = await documented(server, REQUEST.replace('"text": "Hello, agent!"', '"text": "a", "file": {}'));
    expect(((await bad.json()) as Wire).error).toMatchObject({ code: -32602 });
    const notJson = await documented(server, '{');
    expect(((await notJson.json()) as Wire).error).toMatchObject({ code: -32700 });
    const { server: mute } = startServer(agentOf(() => 'Hello!', { streaming: false }));
    expect(((await (await documented(mute)).json()) as Wire).error).toMatchObject({ code: -32004 });
  });

  it('goes on behind the last frame that a reader had (S2.7)', async () => {
    const { server } = startServer(
      agentOf(async function* () {
        for (let index = 0; index < 20; index += 1) yield `${index} `;
      }),
    );
    const peer = await streamsAt(server);
    const all = await peer.stream('SendMessage', { message: MESSAGE });
    const taskId = all[0]?.result.taskId;
    for (const { id } of all.slice(0, -1)) {
      const rest = await peer.stream('Resubscribe', { id: taskId }, { 'last-event-id': String(id) });
      expect(rest.map(({ result }) => result)).toEqual(
        all.filter((frame) => Number(frame.id) > Number(id)).map(({ result }) => result),
      );
    }
  });

  it('is left without stopping the task, and found again', async () => {
    const end = gate();
    const { server } = startServer(
      agentOf(async function* () {
        yield 'one ';
        await end.promise;
        yield 'two';
      }),
    );
    const peer = await streamsAt(server);
    const left = await peer.open('SendMessage', { message: MESSAGE });
    const taskId = (await left.next())?.result.taskId;
    await left.close();
    end.resolve();
    const deadline = AbortSignal.timeout(PATIENCE_MS);
    const state = async () => (await peer.call('GetTask', { id: taskId })).status.state;
    while ((await state()) !== 'completed') deadline.throwIfAborted();
    expect((await peer.call('GetTask', { id: taskId })).artifacts[0].parts).toEqual([{ text: 'one two' }]);
  });

  it('shows a cancelled task to who follows it (S2.4) (S2.7)', async () => {
    const { server } = startServer(agentOf((task) => hang(task)));
    const peer = await streamsAt(server);
    const stream = await peer.open('SendMessage', { message: MESSAGE });
    const taskId = (await stream.next())?.result.taskId;
    await peer.call('CancelTask', { taskId });
    expect((await stream.rest()).at(-1)?.result).toMatchObject({ status: { state: 'cancelled' }, final: true });
  });

  it('carries 10,000 chunks to two readers, in order and once each (S2.7)', async () => {
    const begin = gate();
    const count = 10_000;
    const { server } = startServer(
      agentOf(async function* () {
        await begin.promise;
        for (let index = 0; index < count; index += 1) yield `${index},`;
      }),
    );
    await server.listen({ port: 0 });
    const peer = new RpcPeer((request) => fetch(request), `${server.url}/a2a/stream`);
    const one = await peer.open('SendMessage', { message: MESSAGE });
    const taskId = (await one.next())?.result.taskId;
    const two = openBody(await peer.request('Resubscribe', { taskId }));
    await two.next();
    begin.resolve();
    const expected = Array.from({ length: count }, (_, index) => `${index},`).join('');
    for (const frames of await Promise.all([one.rest(), two.rest()])) {
      expect(Object.values(artifactsOf(frames))).toEqual([expected]);
      const chunks = frames.filter(({ result }) => result.type === 'artifact');
      expect(chunks.map(({ result }) => result.append).indexOf(false)).toBe(0);
      expect(chunks.findIndex(({ result }) => result.lastChunk)).toBe(chunks.length - 1);
    }
  });
});

function openBody(response: Response) {
  if (!response.body) throw new Error('There is no stream');
  return openStream(response, response.body);
}
