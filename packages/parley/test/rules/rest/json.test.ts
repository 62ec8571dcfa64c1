import { bytes, json, link, text } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { eventually } from '../../support/eventually.ts';
import { textOfTask } from '../../support/frames.ts';
import { reasonOf, startRest } from '../../support/rest.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';

/** Every kind of part, with all that may stand beside it. */
const PARTS = [
  { text: '' },
  { text: 'grüße', mediaType: 'text/plain', metadata: { a: [1, null, { b: 'c' }] } },
  { raw: 'aGk=', mediaType: 'application/json', filename: 'hi.bin' },
  { url: 'https://files.example/a', filename: 'a' },
  { data: null },
  { data: { nested: [1, 'two', false] }, metadata: {} },
];

describe('the JSON of a request', () => {
  it('may be in snake_case, have nulls and members that nobody knows [rule:json.snake-in] [rule:json.null-unset] [rule:json.unknown-ignored]', async () => {
    const { rest } = startRest(agentOf((task) => hang(task)));
    const message = {
      message_id: 'm-1',
      messageId: null,
      context_id: 'c-1',
      role: 'ROLE_USER',
      parts: [{ text: 'go', media_type: 'text/plain', raw: null, unknown: 1 }],
      reference_task_ids: ['r-1'],
      metadata: null,
      kind: 'message',
    };
    const configuration = { return_immediately: true, history_length: 5, historyLength: null, blocking: true };
    const { task } = await rest.call('POST', '/message:send', { message, configuration, tenant: null, extra: {} });
    expect(task.contextId).toBe('c-1');
    expect(task.history).toEqual([
      {
        messageId: 'm-1',
        contextId: 'c-1',
        taskId: task.id,
        role: 'ROLE_USER',
        parts: [{ text: 'go', mediaType: 'text/plain' }],
        referenceTaskIds: ['r-1'],
      },
    ]);
  });

  it('may have numbers for enums, but no names of another version [rule:json.enums-in]', async () => {
    const { rest } = startRest(agentOf((task) => task.text));
    expect((await rest.send('hello', { role: 1 })).status.state).toBe('TASK_STATE_COMPLETED');
    for (const role of ['user', 'ROLE_USERS', 3, 0, true]) {
      expect((await rest.error('POST', '/message:send', sendParams('hello', { role }))).status).toBe(400);
    }
  });

  it('has every kind of part [rule:parts.values] [rule:parts.attributes] [rule:json.metadata]', async () => {
    const { rest } = startRest(agentOf((task) => task.parts));
    const metadata = { a: [1, null, { b: 'c' }], 'x.y': '' };
    const task = await rest.send('', { parts: PARTS, metadata });
    expect(task.history[0]).toMatchObject({ parts: PARTS, metadata });
    expect(task.artifacts[0].parts).toEqual(PARTS);
    expect(await rest.call('GET', `/tasks/${task.id}`)).toEqual(task);
  });
});

describe('the JSON of an answer', () => {
  it('passes the closed schema: camelCase, full names, UTC times [rule:json.nothing-extra] [rule:json.camel] [rule:json.enums] [rule:json.timestamps] [rule:send.wrapped]', async () => {
    const { rest } = startRest(
      agentOf(async function* (task) {
        await task.status('Half way');
        yield [text('a'), bytes(new Uint8Array([1, 2]), { mediaType: 'image/png', filename: 'a.png' })];
        yield link('https://files.example/a');
        yield json({ snake_case: null });
      }),
    );
    const sent = await rest.call('POST', '/message:send', sendParams('go'));
    expect(Object.keys(sent)).toEqual(['task']);
    expect(violationsOfV1('SendMessageResponse', sent)).toEqual([]);
    const page = await rest.call('GET', '/tasks?includeArtifacts=true');
    expect(violationsOfV1('ListTasksResponse', page)).toEqual([]);
    expect(page.tasks).toEqual([sent.task]);
    for (const { result } of await rest.stream('POST', '/message:stream', sendParams('go'))) {
      expect(violationsOfV1('StreamResponse', result)).toEqual([]);
    }
    expect(sent.task.status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    });
    expect(sent.task.history[0].role).toBe('ROLE_USER');
  });

  it('has what must be there even when it is empty [rule:json.presence] [rule:list.next-token] [rule:list.sizes]', async () => {
    const { rest } = startRest(agentOf((task) => task.text));
    expect(await rest.call('GET', '/tasks')).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
  });
});

describe('operations over HTTP+JSON', () => {
  it('wait for the end, unless told otherwise [rule:send.blocking-default] [rule:send.return-immediately]', async () => {
    const go = gate();
    const { rest } = startRest(
      agentOf(async function* () {
        await go.promise;
        yield 'done';
      }),
    );
    const atOnce = await rest.send('go', {}, { returnImmediately: true });
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(atOnce.status.state);
    const blocked = rest.send('go', {}, { returnImmediately: false });
    go.resolve();
    const task = await blocked;
    expect([task.status.state, textOfTask(task)]).toEqual(['TASK_STATE_COMPLETED', 'done']);
    await eventually(async () => (await rest.call('GET', `/tasks/${atOnce.id}`)).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
  });

  it('get a task as it is, without a wrapper [rule:get.bare] [rule:get.unknown]', async () => {
    const { rest } = startRest(agentOf((task) => task.text));
    const sent = await rest.send('hello');
    const task = await rest.call('GET', `/tasks/${sent.id}`);
    expect(task).toEqual(sent);
    const { status, error } = await rest.error('GET', '/tasks/unknown');
    expect([status, reasonOf(error)]).toEqual([404, 'TASK_NOT_FOUND']);
  });

  it('cancel what is not over, once [rule:cancel.returns] [rule:cancel.terminal] [rule:cancel.unknown]', async () => {
    const { rest } = startRest(agentOf((task) => hang(task)));
    const { id } = await rest.send('go', {}, { returnImmediately: true });
    const canceled: Wire = await rest.call('POST', `/tasks/${id}:cancel`);
    expect([canceled.id, canceled.status.state]).toEqual([id, 'TASK_STATE_CANCELED']);
    const again = await rest.error('POST', `/tasks/${id}:cancel`);
    expect([again.status, reasonOf(again.error)]).toEqual([400, 'TASK_NOT_CANCELABLE']);
    const unknown = await rest.error('POST', '/tasks/unknown:cancel');
    expect([unknown.status, reasonOf(unknown.error)]).toEqual([404, 'TASK_NOT_FOUND']);
  });

  it('refuse messages that no task can take [rule:send.terminal-task] [rule:send.unknown-task] [rule:send.media-type]', async () => {
    const { rest } = startRest(agentOf((task) => task.text));
    const { id } = await rest.send('hello');
    for (const route of ['/message:send', '/message:stream']) {
      const reasonFor = async (message: Wire) =>
        reasonOf((await rest.error('POST', route, sendParams('more', message))).error);
      expect(await reasonFor({ taskId: id })).toBe('UNSUPPORTED_OPERATION');
      expect(await reasonFor({ taskId: 'unknown' })).toBe('TASK_NOT_FOUND');
      expect(await reasonFor({ parts: [{ raw: 'aGk=', mediaType: 'image/png' }] })).toBe('CONTENT_TYPE_NOT_SUPPORTED');
    }
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(1);
  });
});
