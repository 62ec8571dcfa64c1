import { fail } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { type RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { readSse } from '../../support/sse.ts';

const FORM_A = { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'go' }] } };
const FORM_B = { message: { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'go' }] } };
const FORM_B_SNAKE = { message: { message_id: 'm', role: 'ROLE_USER', content: [{ text: 'go' }] } };

function post(peer: RpcPeer, path: string, body?: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return peer.raw(path, { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

async function events(response: Response): Promise<Wire[]> {
  if (!response.body) throw new Error('A stream was expected');
  const all: Wire[] = [];
  for await (const event of readSse(response.body)) all.push(JSON.parse(event.data));
  return all;
}

/** `TaskNotFoundError` -> `TASK_NOT_FOUND`. */
const reasonOf = (type: string) =>
  type
    .replace(/Error$/, '')
    .replaceAll(/(?<=.)(?=[A-Z])/g, '_')
    .toUpperCase();

const twoChunks = () =>
  agentOf(async function* () {
    yield 'one ';
    yield 'two';
  });

describe('REST of 0.3 below /v1', () => {
  it.each([
    ['A', FORM_A, { kind: 'task', state: 'completed', history: { kind: 'message', role: 'user' } }],
    ['B', FORM_B, { kind: undefined, state: 'TASK_STATE_COMPLETED', history: { role: 'ROLE_USER', content: [{}] } }],
    ['B in snake case', FORM_B_SNAKE, { kind: undefined, state: 'TASK_STATE_COMPLETED', history: { messageId: 'm' } }],
  ])('answers in the form of the request, wrapped: %s [rule:v03.rest-routes] [rule:v03.rest-forms] [rule:v03.rest-wrapped]', async (_, body, shape) => {
    const { peer } = startServer(twoChunks());
    const response = await post(peer, '/a2a/v1/message:send', body);
    expect(response.status).toBe(200);
    const sent: Wire = await response.json();
    expect(Object.keys(sent)).toEqual(['task']);
    expect(sent.task.kind).toBe(shape.kind);
    expect(sent.task.status.state).toBe(shape.state);
    expect(sent.task.history[0]).toMatchObject(shape.history);
    const streamed = await events(await post(peer, '/a2a/v1/message:stream', body));
    expect(streamed.map((event) => Object.keys(event)[0])).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    expect(streamed.at(-1)?.statusUpdate).toMatchObject({ status: { state: shape.state }, final: true });
  });

  it('answers a GET in ProtoJSON, cancels without a body and spells CANCELLED with two Ls [rule:v03.rest-forms] [rule:v03.rest-cancelled] [rule:v03.rest-routes]', async () => {
    const { peer } = startServer(agentOf(() => gate().promise));
    const started: Wire = await (
      await post(peer, '/a2a/v1/message:send', { ...FORM_A, configuration: { blocking: false } })
    ).json();
    const { id } = started.task;
    const got: Wire = await (await peer.raw(`/a2a/v1/tasks/${id}?historyLength=1`)).json();
    expect(got).toMatchObject({ id, history: [{ role: 'ROLE_USER', content: [{ text: 'go' }] }] });
    const watching = await peer.raw(`/a2a/v1/tasks/${id}:subscribe`);
    const canceled = await post(peer, `/a2a/v1/tasks/${id}:cancel`);
    expect(canceled.status).toBe(200);
    expect(await canceled.json()).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELLED' } });
    expect((await events(watching)).at(-1)?.statusUpdate.status.state).toBe('TASK_STATE_CANCELLED');
  });

  it('waits where blocking is absent, but for ProtoJSON with a configuration [rule:v03.blocking-absent-forms]', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'begun';
        await go.promise;
      }),
    );
    const waiting = [FORM_A, FORM_B, { ...FORM_A, configuration: {} }].map((body) =>
      post(peer, '/a2a/v1/message:send', body),
    );
    const early = await Promise.race([...waiting, new Promise((resolve) => setTimeout(resolve, 100, 'none yet'))]);
    expect(early).toBe('none yet');
    const atOnce = await post(peer, '/a2a/v1/message:send', { ...FORM_B, configuration: {} });
    expect(((await atOnce.json()) as Wire).task.status.state).not.toBe('TASK_STATE_COMPLETED');
    go.resolve();
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(200);
  });

  it('has errors that all peers read, and a fitting status [rule:v03.rest-errors-union]', async () => {
    const { peer } = startServer(twoChunks(), { push: false });
    const sent: Wire = await (await post(peer, '/a2a/v1/message:send', FORM_A)).json();
    const push = `/a2a/v1/tasks/${sent.task.id}/pushNotificationConfigs`;
    const accept = { accept: 'text/event-stream' };
    for (const [response, http, code, type, status] of [
      [await peer.raw('/a2a/v1/tasks/none'), 404, -32001, 'TaskNotFoundError', 'NOT_FOUND'],
      [
        await post(peer, `/a2a/v1/tasks/${sent.task.id}:cancel`),
        400,
        -32002,
        'TaskNotCancelableError',
        'FAILED_PRECONDITION',
      ],
      [
        await post(peer, '/a2a/v1/message:send', { message: {} }),
        400,
        -32602,
        'InvalidParamsError',
        'INVALID_ARGUMENT',
      ],
      [await peer.raw(push), 400, -32003, 'PushNotificationNotSupportedError', 'FAILED_PRECONDITION'],
      [await peer.raw('/a2a/v1/nope'), 404, -32601, 'MethodNotFoundError', 'UNIMPLEMENTED'],
      [
        await peer.raw('/a2a/v1/tasks/none:subscribe', { headers: accept }),
        404,
        -32001,
        'TaskNotFoundError',
        'NOT_FOUND',
      ],
    ] as const) {
      expect(response.status).toBe(http);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      const body: Wire = await response.json();
      expect(body).toEqual({
        error: { code: http, status, message: body.message, details: expect.any(Array) },
        type,
        code,
        message: expect.any(String),
      });
      expect(body.error.details.at(-1)).toMatchObject({ reason: reasonOf(type), domain: 'a2a-protocol.org' });
    }
  });

  it('serves the card route at the root of the host too [rule:v03.rest-card-root]', async () => {
    const { peer } = startServer(agentOf(() => 'x', { extendedCard: { description: 'More' } }));
    for (const path of ['/v1/card', '/a2a/v1/card']) expect((await peer.raw(path)).status, path).toBe(401);
  });
});

