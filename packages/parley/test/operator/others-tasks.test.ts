import { expect, it } from 'vitest';
import { serveNamed } from '../support/agents/named-callers.ts';
import { agentOf } from '../support/script.ts';

it('operators copy conversations of other callers without saying whose they are, where they name the last task', async () => {
  const { peerOf } = serveNamed(agentOf((task) => task.text));
  const [ann, boss] = [peerOf('ann'), peerOf('boss', { scopes: ['parley:operator'] })];
  const first = await ann.send('one');
  const fork = async (peer: typeof ann, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await peer.raw(`/a2a/operator/contexts/${first.contextId}/fork`, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  expect((await fork(ann, { upTo: first.id })).status).toBe(403);
  const forked = await fork(boss, { upTo: first.id });
  expect(forked.status).toBe(200);
  const [copy] = forked.body.taskIds as readonly string[];
  expect((await ann.call('GetTask', { id: copy })).contextId).toBe(forked.body.contextId);
  // Without either it is the conversation of the anonymous caller, who has none of that name.
  expect((await fork(boss, {})).status).toBe(404);
  expect((await fork(boss, { upTo: first.id, owner: { subject: 'bob' } })).status).toBe(404);
  expect((await fork(boss, { owner: { subject: 'ann' } })).status).toBe(200);
});
