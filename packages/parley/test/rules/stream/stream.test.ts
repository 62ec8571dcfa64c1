import { authRequired, inputRequired, reply } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { agentOfStates, TERMINAL, taskIn } from '../../support/agents/states.ts';
import {
  brings,
  kindOf,
  payloadsOf,
  shows,
  stateOf,
  statesOf,
  textOfStream,
  textOfTask,
} from '../../support/frames.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';

const ACCEPTING_JSON = [
  undefined,
  '*/*',
  'application/json',
  'text/event-stream, application/json',
  'application/*;q=0.1, text/event-stream',
];
const ACCEPTING_STREAMS = ['text/event-stream', 'Text/Event-Stream; q=0.9', 'text/event-stream, application/json;q=0'];
const STREAM_TYPE = 'text/event-stream; charset=utf-8';

const KINDS = ['task', 'message', 'statusUpdate', 'artifactUpdate'];

/** Names of all members in a JSON value, at any depth. */
function memberNames(value: Wire): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(memberNames);
  return Object.entries(value).flatMap(([name, member]) => [name, ...memberNames(member)]);
}

/** An agent that shows every kind of event, in two artifacts and three statuses. */
function busyAgent() {
  return agentOf(async function* (task) {
    await task.status('reading');
    yield 'one ';
    yield 'two ';
    const table = task.artifact({ name: 'table' });
    await table.write('a,b');
    await task.status('writing');
    yield 'three';
    await table.end('c,d');
  });
}

describe('a stream of a task', () => {
  it('begins with the task and then has only updates [rule:stream.first-frame-task]', async () => {
    const { peer } = startServer(busyAgent());
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(kindOf(frames[0])).toBe('task');
    expect(frames.slice(1).map(kindOf)).not.toContain('task');
    expect(frames.slice(1).map(kindOf)).not.toContain('message');
  });

  it('has one payload in each event, and neither final nor kind [rule:stream.one-payload]', async () => {
    const { peer } = startServer(busyAgent());
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(frames.length).toBeGreaterThan(8);
    for (const { result } of frames) {
      expect(Object.keys(result)).toHaveLength(1);
      expect(KINDS).toContain(Object.keys(result)[0]);
      expect(memberNames(result)).not.toContain('final');
      expect(memberNames(result)).not.toContain('kind');
    }
  });

  it('names the task and its context in each update [rule:stream.update-ids]', async () => {
    const { peer } = startServer(busyAgent());
    const frames = await peer.stream('SendStreamingMessage', sendParams('go', { contextId: 'talk' }));
    const { id } = frames[0]?.result.task ?? {};
    expect(id).toBeTypeOf('string');
    for (const { result } of frames.slice(1)) {
      expect(result.statusUpdate ?? result.artifactUpdate).toMatchObject({ taskId: id, contextId: 'talk' });
    }
  });

  it('is a full JSON-RPC response in each frame, with the id of the request', async () => {
    const { peer } = startServer(busyAgent());
    const request = { jsonrpc: '2.0', id: 'call-7', method: 'SendStreamingMessage', params: sendParams('go') };
    const response = await peer.post(JSON.stringify(request), { 'a2a-version': '1.0' });
    const data = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
    expect(data.length).toBeGreaterThan(8);
    for (const line of data) {
      const frame = JSON.parse(line.slice('data: '.length));
      expect(Object.keys(frame)).toEqual(['jsonrpc', 'id', 'result']);
      expect(frame).toMatchObject({ jsonrpc: '2.0', id: 'call-7' });
    }
  });

  it('has the events in the order in which they were made [rule:stream.order]', async () => {
    const pieces = Array.from({ length: 500 }, (_, index) => `${index} `);
    const { peer } = startServer(
      agentOf(async function* (task) {
        for (const piece of pieces) {
          if (piece === '100 ') await task.status('at 100');
          if (piece === '300 ') await new Promise((resolve) => setImmediate(resolve));
          yield piece;
        }
      }),
    );
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(textOfStream(frames)).toBe(pieces.join(''));
    const place = (fits: (frame: Wire) => boolean) => frames.findIndex(fits);
    const said = place((frame) => frame.result.statusUpdate?.status.message !== undefined);
    expect(place(brings('99 '))).toBe(said - 1);
    expect(place(brings('100 '))).toBe(said + 1);
  });

  it('never goes back to SUBMITTED [rule:stream.order]', async () => {
    const { peer } = startServer(
      agentOf(async (task) => {
        await task.status('one');
        const answer = await task.ask('two?');
        await task.status(answer);
        return inputRequired('four?');
      }),
    );
    const { id } = await peer.send('go');
    const stream = await peer.open('SubscribeToTask', { id }, { 'last-event-id': '0' });
    await peer.send('three', { taskId: id });
    const states = statesOf(await stream.until((frame) => JSON.stringify(frame).includes('four?')));
    expect(states).toEqual([
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
    ]);
    await stream.close();
  });
});

