import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { textOfTask } from '../support/frames.ts';
import { callTool, type Move, openaiServer, type Reply } from '../support/openai/openai-server.ts';
import { startServer } from '../support/rpc.ts';
import { API_KEY, agentOn, host, saidBy } from './host.ts';

const ATTEMPTS = 3;
/** The provider's own words, with what must stay with the operator. */
const WORDS = `Project p-77 of ${API_KEY} at 10.0.0.7`;

const refusal = (status: number, code = 'some_code', headers = {}): Reply => ({
  status,
  error: { message: WORDS, code },
  headers,
});
const wrongType = (type: string, body: string): Reply => ({ status: 200, headers: { 'content-type': type }, body });
const errorInStream = (type: string): Move => ({
  raw: `data: ${JSON.stringify({ error: { message: WORDS, type, code: type } })}\n\n`,
});

/** Says something and is never heard of again; each request has its own. */
const neverEnding = (move: Move): Reply => ({
  async *[Symbol.asyncIterator]() {
    yield move;
    await new Promise(() => {});
  },
});

/** Each failure, how often it is tried, and what the caller reads. */
const FAILURES: Readonly<Record<string, readonly [reply: Reply, attempts: number, said: RegExp]>> = {
  'a key that is refused': [refusal(401, 'invalid_api_key'), 1, /credentials/],
  'a key without permission': [refusal(403), 1, /credentials/],
  'an unknown model': [refusal(404, 'model_not_found'), 1, /does not have the model/],
  'a request that is refused': [refusal(400), 1, /refused the request/],
  'a request that cannot be processed': [refusal(422), 1, /refused the request/],
  'a conversation that is too long': [refusal(400, 'context_length_exceeded'), 1, /too long/],
  'a request that is too large': [refusal(413), 1, /too long/],
  'a rate limit': [refusal(429, 'rate_limit_exceeded'), ATTEMPTS, /rate limited/],
  'a server that fails': [refusal(500), ATTEMPTS, /failing/],
  'a gateway that fails': [
    { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>502</h1>' },
    ATTEMPTS,
    /failing/,
  ],
  'a server without room': [refusal(503), ATTEMPTS, /overloaded/],
  'a gateway that waited too long': [refusal(504), ATTEMPTS, /in time/],
  'an overloaded server': [refusal(529), ATTEMPTS, /overloaded/],
  'an error inside of the stream': [['a', errorInStream('server_error')], ATTEMPTS, /overloaded or failing/],
  'an error inside of a stream that stays open': [neverEnding(errorInStream('server_error')), ATTEMPTS, /failing/],
  'a rate limit inside of the stream': [[errorInStream('rate_limit_exceeded')], ATTEMPTS, /rate limited/],
  'a frame that is no JSON': [['a', { raw: 'data: {"choices": [\n\n' }, 'b'], 1, /failed/],
  'a page instead of a stream': [wrongType('text/html', `<html>${WORDS}</html>`), ATTEMPTS, /cut off/],
  'JSON instead of a stream': [
    wrongType('application/json', JSON.stringify({ error: { message: WORDS } })),
    ATTEMPTS,
    /cut off/,
  ],
  'an empty body': [wrongType('text/event-stream', ''), ATTEMPTS, /cut off/],
};

it.each(Object.entries(FAILURES))('%s fails the task in words for the caller (S0.17)', async (_, [
  reply,
  attempts,
  said,
]) => {
  const { model, peer, logged } = await host(() => reply, { limits: { attempts: ATTEMPTS } });
  const frames = await peer.stream('SendStreamingMessage', {
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] },
  });
  const id = frames[0]?.result.task.id;
  const task = await peer.call('GetTask', { id });
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(saidBy(task)).toMatch(said);
  expect(model.requests).toHaveLength(attempts);
  // Nothing of the provider's own words is for callers; the operator has them.
  expect(JSON.stringify([frames.map(({ response }) => response), task])).not.toMatch(/p-77|10\.0\.0\.7|sk-not/);
  expect(logged).not.toEqual([]);
});

it('a provider that fails and recovers is asked again, and the answer is whole (S0.17)', async () => {
  const replies = [refusal(429), refusal(500), ['Hel', errorInStream('server_error')], ['Hello', ' there']];
  const { model, peer } = await host(replies);
  const task = await peer.send('Hi');
  expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'Hello there']);
  expect(model.requests).toHaveLength(4);
  expect(new Set(model.requests.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});

it('each model call of a loop has attempts of its own (S0.17)', async () => {
  const tools = callTool('nothing', {});
  const replies = [refusal(500), refusal(500), tools, refusal(500), refusal(500), ['Done']];
  const { model, peer } = await host(replies, { limits: { attempts: ATTEMPTS } });
  const task = await peer.send('Hi');
  expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'Done']);
  expect(model.requests).toHaveLength(6);
});

it('waits as long as the provider says, up to a bound (S0.17)', async () => {
  const times: number[] = [];
  const waits = [
    { 'retry-after-ms': '40' },
    { 'retry-after': '3600' },
    { 'retry-after': new Date(0).toUTCString() },
    {},
  ];
  const { peer } = await host(
    ({ number }) => {
      times.push(performance.now());
      return waits[number - 1] ? refusal(429, 'rate_limit_exceeded', waits[number - 1]) : ['Hello'];
    },
    { limits: { attempts: 5, longestDelay: 60 } },
  );
  const task = await peer.send('Hi');
  expect(textOfTask(task)).toBe('Hello');
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  // A timer may be a millisecond early. How late it is says nothing: an hour would be later than the test's end.
  expect(gaps[0]).toBeGreaterThanOrEqual(38);
  expect(gaps[1]).toBeGreaterThanOrEqual(58);
});

it('a provider that is not there, or closes each connection, ends as unreachable (S0.17)', async () => {
  const gone = await openaiServer([]);
  await gone.close();
  const { peer } = startServer(agentOn(gone.url, { limits: { attempts: ATTEMPTS } }));
  const task = await peer.send('Hi');
  expect([task.status.state, saidBy(task)]).toEqual(['TASK_STATE_FAILED', expect.stringMatching(/cannot be reached/)]);
  let connections = 0;
  const rude = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.once('data', () => socket.resetAndDestroy());
  });
  await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
  const address = rude.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const second = startServer(agentOn(`http://127.0.0.1:${port}/v1`, { limits: { attempts: ATTEMPTS } }));
  const reset = await second.peer.send('Hi');
  rude.close();
  expect(saidBy(reset)).toMatch(/cannot be reached/);
  expect(connections).toBeGreaterThanOrEqual(ATTEMPTS);
});
