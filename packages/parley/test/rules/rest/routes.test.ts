import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { textOfTask } from '../../support/frames.ts';
import { type StubbedAnswer, stubbedRest } from '../../support/http/rest-stub.ts';
import { startRest } from '../../support/rest.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf, hang } from '../../support/script.ts';

interface RouteCase {
  readonly verb: string;
  readonly route: string;
  readonly operation: string;
  /** What the path says, as the operation sees it. */
  readonly bound: Wire;
  readonly body?: Wire;
  /** The type of the bare body in the schema; undefined for a stream. */
  readonly reply: string | undefined;
}

const CONFIGS = '/tasks/t-1/pushNotificationConfigs';
const WEBHOOK = { url: 'https://hooks.example/1', id: 'cfg-1' };
const TASK = { id: 't-1' };
const CONFIG = { taskId: 't-1', id: 'cfg-1' };

const ROUTES: readonly RouteCase[] = [
  {
    verb: 'POST',
    route: '/message:send',
    operation: 'sendMessage',
    bound: {},
    body: sendParams('hello'),
    reply: 'SendMessageResponse',
  },
  {
    verb: 'POST',
    route: '/message:stream',
    operation: 'sendStreamingMessage',
    bound: {},
    body: sendParams('hello'),
    reply: undefined,
  },
  { verb: 'GET', route: '/tasks/t-1', operation: 'getTask', bound: TASK, reply: 'Task' },
  { verb: 'GET', route: '/tasks', operation: 'listTasks', bound: {}, reply: 'ListTasksResponse' },
  { verb: 'POST', route: '/tasks/t-1:cancel', operation: 'cancelTask', bound: TASK, reply: 'Task' },
  { verb: 'POST', route: '/tasks/t-1:subscribe', operation: 'subscribeToTask', bound: TASK, reply: undefined },
  { verb: 'GET', route: '/tasks/t-1:subscribe', operation: 'subscribeToTask', bound: TASK, reply: undefined },
  {
    verb: 'POST',
    route: CONFIGS,
    operation: 'createPushConfig',
    bound: { config: { ...WEBHOOK, taskId: 't-1' } },
    body: WEBHOOK,
    reply: 'TaskPushNotificationConfig',
  },
  {
    verb: 'GET',
    route: CONFIGS,
    operation: 'listPushConfigs',
    bound: { taskId: 't-1' },
    reply: 'ListTaskPushNotificationConfigsResponse',
  },
  {
    verb: 'GET',
    route: `${CONFIGS}/cfg-1`,
    operation: 'getPushConfig',
    bound: CONFIG,
    reply: 'TaskPushNotificationConfig',
  },
  { verb: 'DELETE', route: `${CONFIGS}/cfg-1`, operation: 'deletePushConfig', bound: CONFIG, reply: 'Empty' },
  { verb: 'GET', route: '/extendedAgentCard', operation: 'getExtendedCard', bound: {}, reply: 'AgentCard' },
];

function expectReply({ status, headers, text }: StubbedAnswer, reply: string | undefined): void {
  expect(status).toBe(200);
  if (reply === undefined) {
    expect(headers['content-type']).toMatch(/^text\/event-stream/);
    const [, data] = /^id: \d+\ndata: (.*)\n\n$/.exec(text) ?? [];
    expect(violationsOfV1('StreamResponse', JSON.parse(data ?? ''))).toEqual([]);
    return;
  }
  expect(headers['content-type']).toBe('application/json');
  if (reply === 'Empty') expect(text).toBe('{}');
  else expect(violationsOfV1(reply, JSON.parse(text))).toEqual([]);
}

