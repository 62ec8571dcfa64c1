import { A2AServer, type Agent, type TaskContext } from 'parley-a2a';
import type { RunResult, UpdateOutput } from 'parley-a2a/types';
import { Observable } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { textOfTask } from '../../support/frames.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { readSse } from '../../support/sse.ts';

const NOW = '2025-10-30T10:00:00Z';

/** What the document's server is given by its agents: events in the words of the wire, with ids and times of their own. */
function processMessage({ id: taskId, contextId }: TaskContext): Observable<UpdateOutput> {
  return new Observable((subscriber) => {
    const message = {
      kind: 'message',
      role: 'agent',
      parts: [{ kind: 'text', text: 'Processing...' }],
      messageId: 'msg-2',
    };
    const working = { state: 'working', message, timestamp: NOW };
    subscriber.next({ kind: 'status-update', taskId, contextId, status: working, final: false });
    for (const [index, text] of ['Analysis: ', 'Sales increased', ', by 15%'].entries()) {
      const artifact = { artifactId: 'art-1', parts: [{ kind: 'text', text }] };
      const lastChunk = index === 2;
      subscriber.next({ kind: 'artifact-update', taskId, contextId, artifact, append: index > 0, lastChunk });
    }
    const completed = { state: 'completed', timestamp: NOW };
    subscriber.next({ kind: 'status-update', taskId, contextId, status: completed, final: true });
    subscriber.complete();
  });
}

/** The same in the older words: a part with a number and `append` of its own. */
function* olderUpdates({ id: taskId, contextId }: TaskContext): Generator<UpdateOutput, void> {
  const ids = { taskId, contextId };
  yield { kind: 'status-update', ...ids, status: { state: 'started', timestamp: NOW }, final: false };
  yield {
    kind: 'artifact-update',
    ...ids,
    index: 0,
    part: { kind: 'text', text: 'Result content ', index: 0, append: false },
    timestamp: NOW,
  };
  yield {
    kind: 'artifact-update',
    ...ids,
    index: 0,
    part: { kind: 'text', text: 'here...', index: 1, append: true },
    timestamp: NOW,
  };
  yield { kind: 'status-update', ...ids, status: { state: 'completed', timestamp: NOW }, final: true };
}

const run = (body: (task: TaskContext) => RunResult) => startServer(agentOf(body)).peer;

async function streamOf(agent: Agent, text = 'Analyze'): Promise<Wire[]> {
  const server = new A2AServer({ agents: [agent], log: { error: () => {}, warn: () => {} } });
  onTestFinished(() => server.close());
  const message = { kind: 'message', role: 'user', parts: [{ kind: 'text', text }], messageId: 'msg-1' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } });
  const headers = { 'content-type': 'application/json' };
  const response = await server.fetch(new Request('http://host/api/a2a', { method: 'POST', headers, body }));
  const frames: Wire[] = [];
  for await (const { data } of readSse(response.body as ReadableStream<Uint8Array>)) frames.push(JSON.parse(data));
  return frames;
}

