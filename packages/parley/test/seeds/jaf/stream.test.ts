import { authRequired, json, link, reply } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { all, type NamedFrame, sending, serveJaf } from './peer.ts';

const eventsOf = (frames: readonly NamedFrame[]) => frames.map(({ event }) => event);
const textsOf = (frames: readonly NamedFrame[]) =>
  frames.map(({ response }) => (response.result?.message?.parts ?? []).map((part: Wire) => part.text).join(''));

/** Says the two halves of the document's answer, when it is told to. */
function thinker() {
  const open = gate();
  const agent = agentOf(async function* () {
    yield "I'm thinking about";
    await open.promise;
    yield " your question. Here's my response...";
  });
  return { agent, open };
}

describe('message/stream in JAF', () => {
  it('has the frames of the document, byte for byte (S1.2)', async () => {
    const { agent, open } = thinker();
    const { peer } = await serveJaf(agent);
    const stream = peer.frames('message/stream', sending('Why?'));
    const frames: NamedFrame[] = [];
    for await (const frame of stream) {
      frames.push(frame);
      if (frame.event === 'partial-completion') open.resolve();
    }
    expect(eventsOf(frames)).toEqual(['status-update', 'partial-completion', 'completion']);
    const { taskId, status } = frames[0]?.response.result ?? {};
    const message = (text: string) => ({
      role: 'agent',
      parts: [{ kind: 'text', text }],
      messageId: `resp-${taskId}-1`,
      contextId: 'ctx-1',
      kind: 'message',
    });
    const whole = "I'm thinking about your question. Here's my response...";
    const results = [
      { kind: 'status-update', taskId, status: { state: 'working', timestamp: status.timestamp }, final: false },
      { kind: 'partial-completion', taskId, message: message("I'm thinking about"), final: false },
      { kind: 'completion', taskId, message: message(whole), final: true },
    ];
    const expected = results.map((result) => JSON.stringify({ jsonrpc: '2.0', id: 'req-1', result }));
    expect(frames.map(({ data }) => data)).toEqual(expected);
  });

  it('ends with what a send is answered with, whatever the agent says', async () => {
    const talker = agentOf(async function* (task) {
      await task.status('Looking');
      yield 'One';
      const file = task.artifact({ name: 'figures', metadata: { rows: 3 } });
      await file.write(link('https://example.com/a.csv'));
      await file.end();
      yield json({ rows: 3 });
      yield ' two';
      return reply('Anything else?');
    });
    const { peer } = await serveJaf(talker);
    const frames = await peer.stream('message/stream', sending('go'));
    const { message: sent } = await peer.result('message/send', sending('go'));
    const { message: streamed } = frames.at(-1)?.response.result ?? {};
    expect(streamed.parts).toEqual(sent.parts);
    expect(streamed.metadata).toEqual(sent.metadata);
    expect(sent.metadata).toEqual({ rows: 3 });
    expect(sent.parts).toHaveLength(5);
  });

  it('has the headers of an event stream', async () => {
    const { peer } = await serveJaf(agentOf(() => 'Hi'));
    const response = await peer.post('message/stream', sending('hi'));
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('cache-control')).toContain('no-cache');
    await response.text();
  });

  it('shows each answer growing at least once, also one that comes at once', async () => {
    const { peer } = await serveJaf(agentOf(() => 'All of it'));
    const frames = await peer.stream('message/stream', sending('go'));
    expect(eventsOf(frames)).toEqual(['status-update', 'partial-completion', 'completion']);
    expect(textsOf(frames)).toEqual(['', 'All of it', 'All of it']);
  });

  it('tells what the agent is doing', async () => {
    const busy = agentOf(async function* (task) {
      await task.status('Looking it up');
      yield 'Found';
    });
    const { peer } = await serveJaf(busy);
    const frames = await peer.stream('message/stream', sending('go'));
    const statuses = frames
      .filter(({ event }) => event === 'status-update')
      .map(({ response }) => response.result.status);
    expect(statuses.at(-1)).toMatchObject({
      state: 'working',
      message: { role: 'agent', parts: [{ kind: 'text', text: 'Looking it up' }], contextId: 'ctx-1', kind: 'message' },
    });
  });

  it('ends with a completion that is not final where the agent asks, and goes on with the answer', async () => {
    const asking = agentOf(async (task) => `A ${await task.ask('Which colour?')} one`);
    const { peer } = await serveJaf(asking);
    const question = await peer.stream('message/stream', sending('go'));
    expect(eventsOf(question)).toEqual(['status-update', 'completion']);
    expect(question[1]?.response.result).toMatchObject({
      final: false,
      message: { parts: [{ text: 'Which colour?' }] },
    });
    const { taskId } = question[1]?.response.result ?? {};
    const answer = await peer.stream('message/stream', sending('blue', { taskId }));
    expect(textsOf(answer).at(-1)).toBe('A blue one');
    expect(answer.at(-1)?.response.result).toMatchObject({ taskId, final: true });
  });

  it('stays open for an authorization, which may come by itself', async () => {
    const { peer } = await serveJaf(agentOf(() => authRequired('Log in at example.com')));
    const stream = peer.frames('message/stream', sending('go'));
    const seen: Wire[] = [];
    for await (const { response } of stream) {
      seen.push(response.result);
      if (response.result.status.message) break;
    }
    expect(seen.at(-1)).toMatchObject({
      kind: 'status-update',
      status: { state: 'working', message: { parts: [{ text: 'Log in at example.com' }] } },
      final: false,
    });
  });

  it('tells of errors in the middle, and before the beginning, by the event error (S1.2)', async () => {
    const failing = agentOf(async function* () {
      yield 'So far';
      throw new Error('secret');
    });
    const { peer } = await serveJaf(failing);
    const frames = await peer.stream('message/stream', sending('go'));
    expect(eventsOf(frames)).toEqual(['status-update', 'partial-completion', 'status-update', 'error']);
    expect(textsOf(frames)[1]).toBe('So far');
    const [failed, error] = frames.slice(-2).map(({ response }) => response);
    expect(failed.result).toMatchObject({ status: { state: 'failed', error: { code: -32603 } }, final: false });
    expect(error).toMatchObject({
      jsonrpc: '2.0',
      id: 'req-1',
      error: { code: -32603, data: { errorType: 'TaskFailed' } },
    });
    expect(frames.map(({ data }) => data).join()).not.toContain('secret');
    const early = await peer.stream('message/stream', { message: {} });
    expect(early).toHaveLength(1);
    expect(early[0]).toMatchObject({ event: 'error', response: { id: 'req-1', error: { code: -32602 } } });
  });

  it('ends at the deadline with a timeout (S1.5)', async () => {
    const { peer } = await serveJaf(agentOf(hang));
    const frames = await peer.stream('message/stream', sending('go', {}, { timeout: 50 }));
    expect(frames.at(-1)).toMatchObject({
      event: 'error',
      response: { error: { code: -32006, data: { errorType: 'Timeout' } } },
    });
  });

  it('goes on when its reader goes away; the reader comes back to the task and its answer so far', async () => {
    const { agent, open } = thinker();
    const { peer } = await serveJaf(agent);
    const gone = new AbortController();
    let id = '';
    for await (const { event, response } of peer.frames('message/stream', sending('Why?'), {}, gone.signal)) {
      id = response.result.taskId;
      if (event === 'partial-completion') break;
    }
    gone.abort();
    const back = peer.frames('tasks/resubscribe', { id });
    const first = (await back.next()).value;
    const second = (await back.next()).value;
    expect(first).toMatchObject({
      event: 'task',
      response: { result: { id, kind: 'task', status: { state: 'working' } } },
    });
    expect(second).toMatchObject({ event: 'partial-completion' });
    open.resolve();
    const rest = await all(back);
    expect(textsOf(rest).at(-1)).toBe("I'm thinking about your question. Here's my response...");
    // Whoever comes later still finds the end.
    const late = await peer.stream('tasks/resubscribe', { id });
    expect(eventsOf(late)).toEqual(['task', 'completion']);
    const unknown = await peer.stream('tasks/resubscribe', { id: 'nope' });
    expect(unknown[0]).toMatchObject({ event: 'error', response: { error: { code: -32001 } } });
  });

  it('is the same for two readers at once', async () => {
    const { agent, open } = thinker();
    const { peer } = await serveJaf(agent);
    const one = peer.frames('message/stream', sending('Why?'));
    const first = (await one.next()).value;
    const other = peer.frames('tasks/resubscribe', { id: first?.response.result.taskId });
    await other.next();
    open.resolve();
    const [ones, others] = await Promise.all([all(one), all(other)]);
    expect(ones.at(-1)?.data).toBe(others.at(-1)?.data);
    expect(ones.at(-1)?.event).toBe('completion');
  });

  it('brings 10,000 chunks without writing all of them again for each', async () => {
    const long = agentOf(async function* () {
      for (let chunk = 0; chunk < 10_000; chunk += 1) yield `chunk ${chunk}, `;
    });
    const { peer } = await serveJaf(long);
    let bytes = 0;
    let partials = 0;
    let last = '';
    for await (const { data, event } of peer.frames('message/stream', sending('go'))) {
      bytes += data.length;
      if (event === 'partial-completion') partials += 1;
      last = data;
    }
    const whole = JSON.parse(last).result.message.parts;
    expect(whole).toHaveLength(1);
    expect(whole[0].text.endsWith('chunk 9999, ')).toBe(true);
    expect(partials).toBeGreaterThan(0);
    // What is ready at once is one frame: far fewer than there are chunks.
    expect(partials).toBeLessThan(1000);
    expect(bytes).toBeLessThan(1000 * last.length);
  });
});
