import { describe, expect, it } from 'vitest';
import { serveNamed } from '../support/agents/named-callers.ts';
import { agentOf } from '../support/script.ts';

async function start() {
  const { peerOf } = serveNamed(agentOf(() => 'done'));
  const ann = peerOf('ann');
  const bob = peerOf('bob');
  for (const peer of [ann, bob])
    for (let count = 0; count < 3; count += 1) await peer.send('go', { contextId: 'talk' });
  const { nextPageToken } = await ann.call('ListTasks', { pageSize: 1 });
  return { ann, bob, nextPageToken: String(nextPageToken) };
}

const REFUSAL = { code: -32602, message: expect.stringContaining('pageToken') };

describe('a page token', () => {
  it('leads to the next page of its caller and query', async () => {
    const { ann, nextPageToken } = await start();
    const page = await ann.call('ListTasks', { pageSize: 2, pageToken: nextPageToken });
    expect([page.tasks.length, page.nextPageToken, page.totalSize]).toEqual([2, '', 3]);
  });

  it('is refused to another caller, and for other filters', async () => {
    const { ann, bob, nextPageToken: pageToken } = await start();
    expect(await bob.error('ListTasks', { pageSize: 1, pageToken })).toMatchObject(REFUSAL);
    expect(await ann.error('ListTasks', { pageSize: 1, pageToken, contextId: 'talk' })).toMatchObject(REFUSAL);
    const status = 'TASK_STATE_COMPLETED';
    expect(await ann.error('ListTasks', { pageSize: 1, pageToken, status })).toMatchObject(REFUSAL);
  });

  it('is refused with any character changed, added or left out', async () => {
    const { ann, nextPageToken } = await start();
    for (let index = 0; index < nextPageToken.length; index += 1) {
      const other = nextPageToken[index] === 'A' ? 'B' : 'A';
      const pageToken = nextPageToken.slice(0, index) + other + nextPageToken.slice(index + 1);
      expect(await ann.error('ListTasks', { pageSize: 1, pageToken }), pageToken).toMatchObject(REFUSAL);
    }
    for (const pageToken of [
      `${nextPageToken}=`,
      `${nextPageToken} `,
      nextPageToken.slice(0, -1),
      'WzEsMiwieCJd',
      'é',
      'W'.repeat(1_000_000),
    ]) {
      expect(await ann.error('ListTasks', { pageSize: 1, pageToken }), pageToken).toMatchObject(REFUSAL);
    }
  });

  it('is refused where its place was changed and its seal left as it was', async () => {
    const { ann, nextPageToken } = await start();
    const [seal, time, id] = JSON.parse(Buffer.from(nextPageToken, 'base64url').toString());
    const pageToken = Buffer.from(JSON.stringify([seal, time + 1, id])).toString('base64url');
    expect(await ann.error('ListTasks', { pageSize: 1, pageToken })).toMatchObject(REFUSAL);
  });
});
