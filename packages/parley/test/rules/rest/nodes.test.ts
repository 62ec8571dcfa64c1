import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { brings, payloadsOf, stateOf, textOfTask } from '../../support/frames.ts';
import { sharedNodes } from '../../support/other-caller.ts';
import { reasonOf, startRest } from '../../support/rest.ts';
import { sendParams } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { tempFile } from '../../support/temp-folder.ts';

const KEY = { 'idempotency-key': 'k-1' };

describe('a stream over HTTP+JSON', () => {
  it('is resumed on another node, live and after its end [rule:resume.any-node]', async () => {
    const go = gate();
    const agent = agentOf(async function* () {
      yield 'one ';
      yield 'two ';
      await go.promise;
      yield 'three';
    });
    const nodes = sharedNodes();
    const [one, two] = [startRest(agent, nodes), startRest(agent, nodes)];
    const sent = await one.rest.open('POST', '/message:stream', sendParams('go'));
    const before = await sent.until(brings('two '));
    const { id } = before[0]?.result.task ?? {};
    const route = `/tasks/${id}:subscribe`;
    const at = (position: number) => ({ 'last-event-id': String(position) });
    const positions = Array.from({ length: (before.at(-1)?.id ?? 0) + 1 }, (_, position) => position);
    const streams = await Promise.all(
      positions.map((position) => two.rest.open(position % 2 === 0 ? 'GET' : 'POST', route, undefined, at(position))),
    );
    const readings = streams.map((stream) => stream.rest());
    await eventually(() => two.server.load.subscriptions).toBe(positions.length);
    go.resolve();
    const updates = [...before.slice(1), ...(await sent.rest())];
    expect(stateOf(updates.at(-1))).toBe('TASK_STATE_COMPLETED');
    for (const [position, reading] of readings.entries()) {
      const expected = payloadsOf(updates.filter((frame) => (frame.id ?? 0) > position));
      expect(payloadsOf(await reading)).toEqual(expected);
      expect(payloadsOf(await two.rest.stream('GET', route, undefined, at(position)))).toEqual(expected);
    }
    const end = await two.rest.request('GET', route, undefined, at(updates.at(-1)?.id ?? 0));
    expect(end.status).toBe(204);
  });

  it('is resumed after a restart, from the file [rule:resume.any-node]', async () => {
    const file = tempFile();
    const agent = agentOf((task) => task.ask('Which one?'));
    const first = startRest(agent, { store: sqlite(file) });
    const { id } = await first.rest.send('go');
    const route = `/tasks/${id}:cancel`;
    const canceled = await first.rest.call('POST', route);
    const whole = await first.rest.stream('GET', `/tasks/${id}:subscribe`, undefined, { 'last-event-id': '0' });
    await first.server.close();
    const { rest } = startRest(agent, { store: sqlite(file) });
    expect(await rest.call('GET', `/tasks/${id}`)).toEqual(canceled);
    for (const position of [0, 2, 3]) {
      const headers = { 'last-event-id': String(position) };
      const expected = payloadsOf(whole.filter((frame) => (frame.id ?? 0) > position));
      expect(payloadsOf(await rest.stream('GET', `/tasks/${id}:subscribe`, undefined, headers))).toEqual(expected);
    }
    expect(reasonOf((await rest.error('POST', route)).error)).toBe('TASK_NOT_CANCELABLE');
  });
});

describe('an idempotency key over HTTP+JSON', () => {
  it('is one for each tenant and agent [rule:idempotency.scope]', async () => {
    const agents = [agentOf((task) => task.user.tenant), agentOf((task) => task.user.tenant, { name: 'second' })];
    const { rest } = startRest(agents, { tenants: ['acme', 'globex'] });
    const params = sendParams('hello');
    const ids = new Set<string>();
    const addresses = ['/a2a', '/a2a/acme', '/a2a/globex', '/a2a/agents/second', '/a2a/agents/second/acme'];
    for (const address of addresses) {
      const send = async () => (await rest.at(address).call('POST', '/message:send', params, KEY)).task.id;
      const id = await send();
      expect(await send(), address).toBe(id);
      ids.add(id);
    }
    expect(ids.size).toBe(addresses.length);
    // The tenant is the same one wherever it is named.
    const named = await rest.call('POST', '/message:send?tenant=acme', params, KEY);
    expect(named.task.id).toBe([...ids][1]);
  });

  it('outlives a restart [rule:idempotency.durable]', async () => {
    const file = tempFile();
    let runs = 0;
    const start = () =>
      startRest(
        agentOf(() => `run ${++runs}`),
        { store: sqlite(file) },
      );
    const params = sendParams('go');
    const before = start();
    const first = await before.rest.call('POST', '/message:send', params, KEY);
    await before.server.close();
    const { rest } = start();
    expect(await rest.call('POST', '/message:send', params, KEY)).toEqual(first);
    expect(textOfTask(first.task)).toBe('run 1');
    expect((await rest.error('POST', '/message:send', sendParams('other'), KEY)).status).toBe(422);
    expect(runs).toBe(1);
  });
});
