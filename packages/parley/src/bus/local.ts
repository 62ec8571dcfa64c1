import type { Bus } from '../engine/ports.ts';

interface Member {
  readonly handle: (command: unknown) => Promise<unknown>;
  readonly watchers: Map<string, Set<(seq: number) => void>>;
}

/** A bus within one process: for a server on its own, and for several nodes in one process in tests. */
export function localBus(): Bus {
  const members = new Map<string, Member>();
  return {
    join(node, handle) {
      members.set(node, { handle, watchers: new Map() });
    },
    leave(node) {
      members.delete(node);
    },
    publish(from, notices) {
      if (members.size < 2) return;
      for (const [node, member] of members) {
        if (node === from) continue;
        for (const { taskId, seq } of notices) {
          for (const listener of member.watchers.get(taskId) ?? []) listener(seq);
        }
      }
    },
    watch(node, taskId, listener) {
      const watchers = members.get(node)?.watchers;
      const listeners = watchers?.get(taskId) ?? new Set();
      listeners.add(listener);
      watchers?.set(taskId, listeners);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && watchers?.get(taskId) === listeners) watchers.delete(taskId);
      };
    },
    async request(node, command) {
      const member = members.get(node);
      if (!member) throw new Error(`Node ${node} is not on this bus`);
      return structuredClone(await member.handle(structuredClone(command)));
    },
  };
}
