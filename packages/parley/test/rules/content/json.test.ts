import { bytes, inputRequired, json, link, reply, text } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const echo = () => agentOf((task) => task.text);

/** An agent with a turn that uses everything an answer can hold. */
function busy() {
  return agentOf(async function* (task) {
    await task.status(
      { parts: [text('Looking'), json({ step: 1 })], metadata: { n: 1 } },
      { metadata: { at: 'start' } },
    );
    if (task.text === 'ask') return inputRequired('Which one?');
    yield 'streamed ';
    yield 'text';
    const file = task.artifact({ name: 'report.csv', description: 'Figures', metadata: { rows: 2 } });
    await file.write(bytes('a,b\n1,2\n', { mediaType: 'text/csv', filename: 'report.csv' }));
    await file.end(link('https://example.com/r.pdf', { metadata: { pages: 3 } }));
    return undefined;
  });
}

/** Every name of every member in a JSON value, `metadata` and `data` passed over. */
function memberNames(value: Wire, names = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) memberNames(item, names);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      names.add(name);
      if (name !== 'metadata' && name !== 'data') memberNames(member, names);
    }
  }
  return names;
}

describe('what is written', () => {
  it('has nothing outside the schema, in every reply and every event [rule:json.nothing-extra]', async () => {
    const { peer } = startServer(busy());
    const check = (type: string, value: unknown) => expect(violationsOfV1(type, value), type).toEqual([]);

    const sent = await peer.call('SendMessage', sendParams('go', { metadata: { m: 1 }, referenceTaskIds: ['x'] }));
    check('SendMessageResponse', sent);
    const asked = await peer.call('SendMessage', sendParams('ask'));
    check('SendMessageResponse', asked);
    check('Task', await peer.call('GetTask', { id: sent.task.id }));
    check('ListTasksResponse', await peer.call('ListTasks'));
    check('ListTasksResponse', await peer.call('ListTasks', { includeArtifacts: true, historyLength: 1, pageSize: 1 }));
    const subscribed = await peer.open('SubscribeToTask', { id: asked.task.id });
    check('StreamResponse', (await subscribed.next())?.result);
    check('Task', await peer.call('CancelTask', { id: asked.task.id }));
    for (const { result } of await subscribed.rest()) check('StreamResponse', result);
    for (const question of ['go', 'ask']) {
      const frames = await peer.stream('SendStreamingMessage', sendParams(question));
      for (const { result } of frames) check('StreamResponse', result);
    }
  });

  it('has nothing outside the schema where the answer is a message [rule:json.nothing-extra]', async () => {
    const { peer } = startServer(agentOf(() => reply({ parts: [text('Hi')], metadata: { mood: 'good' } })));
    expect(violationsOfV1('SendMessageResponse', await peer.call('SendMessage', sendParams('hi')))).toEqual([]);
    const [frame] = await peer.stream('SendStreamingMessage', sendParams('hi'));
    expect(violationsOfV1('StreamResponse', frame?.result)).toEqual([]);
  });

  it('has camelCase names only [rule:json.camel]', async () => {
    const { peer } = startServer(busy());
    const replies = [
      await peer.call('SendMessage', sendParams('go')),
      await peer.call('SendMessage', sendParams('ask')),
      await peer.call('ListTasks', { includeArtifacts: true }),
      await (await peer.raw('/.well-known/agent-card.json')).json(),
      ...(await peer.stream('SendStreamingMessage', sendParams('go'))).map((frame) => frame.result),
    ];
    const names = memberNames(replies);
    expect(names).toContain('messageId');
    expect(names).toContain('lastChunk');
    for (const name of names) expect(name).toMatch(/^[a-z][a-zA-Z0-9]*$/);
  });

  it('has enums as full names [rule:json.enums]', async () => {
    const { peer } = startServer(busy());
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    expect(frames[0]?.result.task.status.state).toBe('TASK_STATE_SUBMITTED');
    expect(frames[0]?.result.task.history[0].role).toBe('ROLE_USER');
    expect(frames[1]?.result.statusUpdate.status.state).toBe('TASK_STATE_WORKING');
    expect(frames[1]?.result.statusUpdate.status.message.role).toBe('ROLE_AGENT');
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    const asked = await peer.send('ask');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await peer.call('CancelTask', { id: asked.id })).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('has timestamps in UTC with Z and milliseconds [rule:json.timestamps]', async () => {
    const before = Date.now();
    const { peer } = startServer(busy());
    const frames = await peer.stream('SendStreamingMessage', sendParams('go'));
    const statuses = frames.flatMap(({ result }) => result.task?.status ?? result.statusUpdate?.status ?? []);
    expect(statuses.length).toBeGreaterThanOrEqual(3);
    for (const { timestamp } of statuses) {
      expect(timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
      expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now());
    }
  });

  it('has REQUIRED and explicitly set members even where they hold the default [rule:json.presence]', async () => {
    const { peer } = startServer(agentOf(() => [text(''), json(null)], { streaming: false }));
    expect(await peer.call('ListTasks', { pageSize: 7 })).toEqual({
      tasks: [],
      nextPageToken: '',
      pageSize: 7,
      totalSize: 0,
    });
    const task = await peer.send('', {}, {});
    expect(task.history[0].parts).toEqual([{ text: '' }]);
    expect(task.artifacts[0].parts).toEqual([{ text: '' }, { data: null }]);
    const card: Wire = await (await peer.raw('/.well-known/agent-card.json')).json();
    expect(card.capabilities).toMatchObject({ streaming: false, pushNotifications: true, extendedAgentCard: false });
  });
});

describe('what is read', () => {
  it('may have snake_case names [rule:json.snake-in]', async () => {
    const { peer } = startServer(
      agentOf((task) =>
        json({ modes: [...task.acceptedOutputModes], references: [...(task.message.referenceTaskIds ?? [])] }),
      ),
    );
    const { task } = await peer.call('SendMessage', {
      message: {
        message_id: 'm-1',
        context_id: 'c-1',
        reference_task_ids: ['t-0'],
        role: 'ROLE_USER',
        parts: [{ text: 'x', media_type: 'text/plain' }],
      },
      configuration: { accepted_output_modes: ['text/plain'], history_length: 0, return_immediately: false },
    });
    expect(task.contextId).toBe('c-1');
    expect(task).not.toHaveProperty('history');
    expect(task.artifacts[0].parts).toEqual([{ data: { modes: ['text/plain'], references: ['t-0'] } }]);
    const got = await peer.call('GetTask', { id: task.id, history_length: 1 });
    expect(got.history).toEqual([
      expect.objectContaining({ messageId: 'm-1', parts: [{ text: 'x', mediaType: 'text/plain' }] }),
    ]);
    await peer.send('y', { context_id: 'c-1' });
    const page = await peer.call('ListTasks', {
      context_id: 'c-1',
      page_size: 1,
      include_artifacts: true,
      status_timestamp_after: '2020-01-01T00:00:00Z',
    });
    expect(page).toMatchObject({ pageSize: 1, totalSize: 2, tasks: [{ artifacts: [{}] }] });
    const next = await peer.call('ListTasks', {
      context_id: 'c-1',
      page_size: 1,
      page_token: page.nextPageToken,
      status_timestamp_after: '2020-01-01T00:00:00Z',
    });
    expect(next.tasks[0].id).toBe(task.id);
    const follow = sendParams('more', { task_id: task.id });
    expect((await peer.error('SendMessage', follow)).code).toBe(-32004);
  });

  it('may have numbers for enums, but no unknown names [rule:json.enums-in]', async () => {
    const { peer } = startServer(echo());
    expect((await peer.send('x', { role: 1 })).history[0].role).toBe('ROLE_USER');
    expect((await peer.call('ListTasks', { status: 3 })).totalSize).toBe(1);
    expect((await peer.call('ListTasks', { status: 4 })).totalSize).toBe(0);
    expect((await peer.call('ListTasks', { status: 0 })).totalSize).toBe(1);
    for (const role of ['user', 'role_user', 'ROLE_SYSTEM', 'ROLE_UNSPECIFIED', 0, 9, true]) {
      expect((await peer.error('SendMessage', sendParams('x', { role }))).code, String(role)).toBe(-32602);
    }
    for (const status of ['completed', 'TASK_STATE_DONE', 'task_state_completed', 9, -1, 3.5]) {
      expect((await peer.error('ListTasks', { status })).code, String(status)).toBe(-32602);
    }
  });

  it('may have unknown members anywhere, which do not come back [rule:json.unknown-ignored]', async () => {
    const { peer } = startServer(agentOf((task) => task.parts));
    const { task } = await peer.call('SendMessage', {
      kind: 'x',
      future: { a: 1 },
      message: {
        kind: 'message',
        messageId: 'm-1',
        role: 'ROLE_USER',
        final: true,
        parts: [{ kind: 'text', text: 'x', future: 1 }],
      },
      configuration: { blocking: false, future: [] },
    });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(violationsOfV1('Task', task)).toEqual([]);
    expect(task.artifacts[0].parts).toEqual([{ text: 'x' }]);
    expect((await peer.call('GetTask', { id: task.id, verbose: true })).id).toBe(task.id);
    expect((await peer.call('ListTasks', { sort: 'asc' })).totalSize).toBe(1);
  });

  it('takes null for unset, except in data [rule:json.null-unset]', async () => {
    const { peer } = startServer(agentOf((task) => task.parts));
    const { task } = await peer.call('SendMessage', {
      tenant: null,
      metadata: null,
      configuration: { historyLength: null, returnImmediately: null, taskPushNotificationConfig: null },
      message: {
        messageId: 'm-1',
        role: 'ROLE_USER',
        taskId: null,
        contextId: null,
        metadata: null,
        extensions: null,
        referenceTaskIds: null,
        parts: [
          { data: null, text: null, raw: null, url: null, mediaType: null, metadata: null },
          { text: 'x', raw: null },
        ],
      },
    });
    expect(task.artifacts[0].parts).toEqual([{ data: null }, { text: 'x' }]);
    expect(task.history[0]).toEqual({
      messageId: 'm-1',
      role: 'ROLE_USER',
      taskId: task.id,
      contextId: task.contextId,
      parts: [{ data: null }, { text: 'x' }],
    });
    const page = await peer.call('ListTasks', { status: null, contextId: null, pageSize: null, pageToken: null });
    expect(page).toMatchObject({ pageSize: 50, totalSize: 1 });
    expect((await peer.error('GetTask', { id: null })).code).toBe(-32602);
    expect((await peer.error('SendMessage', sendParams('x', { parts: null }))).code).toBe(-32602);
  });
});
