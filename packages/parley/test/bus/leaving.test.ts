import { expect, it, onTestFinished, vi } from 'vitest';
import { carriedBus } from '../../src/bus/carried/carried-bus.ts';
import type { Carrier } from '../../src/bus/carried/carrier.ts';
import { ListeningCarrier } from '../../src/bus/postgres/listening-carrier.ts';

const SILENT = { error: () => {}, warn: () => {} };

it('a node that leaves before it has joined closes its connection', async () => {
  const opened = Promise.withResolvers<void>();
  const close = vi.fn(() => Promise.resolve());
  const carrier = { open: () => opened.promise, close } as unknown as Carrier;
  const bus = carriedBus(() => carrier);
  const joining = bus.join('node', () => Promise.resolve(), SILENT);
  await bus.leave('node');
  expect(close).toHaveBeenCalledOnce();
  opened.resolve();
  await joining;
});

it('a node that could not join is not on the bus', async () => {
  const close = vi.fn(() => Promise.resolve());
  const carrier = { open: () => Promise.reject(new Error('A wrong password')), close } as unknown as Carrier;
  const bus = carriedBus(() => carrier);
  await expect(bus.join('node', () => Promise.resolve(), SILENT)).rejects.toThrow('A wrong password');
  await expect(bus.request('node', {}, new AbortController().signal)).rejects.toThrow('No node of this process');
});

it('a connection to Postgres that is closed while it opens leaves no timer behind', async () => {
  const [started, stopped] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
  onTestFinished(() => {
    started.mockRestore();
    stopped.mockRestore();
  });
  const nothing = () => {};
  // Nobody listens there.
  const carrier = new ListeningCarrier(
    { url: 'postgres://127.0.0.1:1/nothing', name: 'nothing', schema: 'parley', pool: 'session' },
    {
      node: 'node',
      log: SILENT,
      connected: nothing,
      disconnected: nothing,
      noticed: nothing,
      lost: nothing,
      commanded: nothing,
      responded: nothing,
      absent: nothing,
    },
  );
  const opening = carrier.open();
  await carrier.close();
  await opening;
  const timers = started.mock.results.map(({ value }) => value as unknown);
  expect(timers.filter((timer) => !stopped.mock.calls.some(([cleared]) => cleared === timer))).toEqual([]);
});
