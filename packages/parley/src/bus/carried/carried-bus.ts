import type { Bus, Logger } from '../../engine/ports.ts';
import type { CarrierSource } from './carrier.ts';
import { BusMember } from './member.ts';

const consoleLog: Logger = {
  error: (message, details) => console.error(message, details),
  warn: (message, details) => console.warn(message, details),
};

/**
 * A bus of nodes that are connected by something else. Notices are gathered for a turn of the loop; a command is sent again
 * until it is responded to, and carried out once.
 */
export function carriedBus(carrierOf: CarrierSource): Bus {
  const members = new Map<string, BusMember>();
  return {
    async join(node, handle, log = consoleLog) {
      const member = new BusMember({ node, handle, log, carrierOf });
      // Known before it has joined: who gives the wait up makes it leave.
      members.set(node, member);
      try {
        await member.join();
      } catch (error) {
        if (members.get(node) === member) members.delete(node);
        throw error;
      }
    },
    async leave(node) {
      const member = members.get(node);
      members.delete(node);
      await member?.leave();
    },
    publish(node, notices) {
      members.get(node)?.publish(notices);
    },
    watch(node, taskId, listener) {
      return members.get(node)?.watch(taskId, listener) ?? (() => {});
    },
    async request(node, command, signal) {
      signal.throwIfAborted();
      const all = [...members.values()];
      const sender = all.find((member) => member.node !== node) ?? all[0];
      if (!sender) throw new Error('No node of this process is on the bus');
      return sender.request(node, command, signal);
    },
  };
}
