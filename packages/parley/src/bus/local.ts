import type { Bus, BusReply, NoticeListener } from '../engine/ports.ts';

interface Member {
  readonly handle: (command: unknown) => Promise<unknown>;
  readonly watches: Map<string, Set<NoticeListener>>;
  /** Ends each request that waits for this member. */
  readonly waiting: Set<() => void>;
}

/** A bus within one process: for a server on its own, and for several nodes in one process in tests. */
export function localBus(): Bus {
  const members = new Map<string, Member>();
  return {
    join(node, handle) {
      members.set(node, { handle, watches: new Map(), waiting: new Set() });
    },
    leave(node) {
      const member = members.get(node);
      members.delete(node);
      for (const end of member?.waiting ?? []) end();
    },
    publish(from, notices) {
      if (members.size < 2) return;
      for (const [node, member] of members) {
        if (node === from) continue;
        for (const { taskId, seq } of notices) {
          for (const listener of member.watches.get(taskId) ?? []) listener(seq);
        }
      }
    },
    watch(node, taskId, listener) {
      const watches = members.get(node)?.watches;
      const listeners = watches?.get(taskId) ?? new Set();
      listeners.add(listener);
      watches?.set(taskId, listeners);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && watches?.get(taskId) === listeners) watches.delete(taskId);
      };
    },
    request(node, command, signal) {
      const member = members.get(node);
      if (!member) return Promise.resolve({ kind: 'gone' });
      return requestOf(member, command, signal);
    },
  };
}

async function requestOf(member: Member, command: unknown, signal: AbortSignal): Promise<BusReply> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<BusReply>();
  const leave = () => resolve({ kind: 'gone' });
  const abort = () => reject(signal.reason);
  member.waiting.add(leave);
  signal.addEventListener('abort', abort);
  member
    .handle(structuredClone(command))
    .then((value) => resolve({ kind: 'answered', value: structuredClone(value) }), reject);
  try {
    return await promise;
  } finally {
    member.waiting.delete(leave);
    signal.removeEventListener('abort', abort);
  }
}
