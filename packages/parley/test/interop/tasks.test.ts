import { type ListTasksRequest, TaskState } from '@a2a-js/sdk';
import { A2AError, TaskNotCancelableError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import { describe, expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/lab.ts';
import { agentOf, hang } from '../support/script.ts';
import { begin } from './support/begin.ts';
import { expectError, failureOf } from './support/errors.ts';
import { artifactTexts, saidBy, sending, talkOf, taskOf } from './support/messages.ts';
import { everyMatrix, ROWS, type Row } from './support/rows.ts';
import { connect, served } from './support/sdk.ts';

const NOT_FOUND = { type: TaskNotFoundError, code: -32001, status: 404 };
const NOT_CANCELABLE = { type: TaskNotCancelableError, code: -32002, status: 400 };

function listing(filter: Partial<ListTasksRequest> = {}): ListTasksRequest {
  const unset = { contextId: '', status: TaskState.TASK_STATE_UNSPECIFIED, statusTimestampAfter: undefined };
  return { tenant: '', pageToken: '', ...unset, ...filter };
}

everyMatrix((row) => {
  describe('get', () => {
    it('gives the task as the send gave it', async () => {
      const { client } = await served(row, lab);
      const sent = taskOf(
        await client.sendMessage(sending('say so\nchunk 3 8\nfile a.txt text/plain Hi\ndata {"a": [1]}')),
      );
      expect(await client.getTask({ id: sent.id, tenant: '' })).toEqual(sent);
    });

    it.each([
      [undefined, ['say one\nsay two', 'one', 'two']],
      [0, []],
      [1, ['two']],
      [2, ['one', 'two']],
      [100, ['say one\nsay two', 'one', 'two']],
    ])('gives the newest messages, as many as wanted: %s', async (historyLength, talk) => {
      const { client } = await served(row, lab);
      const { id } = taskOf(await client.sendMessage(sending('say one\nsay two')));
      const isAll = historyLength === 0 && !row.sdk.getsNoHistory;
      const got = talkOf(await client.getTask({ id, tenant: '', historyLength }));
      expect(got).toEqual(isAll ? ['say one\nsay two', 'one', 'two'] : talk);
    });

    it.each(['unknown', 'ä/ö?#%'])('fails for a task that is not there: %s', async (id) => {
      const { client } = await served(row, lab);
      await expectError(row, client.getTask({ id, tenant: '' }), NOT_FOUND);
    });
  });

  describe('cancel', () => {
    it('cancels a task that works', async () => {
      const { client } = await served(row, agentOf(hang));
      const id = await begin(client);
      const canceled = await client.cancelTask({ id, tenant: '', metadata: undefined });
      expect(canceled).toMatchObject({ id, status: { state: TaskState.TASK_STATE_CANCELED } });
      expect(await client.getTask({ id, tenant: '' })).toEqual(canceled);
    });

    it('cancels a task that asks', async () => {
      const { client } = await served(row, lab);
      const { id } = taskOf(await client.sendMessage(sending('chunk 1 8\nask Which one?')));
      const canceled = await client.cancelTask({ id, tenant: '', metadata: undefined });
      expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      expect(artifactTexts(canceled)).toEqual(['0001:...']);
    });

    it('cannot cancel twice, nor what is over, nor what is not there', async () => {
      const { client } = await served(row, lab);
      const cancel = (id: string) => client.cancelTask({ id, tenant: '', metadata: undefined });
      const { id: over } = taskOf(await client.sendMessage(sending('say done')));
      await expectError(row, cancel(over), NOT_CANCELABLE);
      const { id: asking } = taskOf(await client.sendMessage(sending('ask Which one?')));
      await cancel(asking);
      await expectError(row, cancel(asking), NOT_CANCELABLE);
      await expectError(row, cancel('unknown'), NOT_FOUND);
    });
  });

  if (row.sdk.lists) {
    describe('list', () => listSuite(row));
  } else {
    // 0.3 has no listing: the SDK does not even ask.
    it('fails to list in the client, without a request', async () => {
      const { client, wire } = await served(row, lab);
      expect(await failureOf(client.listTasks(listing()))).toBeInstanceOf(A2AError);
      expect(wire).toEqual([]);
    });
  }

  it('sees the same task in every version and binding', async () => {
    const { client, server } = await served(row, lab);
    const { id } = taskOf(await client.sendMessage(sending('say one\nchunk 3 8\nask Which one?')));
    for (const other of ROWS) {
      const { client: another } = await connect(server, other);
      const task = await another.getTask({ id, tenant: '' });
      expect(saidBy(task)).toBe('Which one?');
      expect([artifactTexts(task), talkOf(task).at(-1)]).toEqual([['0001:...0002:...0003:...'], 'one']);
    }
  });
});

function listSuite(row: Row): void {
  it('gives tasks without their artifacts, the newest first, unless it wants them', async () => {
    const { client } = await served(row, lab);
    const first = taskOf(await client.sendMessage(sending('say one\nchunk 1 8')));
    const second = taskOf(await client.sendMessage(sending('chunk 2 8')));
    const bare = await client.listTasks(listing());
    expect(bare.tasks.map((task) => [task.id, task.artifacts])).toEqual([
      [second.id, []],
      [first.id, []],
    ]);
    expect([bare.totalSize, bare.nextPageToken]).toEqual([2, '']);
    const full = await client.listTasks(listing({ includeArtifacts: true, historyLength: 1 }));
    expect(full.tasks.map(artifactTexts)).toEqual([['0001:...0002:...'], ['0001:...']]);
    expect(full.tasks.map(talkOf)).toEqual([['chunk 2 8'], ['one']]);
  });

  it('filters by context, state and time', async () => {
    const { client } = await served(row, lab);
    const done = taskOf(await client.sendMessage(sending('say done')));
    const asking = taskOf(await client.sendMessage(sending('ask Which one?')));
    const ids = async (filter: Partial<ListTasksRequest>) =>
      (await client.listTasks(listing(filter))).tasks.map((task) => task.id);
    expect(await ids({ contextId: done.contextId })).toEqual([done.id]);
    expect(await ids({ status: TaskState.TASK_STATE_INPUT_REQUIRED })).toEqual([asking.id]);
    expect(await ids({ statusTimestampAfter: asking.status?.timestamp })).toContain(asking.id);
    expect(await ids({ statusTimestampAfter: '2999-01-01T00:00:00Z' })).toEqual([]);
  });

  it('goes from page to page', async () => {
    const { client } = await served(row, lab);
    const ids: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      ids.unshift(taskOf(await client.sendMessage(sending(`say ${number}`))).id);
    }
    const pages: string[][] = [];
    let pageToken = '';
    do {
      const page = await client.listTasks(listing({ pageSize: 3, pageToken }));
      expect([page.pageSize, page.totalSize]).toEqual([3, 7]);
      pages.push(page.tasks.map((task) => task.id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(ids);
  });
}
