import { type Agent, memory } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import { toRunner } from '../../src/agent/run/execute.ts';
import { localBus } from '../../src/bus/local.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Bus, Store } from '../../src/engine/ports.ts';
import type { SendInput } from '../../src/model/operations.ts';
import type { Message, Task } from '../../src/model/task.ts';

/** What two nodes share. */
export function sharedNodes(): { readonly store: Store; readonly bus: Bus } {
  return { store: memory({ shared: true }), bus: localBus() };
}

const NO_CALLS = {
  settle: () => undefined,
  call(): never {
    throw new Error('This caller has no other agents');
  },
};

export interface OtherCaller {
  send(text: string, message?: Partial<Message>, idempotencyKey?: string): Promise<Task | Message>;
}

/** A caller with a name of its own who uses the same tasks as a server whose callers are anonymous. */
export async function otherCaller(
  agent: Agent,
  { store, bus }: { readonly store: Store; readonly bus: Bus },
  subject = 'ann',
): Promise<OtherCaller> {
  const log = { error: () => {}, warn: () => {} };
  const engine = new Engine({ store, bus, log, runners: [toRunner(agent.name, agent, NO_CALLS)] });
  await engine.open();
  onTestFinished(() => engine.close());
  return {
    send(text, message = {}, idempotencyKey) {
      const input: SendInput = {
        tenant: '',
        message: { messageId: crypto.randomUUID(), role: 'user', parts: [{ kind: 'text', text }], ...message },
        acceptedOutputModes: [],
        returnImmediately: false,
      };
      const scope = { agent: agent.name, owner: { tenant: '', subject } };
      return engine.send({ scope, input, extensions: [], idempotencyKey });
    },
  };
}
