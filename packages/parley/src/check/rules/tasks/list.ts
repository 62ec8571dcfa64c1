import { expectError, resultOf } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import type { Answer } from '../../wire/caller.ts';
import { listAt, memberOf, numberAt, textAt } from '../../wire/json.ts';
import { readTask, type SeenTask } from '../../wire/shapes.ts';

interface Page {
  readonly answer: Answer;
  readonly raw: unknown;
  readonly tasks: readonly SeenTask[];
  readonly next: string;
}

const FAMILY = 3;
const MOST_PAGES = 20;

async function list(probe: Probe, params: Readonly<Record<string, unknown>> = {}): Promise<Page> {
  const answer = await probe.call('list', { params });
  const raw = resultOf(answer);
  const tasks = (listAt(raw, 'tasks') ?? []).map(
    (task) => readTask(task) ?? fail('an entry is no task', answer.exchange),
  );
  return { answer, raw, tasks, next: textAt(raw, 'nextPageToken') ?? '' };
}

/** Three finished tasks of one context; the same for all rules. */
function family(probe: Probe): Promise<{ readonly contextId: string; readonly ids: readonly string[] }> {
  return probe.once('family', async () => {
    const first = await probe.newTask();
    const contextId = first.contextId ?? skip('tasks have no context');
    const ids = [first.id];
    while (ids.length < FAMILY) {
      const { id } = await probe.newTask({ message: { contextId } });
      ids.push(id);
    }
    return { contextId, ids };
  });
}

