import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { memory } from '../../src/stores/memory.ts';
import { eventually } from '../support/eventually.ts';
import { troubledStore } from '../support/stores/troubled-store.ts';
import { manualClock } from './support/manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('holds nothing of a run that was canceled before it could begin', async () => {
  const puppets = new Puppeteer();
  const line = troubledStore(memory({ shared: true }));
  const engine = engineOn(line.store, puppets, { clock: manualClock(), drainTimeout: 0 });
  await engine.open();
  onTestFinished(() => engine.close());
  const task = await engine.send(sendCall(userMessage('go')));
  const id = 'id' in task ? task.id : '';
  puppets.of(id).end({ state: 'input-required', message: undefined });
  await settle();
  // The next run waits for the lease, with the request of the message that it begins with.
  line.begin('hangs', ['commit']);
  const request = () => {
    const metadata = { note: 'of the request' };
    const sending = engine.send(sendCall(userMessage('this', { taskId: id }), { metadata }));
    sending.catch(() => {});
    return { held: new WeakRef(metadata), sending };
  };
  const { held, sending } = request();
  await settle();
  const canceled = engine.cancel(SCOPE, { id });
  await settle();
  line.end();
  await Promise.allSettled([sending, canceled]);
  await settle();
  expect((await engine.get(SCOPE, { id })).status.state).toBe('canceled');
  expect(puppets.runs).toHaveLength(1);
  await eventually(() => {
    collect();
    return held.deref();
  }).toBeUndefined();
});
