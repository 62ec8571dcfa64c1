import { localBus } from '../../../src/bus/local.ts';
import type { Bus, NoticeListener } from '../../../src/engine/ports.ts';

export interface UnreliableBusOptions {
  /** Milliseconds that a notice or a command takes. Default 0. */
  readonly delay?: number | undefined;
  /** Milliseconds until a watch is active. Default 0. */
  readonly activation?: number | undefined;
  /** Whether this notice is lost; asked for each. Default: none is. */
  readonly loses?: (() => boolean) | undefined;
  /** Tells watches that notices may have been lost when it comes back. Default: it says nothing. */
  readonly tellsOfLoss?: boolean | undefined;
}

export interface UnreliableBus extends Bus {
  /** From now on nothing gets through: notices are lost, watches wait to become active, commands get no response. */
  fail(): void;
  recover(): void;
  /** How many notices were handed over, and how many of those were lost. */
  readonly counts: { delivered: number; lost: number };
}

/** A bus in this process that is slow, loses notices, and goes down and comes back as a test says. */
export function unreliableBus(options: UnreliableBusOptions = {}): UnreliableBus {
  const { delay = 0, activation = 0, loses = () => false, tellsOfLoss = false } = options;
  const inner = localBus();
  const counts = { delivered: 0, lost: 0 };
  const listeners = new Set<NoticeListener>();
  let outage: PromiseWithResolvers<void> | undefined;

  /** Waits for the network, and for the bus to be up. */
  const pass = async (milliseconds: number) => {
    await pause(milliseconds);
    while (outage) await outage.promise;
  };

  return {
    counts,
    fail() {
      outage ??= Promise.withResolvers();
    },
    recover() {
      outage?.resolve();
      outage = undefined;
      if (tellsOfLoss) for (const listener of listeners) listener(undefined);
    },
    join: (node, handle) => inner.join(node, handle),
    leave: (node) => inner.leave(node),
    publish(node, notices) {
      const kept = outage ? [] : notices.filter(() => !loses());
      counts.lost += notices.length - kept.length;
      counts.delivered += kept.length;
      void pause(delay).then(() => inner.publish(node, kept));
    },
    async watch(node, taskId, listener) {
      await pass(activation);
      const end = await inner.watch(node, taskId, listener);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        end();
      };
    },
    async request(node, command, signal) {
      signal.throwIfAborted();
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
      await Promise.race([pass(delay), aborted]);
      return inner.request(node, command, signal);
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
