import { localBus } from '../../../src/bus/local.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { EngineOptions } from '../../../src/engine/engine-options.ts';
import { systemClock } from '../../../src/engine/node/clock.ts';
import type { Clock, Store } from '../../../src/engine/ports.ts';
import type { SendCall } from '../../../src/engine/send/sends.ts';
import type { Scope } from '../../../src/engine/task/scope.ts';
import type { RunHandle, Runner, TurnEnd } from '../../../src/engine/turn/runner.ts';
import type { Message } from '../../../src/model/task.ts';

/** A run that does what the test says. */
export interface Puppet {
  readonly handle: RunHandle;
  readonly end: (end: TurnEnd) => void;
  readonly fail: (error: unknown) => void;
}

/** An agent whose runs are handed to the test. */
export class Puppeteer implements Runner {
  readonly name = 'puppet';
  readonly runs: Puppet[] = [];

  run(handle: RunHandle): Promise<TurnEnd> {
    const { promise, resolve, reject } = Promise.withResolvers<TurnEnd>();
    this.runs.push({ handle, end: resolve, fail: reject });
    return promise;
  }

  /** The newest run of a task. */
  of(taskId: string): Puppet {
    const run = this.runs.findLast((puppet) => puppet.handle.taskId === taskId);
    if (!run) throw new Error(`No run of task ${taskId}`);
    return run;
  }
}

export const SCOPE: Scope = { agent: 'puppet', owner: { tenant: '', subject: 'alice' } };

export const SILENT = { error: () => {}, warn: () => {} };

/** A clock that cannot tell how long a turn took, so that commits wait for turns alone. */
const clock: Clock = { ...systemClock, monotonic: undefined };

export function engineOn(store: Store, runner: Runner, more: Partial<EngineOptions> = {}): Engine {
  return new Engine({ store, bus: localBus(), runners: [runner], log: SILENT, clock, ...more });
}

let messages = 0;

export function userMessage(text: string, more: Partial<Message> = {}): Message {
  messages += 1;
  return { messageId: `user-${messages}`, role: 'user', parts: [{ kind: 'text', text }], ...more };
}

export function sendCall(message: Message, more: Partial<SendCall['input']> = {}, scope: Scope = SCOPE): SendCall {
  const input = { tenant: '', message, acceptedOutputModes: [], returnImmediately: true, ...more };
  return { scope, input, extensions: [] };
}

/** Lets everything that is under way come to rest: commits on the loop, publishing, readers. */
export async function settle(turns = 6): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
