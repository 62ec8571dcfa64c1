import { A2AServer, memory } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/engine/node/clock.ts';
import type { PushConfigRecord } from '../../src/engine/ports.ts';
import { bodyOf } from '../../src/server/push/config/webhook-config.ts';
import { type NoticeSource, Webhook, type WebhookServices } from '../../src/server/push/delivery/webhook.ts';
import { Notice } from '../../src/server/push/notice/notice.ts';
import type { NoticeForm } from '../../src/server/push/notice/notice-form.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf, hang } from '../support/script.ts';
import { troubledStore } from '../support/stores/troubled-store.ts';
import { startReceiver } from './receiver.ts';
import { inline, LOCAL } from './support.ts';

it('a server closes while its store is away and a webhook has something to tell', async () => {
  const receiver = await startReceiver(() => ({ status: 500 }));
  const line = troubledStore(memory({ shared: true }));
  const warned: string[] = [];
  const server = new A2AServer({
    agents: [agentOf((task) => hang(task))],
    anonymous: 'shared',
    store: line.store,
    push: LOCAL,
    drainTimeout: 50,
    limits: { leaseLifetime: 500, heartbeatInterval: 200, storeTimeout: 200 },
    log: { error: () => {}, warn: (message) => void warned.push(message) },
  });
  onTestFinished(() => line.end());
  await new RpcPeer(server.fetch).send('go', {}, inline({ url: receiver.url }, { returnImmediately: true }));
  await eventually(() => receiver.received.length).toBeGreaterThan(0);
  line.begin('fails');
  await eventually(() => warned.join()).toContain('no longer relies on its leases');
  await server.close();
});

it('a webhook that waits for the lease of its node stops waiting when it is closed', async () => {
  const waiting = Promise.withResolvers<void>();
  const renewed = (): Promise<never> => {
    waiting.resolve();
    return new Promise(() => {});
  };
  const notice = new Notice(2, undefined, async () => undefined);
  const record = {
    taskId: 'task-1',
    id: 'hook',
    dialect: '1.0',
    since: 1,
    body: bodyOf({ url: 'http://127.0.0.1/', events: 'changes', revision: 'one' }, {}),
  } as unknown as PushConfigRecord;
  const source = {
    recent: () => ({ kind: 'notice', notice }),
    rested: () => {},
  } as unknown as NoticeSource;
  const webhook = new Webhook(record, undefined, source, {
    store: memory({ shared: true }),
    clock: systemClock,
    node: () => 'node',
    formOf: () => ({}) as NoticeForm,
    tenure: { isGood: false, renewed },
  } as unknown as WebhookServices);
  webhook.wake();
  await waiting.promise;
  await webhook.close();
  expect(webhook.isBusy).toBe(false);
});