export const LIST: readonly Rule[] = [
  {
    id: 'list.order',
    async check(probe) {
      await family(probe);
      const { tasks, answer } = await list(probe);
      const times = tasks.map(({ timestamp }) => Date.parse(timestamp ?? ''));
      if (times.some((time) => Number.isNaN(time))) fail('a status has no timestamp to order by', answer.exchange);
      if (times.some((time, index) => index > 0 && time > (times[index - 1] ?? 0)))
        fail('the newest does not come first', answer.exchange);
    },
  },
  {
    id: 'list.order-stable',
    async check(probe) {
      const { contextId } = await family(probe);
      const idsOf = async () => (await list(probe, { contextId })).tasks.map(({ id }) => id).join();
      const [one, other] = [await idsOf(), await idsOf()];
      if (one !== other) fail('two lists have different orders');
    },
  },
  {
    id: 'list.cursor',
    async check(probe) {
      const { contextId, ids } = await family(probe);
      const seen: string[] = [];
      let pageToken = '';
      for (let count = 0; count < MOST_PAGES; count += 1) {
        const page = await list(probe, { contextId, pageSize: 1, ...(pageToken !== '' && { pageToken }) });
        seen.push(...page.tasks.map(({ id }) => id));
        pageToken = page.next;
        if (pageToken === '') break;
      }
      if (seen.toSorted().join() !== ids.toSorted().join())
        fail(`${ids.length} tasks were paged through as ${seen.length}: ${seen.join(', ')}`);
    },
  },
  {
    id: 'list.page-size',
    async check(probe) {
      const { tasks, answer } = await list(probe);
      if (tasks.length > 50) fail(`${tasks.length} tasks came without a pageSize`, answer.exchange);
      for (const pageSize of [0, 101])
        expectError(await probe.call('list', { params: { pageSize }, odd: true }), 'INVALID_PARAMS');
    },
  },
  {
    id: 'list.next-token',
    async check(probe) {
      const { contextId } = await family(probe);
      const { raw, answer } = await list(probe, { contextId, pageSize: 100 });
      if (textAt(raw, 'nextPageToken') !== '') fail('nextPageToken of the last page is not ""', answer.exchange);
    },
  },
  {
    id: 'list.sizes',
    async check(probe) {
      const { contextId } = await family(probe);
      const { raw, answer } = await list(probe, { contextId, pageSize: 1 });
      if (listAt(raw, 'tasks') === undefined) fail('there is no tasks', answer.exchange);
      if (numberAt(raw, 'pageSize') !== 1)
        fail(`pageSize is ${String(memberOf(raw, 'pageSize'))} instead of 1`, answer.exchange);
      if (numberAt(raw, 'totalSize') !== FAMILY) {
        fail(`totalSize is ${String(memberOf(raw, 'totalSize'))} instead of ${FAMILY}`, answer.exchange);
      }
    },
  },
  {
    id: 'list.artifacts-absent',
    async check(probe) {
      const { contextId } = await family(probe);
      const { tasks, answer } = await list(probe, { contextId });
      if (tasks.some(({ raw }) => memberOf(raw, 'artifacts') !== undefined))
        fail('a listed task has artifacts', answer.exchange);
    },
  },
  {
    id: 'list.artifacts-present',
    async check(probe) {
      const { contextId, ids } = await family(probe);
      const whole = await probe.get(ids[0] ?? '');
      if ((whole.artifacts?.length ?? 0) === 0) skip('the agent’s tasks have no artifacts');
      const { tasks, answer } = await list(probe, { contextId, includeArtifacts: true });
      if (tasks.some(({ artifacts }) => (artifacts?.length ?? 0) === 0))
        fail('a listed task lacks its artifacts', answer.exchange);
    },
  },
  {
    id: 'list.filters',
    async check(probe) {
      const { contextId, ids } = await family(probe);
      const own = await list(probe, { contextId });
      if (
        own.tasks
          .map(({ id }) => id)
          .toSorted()
          .join() !== ids.toSorted().join()
      )
        fail('contextId does not filter', own.answer.exchange);
      const none = await list(probe, { contextId, status: 'TASK_STATE_WORKING' });
      if (none.tasks.length > 0) fail('status does not filter', none.answer.exchange);
      const all = await list(probe, { contextId, status: 'TASK_STATE_UNSPECIFIED' });
      if (all.tasks.length !== ids.length) fail('TASK_STATE_UNSPECIFIED filters', all.answer.exchange);
      const later = await list(probe, { contextId, statusTimestampAfter: '2999-01-01T00:00:00Z' });
      if (later.tasks.length > 0) fail('statusTimestampAfter does not filter', later.answer.exchange);
      expectError(await probe.call('list', { params: { status: 'TASK_STATE_DANCING' }, odd: true }), 'INVALID_PARAMS');
    },
  },
  {
    id: 'list.timestamp-inclusive',
    async check(probe) {
      const { contextId } = await family(probe);
      const [newest] = (await list(probe, { contextId })).tasks;
      const statusTimestampAfter = newest?.timestamp ?? skip('a status has no timestamp');
      const { tasks, answer } = await list(probe, { contextId, statusTimestampAfter });
      if (!tasks.some(({ id }) => id === newest?.id))
        fail('the task with exactly that timestamp is left out', answer.exchange);
    },
  },
  {
    id: 'list.bad-token',
    async check(probe) {
      expectError(
        await probe.call('list', { params: { pageToken: 'no token of yours' }, odd: true }),
        'INVALID_PARAMS',
      );
    },
  },
  {
    id: 'list.scope',
    async check(probe) {
      const other = probe.secondCaller();
      const { contextId, ids } = await family(probe);
      for (const params of [{}, { contextId }]) {
        const outgoing = await probe.caller.outgoing('list', { params });
        const answer = await probe.caller.raw(
          { ...outgoing, headers: { ...outgoing.headers, ...(await other(probe.url)) } },
          { odd: false },
        );
        const found = JSON.stringify(resultOf(answer));
        if (ids.some((id) => found.includes(id))) fail('a caller sees tasks of another one', answer.exchange);
      }
    },
  },
  {
    id: 'list.anonymous',
    async check(probe) {
      const isOpen = (listAt(probe.server.card, 'securityRequirements') ?? []).length === 0;
      if (!isOpen) inapplicable('the card requires credentials');
      const { id } = await probe.finished();
      await probe.get(id);
      const { error, exchange } = await probe.call('list');
      const isRefused =
        error === undefined || [401, 403].includes(error.status) || error.code !== undefined || error.status === 400;
      if (!isRefused) fail('listing is neither answered nor refused', exchange);
    },
  },
];