describe('a run of the document’s own events (S0.16)', () => {
  it('is an observable of them, which readers see as the document shows it', async () => {
    const all = (await streamOf(agentOf(processMessage))).map(({ result }) => result);
    // The server itself has said that the task works.
    const frames = all.filter((_, index) => index !== 1);
    expect(all[1]).toMatchObject({ kind: 'status-update', status: { state: 'working' } });
    expect(frames.map(({ kind, final }) => [kind, final])).toEqual([
      ['task', undefined],
      ['status-update', false],
      ['artifact-update', undefined],
      ['artifact-update', undefined],
      ['artifact-update', undefined],
      ['status-update', true],
    ]);
    expect(frames[1].status.message).toMatchObject({ messageId: 'msg-2', parts: [{ text: 'Processing...' }] });
    expect(
      frames.slice(2, 5).map(({ artifact, append, lastChunk }) => [artifact.artifactId, append, lastChunk]),
    ).toEqual([
      ['art-1', false, false],
      ['art-1', true, false],
      ['art-1', true, true],
    ]);
    expect(new Set(frames.map(({ id, taskId }) => id ?? taskId)).size).toBe(1);
  });

  it('is a generator of them, also in the older words (S0.21)', async () => {
    const task = await run(olderUpdates).send('go');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(task)).toBe('Result content here...');
    expect(task.artifacts).toHaveLength(1);
  });

  it('may be mixed with other outputs, be returned, and leave the end to the run', async () => {
    const peer = run(async function* ({ text }) {
      yield 'before ';
      yield { kind: 'status-update', status: { state: 'working' } };
      yield 'after';
      return text === 'fail'
        ? ({ kind: 'status-update', status: { state: 'failed' }, final: true } as const)
        : undefined;
    });
    const task = await peer.send('go');
    expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'before after']);
    expect((await peer.send('fail')).status.state).toBe('TASK_STATE_FAILED');
  });

  it('ends with a final status, whatever comes after it', async () => {
    let isStopped = false;
    const message = { role: 'agent', parts: [{ kind: 'text', text: 'Out of luck' }], messageId: 'm' };
    const endless = new Observable<UpdateOutput>((subscriber) => {
      subscriber.next({ kind: 'status-update', status: { state: 'failed', message }, final: true });
      subscriber.next({ kind: 'status-update', status: { state: 'completed' }, final: true });
      return () => {
        isStopped = true;
      };
    });
    const task = await run(() => endless).send('go');
    expect([task.status.state, task.status.message.parts[0].text]).toEqual(['TASK_STATE_FAILED', 'Out of luck']);
    expect(isStopped).toBe(true);

    const seen: string[] = [];
    const generated = await run(function* () {
      try {
        yield { kind: 'status-update', status: { state: 'rejected' } };
        seen.push('went on');
      } finally {
        seen.push('cleaned up');
      }
    }).send('go');
    expect([generated.status.state, seen]).toEqual(['TASK_STATE_REJECTED', ['cleaned up']]);
  });

  it('asks with an inputRequest of its own, and the answer begins the next turn (S0.7)', async () => {
    const inputRequest = { kind: 'input-request', prompt: 'Enter API key:', sensitive: true, requestId: 'input-1' };
    const parts = [{ kind: 'text', text: 'Please provide your API key' }];
    const asking = { kind: 'message', role: 'agent', parts, messageId: 'msg-5', inputRequest };
    const agent = agentOf(function* (task): Generator<UpdateOutput | string> {
      if (task.history.length > 0) yield JSON.stringify(task.parts.at(-1));
      else yield { kind: 'status-update', status: { state: 'input-required', message: asking }, final: false };
    });
    const server = new A2AServer({ agents: [agent] });
    onTestFinished(() => server.close());
    const send = async (message: object): Promise<Wire> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } });
      const headers = { 'content-type': 'application/json' };
      return (await server.fetch(new Request('http://host/api/a2a', { method: 'POST', headers, body }))).json();
    };
    const hello = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'go' }], messageId: 'msg-1' };
    const { result } = await send(hello);
    expect(result.status).toMatchObject({ state: 'input-required', message: { messageId: 'msg-5', inputRequest } });
    const answer = [{ kind: 'tool-result', toolUseId: 'input-1', result: { value: 'secret-key-123' } }];
    const done = await send({ ...hello, parts: answer, messageId: 'msg-6', referenceTaskIds: [result.id] });
    expect(done.result).toMatchObject({ id: result.id, status: { state: 'completed' } });
    expect(textOfTask(done.result)).toContain('secret-key-123');
  });

  it('shows a question while it goes on, and takes the answer as a message', async () => {
    const peer = run(async function* (task): AsyncGenerator<UpdateOutput | string> {
      const message = { role: 'agent', parts: [{ kind: 'text', text: 'Which?' }], messageId: 'q' };
      yield { kind: 'status-update', status: { state: 'input-required', message }, final: false };
      for await (const answer of task.messages()) {
        yield { kind: 'status-update', status: { state: 'working' }, final: false };
        yield `got ${answer.parts.length}`;
        return;
      }
    });
    const asking = await peer.send('go');
    expect([asking.status.state, asking.status.message.messageId]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'q']);
    const done = await peer.send('this', { taskId: asking.id });
    expect([done.status.state, textOfTask(done)]).toEqual(['TASK_STATE_COMPLETED', 'got 1']);
  });

  it('fails the task where an event cannot be read, and says why in the log alone', async () => {
    const unreadable = { kind: 'artifact-update', artifact: { parts: [] } } as unknown as UpdateOutput;
    const { peer, logged } = startServer(agentOf(() => new Observable((subscriber) => subscriber.next(unreadable))));
    expect((await peer.send('go')).status.state).toBe('TASK_STATE_FAILED');
    expect(logged.map(({ details }) => String(details.error))).toEqual([
      expect.stringContaining('an artifact needs an artifactId'),
    ]);
  });

  it('is canceled like any other', async () => {
    const [working, stopped] = [gate(), gate()];
    const peer = run(
      () =>
        new Observable<UpdateOutput>((subscriber) => {
          subscriber.next({ kind: 'status-update', status: { state: 'working' }, final: false });
          working.resolve();
          return () => stopped.resolve();
        }),
    );
    const { task } = await peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
    await working.promise;
    expect((await peer.call('CancelTask', { id: task.id })).status.state).toBe('TASK_STATE_CANCELED');
    await stopped.promise;
  });
});