describe('a route', () => {
  it.each(
    ROUTES,
  )('$verb $route is $operation with a bare body [rule:rest.routes] [rule:rest.success]', async (route) => {
    const { calls, request } = stubbedRest();
    expectReply(await request(route.verb, route.route, route.body), route.reply);
    expect(calls).toMatchObject([{ operation: route.operation, input: { ...route.bound, tenant: '' } }]);
  });

  it.each(ROUTES)('$verb /{tenant}$route is $operation of that tenant [rule:tenant.rest-prefix]', async (route) => {
    for (const tenant of ['acme', 'Straße/1 & co', 'a:b', '100%', 'x+y', '..a', 'tasks-of-ann']) {
      const { calls, request } = stubbedRest();
      const path = `/${encodeURIComponent(tenant)}${route.route}`;
      expectReply(await request(route.verb, path, route.body), route.reply);
      expect(calls).toMatchObject([{ operation: route.operation, input: { ...route.bound, tenant } }]);
    }
  });

  it.each(ROUTES)('$verb $route answers with a slash at its end too [rule:rest.slash]', async (route) => {
    const { calls, request } = stubbedRest();
    expectReply(await request(route.verb, `${route.route}/`, route.body), route.reply);
    expectReply(await request(route.verb, `/acme${route.route}/`, route.body), route.reply);
    expect(calls.map((call) => call.operation)).toEqual([route.operation, route.operation]);
  });

  it.each(ROUTES)('$verb $route does not answer below /v1 [rule:rest.routes]', async (route) => {
    const { calls, request } = stubbedRest();
    expect((await request(route.verb, `/v1${route.route}`, route.body)).status).toBe(404);
    expect(calls).toEqual([]);
  });

  it('answers through a server as it does alone [rule:rest.routes]', async () => {
    const { rest } = startRest(agentOf((task) => (task.text === 'work' ? hang(task) : `You said ${task.text}`)));
    const sent = await rest.call('POST', '/message:send', sendParams('hello'));
    expect(violationsOfV1('SendMessageResponse', sent)).toEqual([]);
    const { task } = sent;
    expect(textOfTask(task)).toBe('You said hello');
    expect(await rest.call('GET', `/tasks/${task.id}`)).toEqual(task);
    const page = await rest.call('GET', '/tasks?includeArtifacts=true');
    expect(page).toEqual({ tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 });
    const [first, ...updates] = await rest.stream('POST', '/message:stream', sendParams('again'));
    expect(first?.result.task.status.state).toBe('TASK_STATE_SUBMITTED');
    expect(updates.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    const work = await rest.send('work', {}, { returnImmediately: true });
    const canceled = await rest.call('POST', `/tasks/${work.id}:cancel`);
    expect(violationsOfV1('Task', canceled)).toEqual([]);
    expect([canceled.id, canceled.status.state]).toEqual([work.id, 'TASK_STATE_CANCELED']);
  });

  it('answers at the address of each agent, and under another base path [rule:rest.routes] [rule:rest.slash]', async () => {
    const agents = [agentOf(() => 'first'), agentOf(() => 'second', { name: 'second' })];
    for (const basePath of ['/a2a', '/', '/api/v1']) {
      const { rest } = startRest(agents, { basePath });
      const base = basePath === '/' ? '' : basePath;
      for (const [at, text] of [
        [`${base}/`, 'first'],
        [`${base}/agents/second/`, 'second'],
        [`${base}/agents/test/`, 'first'],
      ] as const) {
        const response = await rest.at(at).request('POST', 'message:send', sendParams('hello'));
        expect(response.status, at).toBe(200);
        expect(textOfTask(((await response.json()) as Wire).task), at).toBe(text);
      }
    }
  });
});

describe('what the path says', () => {
  const OTHER = { id: 'other', taskId: 'other', task_id: 'other', tenant: 'other' };
  const QUERY = '?id=other&taskId=other&task_id=other&tenant=other';
  const BELOW_TASK = ROUTES.filter(
    ({ route, operation }) => route.startsWith('/tasks/') && !operation.includes('create'),
  );

  it.each(
    BELOW_TASK,
  )('wins over body and query: $verb $route [rule:rest.routes] [rule:tenant.rest-field]', async (route) => {
    const { calls, request } = stubbedRest();
    const body = route.verb === 'POST' ? OTHER : undefined;
    expect((await request(route.verb, `/acme${route.route}${QUERY}`, body)).status).toBe(200);
    expect(calls).toMatchObject([{ operation: route.operation, input: { ...route.bound, tenant: 'acme' } }]);
  });

  it('is the task of a new push config, whose own id is in the body [rule:rest.routes] [rule:tenant.rest-field]', async () => {
    for (const body of [
      { ...WEBHOOK, taskId: 'other' },
      { ...WEBHOOK, task_id: 'other', tenant: 'other' },
    ]) {
      const { calls, request } = stubbedRest();
      expect((await request('POST', `/acme${CONFIGS}`, body)).status).toBe(200);
      expect(calls).toMatchObject([{ input: { tenant: 'acme', config: { ...WEBHOOK, taskId: 't-1' } } }]);
    }
  });

  it('is the task that is cancelled, whatever the body says [rule:rest.routes]', async () => {
    const { rest } = startRest(agentOf((task) => hang(task)));
    const one = await rest.send('one', {}, { returnImmediately: true });
    const two = await rest.send('two', {}, { returnImmediately: true });
    const canceled = await rest.call('POST', `/tasks/${one.id}:cancel`, { id: two.id, tenant: '' });
    expect(canceled.id).toBe(one.id);
    expect((await rest.call('GET', `/tasks/${two.id}`)).status.state).not.toBe('TASK_STATE_CANCELED');
  });
});