it('is exactly one message, and then the end, for a direct reply [rule:stream.message-only]', async () => {
  const { peer, server } = startServer(agentOf(() => reply('Hi')));
  const frames = await peer.stream('SendStreamingMessage', sendParams('hello'));
  expect(payloadsOf(frames)).toEqual([
    {
      message: {
        messageId: expect.any(String),
        role: 'ROLE_AGENT',
        parts: [{ text: 'Hi' }],
        contextId: expect.any(String),
      },
    },
  ]);
  expect((await peer.call('ListTasks', {})).totalSize).toBe(0);
  expect(server.load.subscriptions).toBe(0);
});

describe('a stream closes', () => {
  for (const state of TERMINAL.filter((candidate) => candidate !== 'TASK_STATE_CANCELED')) {
    it(`with ${state} as the last status of a sent stream [rule:stream.ends-terminal]`, async () => {
      const { peer, server } = startServer(agentOfStates());
      const frames = await peer.stream('SendStreamingMessage', sendParams(state));
      expect(stateOf(frames.at(-1))).toBe(state);
      expect(statesOf(frames).filter((shown) => (TERMINAL as readonly string[]).includes(shown))).toEqual([state]);
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }

  for (const state of TERMINAL) {
    it(`with ${state} as the last status of a subscribed stream [rule:stream.ends-terminal]`, async () => {
      const go = gate();
      const agent = agentOfStates();
      const { peer } = startServer({
        ...agent,
        run: async (task) => {
          await go.promise;
          return agent.run(task) as never;
        },
      });
      const { id } = await peer.send(state, {}, { returnImmediately: true });
      const stream = await peer.open('SubscribeToTask', { id });
      await stream.next();
      go.resolve();
      if (state === 'TASK_STATE_CANCELED') await peer.call('CancelTask', { id });
      expect(stateOf((await stream.rest()).at(-1))).toBe(state);
    });
  }

  it('after a question, when it was sent [rule:stream.input-required-closes]', async () => {
    const { peer, server } = startServer(agentOf(() => inputRequired('Which one?')));
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(stateOf(frames.at(-1))).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(frames.at(-1)?.result.statusUpdate.status.message.parts).toEqual([{ text: 'Which one?' }]);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('after a question of a run that waits for the answer [rule:stream.input-required-closes]', async () => {
    const { peer, server } = startServer(agentOf(async (task) => task.ask('Which one?')));
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(stateOf(frames.at(-1))).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(server.load.subscriptions).toBe(0);
    const { id } = frames[0]?.result.task ?? {};
    const more = await peer.stream('SendStreamingMessage', sendParams('this', { taskId: id }));
    expect(kindOf(more[0])).toBe('task');
    expect(stateOf(more.at(-1))).toBe('TASK_STATE_COMPLETED');
    expect(textOfTask(await peer.call('GetTask', { id }))).toBe('this');
  });
});

it('stays open while the task waits for an authorization [rule:stream.auth-required-open]', async () => {
  const { peer } = startServer(agentOf((task) => (task.text === 'go' ? authRequired('Log in') : `hello ${task.text}`)));
  const stream = await peer.open('SendStreamingMessage', sendParams('go'));
  const frames = await stream.until(shows('TASK_STATE_AUTH_REQUIRED'));
  const { id } = frames[0]?.result.task ?? {};
  const further = stream.rest();
  await peer.send('Ann', { taskId: id });
  expect(textOfStream(await further)).toBe('hello Ann');
  expect(statesOf(await further)).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
});

describe('streaming that the card does not declare', () => {
  it('is refused for both operations [rule:stream.capability-off]', async () => {
    const { peer } = startServer(agentOf((task) => hang(task), { streaming: false }));
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    for (const [operation, params] of [
      ['SendStreamingMessage', sendParams('go')],
      ['SubscribeToTask', { id }],
      ['SubscribeToTask', { id: 'unknown' }],
    ] as const) {
      const response = await peer.request(operation, params);
      expect(response.headers.get('content-type')).toBe('application/json');
      const { error }: Wire = await response.json();
      expect(error.code).toBe(-32004);
      expect(error.data[0]).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', domain: 'a2a-protocol.org' });
    }
    expect((await peer.call('ListTasks', {})).totalSize).toBe(1);
    const card: Wire = await (await peer.raw('/.well-known/agent-card.json')).json();
    expect(card.capabilities.streaming ?? false).toBe(false);
  });
});

describe('what a stream cannot begin with [rule:stream.error-before-accept]', () => {
  const cases: Readonly<Record<string, (id: string) => readonly [string, Wire, number]>> = {
    'a send without a message': () => ['SendStreamingMessage', {}, -32602],
    'a send to an unknown task': () => ['SendStreamingMessage', sendParams('a', { taskId: 'unknown' }), -32001],
    'a send to a finished task': (taskId) => ['SendStreamingMessage', sendParams('a', { taskId }), -32004],
    'a send in another context': (taskId) => [
      'SendStreamingMessage',
      sendParams('a', { taskId, contextId: 'other' }),
      -32602,
    ],
    'an unknown media type': () => [
      'SendStreamingMessage',
      sendParams('', { parts: [{ raw: '', mediaType: 'a/b' }] }),
      -32005,
    ],
    'a subscription to an unknown task': () => ['SubscribeToTask', { id: 'unknown' }, -32001],
    'a subscription to a finished task': (id) => ['SubscribeToTask', { id }, -32004],
    'a subscription without an id': () => ['SubscribeToTask', {}, -32602],
  };
  for (const [name, of] of Object.entries(cases)) {
    it(`is a plain error where JSON is accepted: ${name}`, async () => {
      const { peer, server } = startServer(agentOfStates());
      const [operation, params, code] = of(await taskIn(peer, 'TASK_STATE_COMPLETED'));
      for (const accept of ACCEPTING_JSON) {
        const response = await peer.request(operation, params, accept === undefined ? {} : { accept });
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type'), accept).toBe('application/json');
        expect(await response.json()).toMatchObject({ error: { code } });
      }
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });

    it(`is the only event of a stream where only that is accepted: ${name}`, async () => {
      const { peer, server } = startServer(agentOfStates());
      const [operation, params, code] = of(await taskIn(peer, 'TASK_STATE_COMPLETED'));
      for (const accept of ACCEPTING_STREAMS) {
        const stream = await peer.open(operation, params, { accept });
        expect(stream.response.status).toBe(200);
        const [only, ...more] = await stream.rest();
        expect(more).toEqual([]);
        expect(only).toMatchObject({ id: undefined, event: undefined });
        expect(only?.response).toEqual({
          jsonrpc: '2.0',
          id: expect.any(Number),
          error: expect.objectContaining({ code, message: expect.any(String) }),
        });
      }
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    });
  }

  it('follows Accept where no operation could be found', async () => {
    const { peer } = startServer(agentOfStates());
    for (const [body, id, code] of [
      ['{', null, -32700],
      ['[]', null, -32600],
      ['{"jsonrpc":"2.0","id":7,"method":"Nonsense"}', 7, -32601],
    ] as const) {
      const headers = { 'a2a-version': '1.0' };
      const plain = await peer.post(body, headers);
      expect(await plain.json()).toMatchObject({ id, error: { code } });
      const response = await peer.post(body, { ...headers, accept: 'text/event-stream' });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, STREAM_TYPE]);
      expect(JSON.parse((await response.text()).slice('data: '.length))).toMatchObject({ id, error: { code } });
    }
  });

  it('is JSON for what does not stream, and in a batch, whatever is accepted', async () => {
    const { peer } = startServer(agentOfStates(), { jsonRpcBatches: true });
    const accept = { accept: 'text/event-stream' };
    const response = await peer.request('GetTask', { id: 'unknown' }, accept);
    expect(await response.json()).toMatchObject({ error: { code: -32001 } });
    const item = { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: 'unknown' } };
    const batch = await peer.post(JSON.stringify([item, { ...item, method: 'Nonsense' }]), {
      'a2a-version': '1.0',
      ...accept,
    });
    expect(await batch.json()).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32601 } }]);
  });
});