describe('the routes of S0 at the root of the host', () => {
  it('stream bare objects with kind (S0.12)', async () => {
    const { peer } = startServer(twoChunks());
    const streamed = await events(await post(peer, '/v1/message:stream', FORM_A));
    for (const event of streamed) expect(Object.keys(event)[0]).toBe('kind');
    expect(streamed.map((event) => event.kind)).toEqual([
      'task',
      'status-update',
      'artifact-update',
      'artifact-update',
      'status-update',
    ]);
    expect(streamed[0]).toMatchObject({ status: { state: 'submitted' }, history: [{ messageId: 'm' }] });
    expect(streamed.at(-1)).toMatchObject({ status: { state: 'completed' }, final: true });
  });

  it('have errors where the document’s client looks for them (S0.12)', async () => {
    const { peer } = startServer(twoChunks());
    const refused = await post(peer, '/v1/message:send', {});
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: -32602, message: expect.any(String) } });
    const broken = await peer.raw('/v1/message:stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(await broken.json()).toMatchObject({ error: { code: -32700 } });
  });

  it('are HTTP 500 for an agent that throws, with the task and without the inner text (S0.12)', async () => {
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'half ';
        throw new Error('secret inner text');
      }),
    );
    const refused = await post(peer, '/v1/message:send', FORM_A);
    expect(refused.status).toBe(500);
    const { error }: Wire = await refused.json();
    expect(error).toEqual({
      code: 500,
      message: expect.stringMatching(/^The agent failed\. Reference: /),
      data: { taskId: expect.any(String) },
    });
    const kept: Wire = await (await peer.raw(`/v1/tasks/${error.data.taskId}`)).json();
    expect(kept).toMatchObject({
      kind: 'task',
      status: { state: 'failed' },
      artifacts: [{ parts: [{ text: 'half ' }] }],
    });

    const streamed = await events(await post(peer, '/v1/message:stream', FORM_A));
    expect(streamed.map((event) => event.kind)).toEqual(['task', 'status-update', 'artifact-update', undefined]);
    expect(streamed.at(-1)).toEqual({
      error: { code: 500, message: expect.stringContaining('The agent failed.'), data: { taskId: streamed[0].id } },
    });
    expect(JSON.stringify([error, streamed])).not.toContain('secret');

    const elsewhere: Wire = await (await post(peer, '/a2a/v1/message:send', FORM_A)).json();
    expect(elsewhere.task.status.state).toMatch(/failed/i);
  });

  it('keep the tasks that fail or are rejected in the agent’s own words (S0.12)', async () => {
    const { peer } = startServer(agentOf(() => fail('No luck today')));
    const answer = await post(peer, '/v1/message:send', FORM_A);
    expect([answer.status, ((await answer.json()) as Wire).status.state]).toEqual([200, 'failed']);
  });

  it('answer a send with the bare task (S0.12)', async () => {
    const { peer } = startServer(twoChunks());
    const sent: Wire = await (await post(peer, '/v1/message:send', FORM_A)).json();
    expect(Object.keys(sent)[0]).toBe('kind');
    expect(sent).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ text: 'one two' }] }],
    });
  });
});
