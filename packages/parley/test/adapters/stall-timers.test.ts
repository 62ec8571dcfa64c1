import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { StallWatch } from '../../src/adapters/node/stall-watch.ts';

const STALL_TIMEOUT = 234_567;

it.each(['closed', 'destroyed'] as const)('a watch over a response that is %s sets no timer', (how) => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  const watches = () => timers.mock.calls.filter(([, delay]) => delay === STALL_TIMEOUT).length;
  const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
  const watch = new StallWatch(outgoing, STALL_TIMEOUT);
  watch.start();
  expect(watches()).toBe(1);
  watch.stop();
  if (how === 'destroyed') outgoing.destroy();
  else Object.defineProperty(outgoing, 'closed', { value: true });
  watch.start();
  expect(watches()).toBe(1);
});
