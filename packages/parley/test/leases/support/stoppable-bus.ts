import type { Bus } from '../../../src/engine/ports.ts';
import type { NodeClock } from './world.ts';

/** The bus as one process sees it: nothing reaches the process while it is stopped. */
export function stoppableBus(bus: Bus, clock: NodeClock): Bus {
  return {
    ...bus,
    join: (node, handle, log) =>
      bus.join(
        node,
        async (command) => {
          await clock.whenRunning();
          return handle(command);
        },
        log,
      ),
    watch: (node, taskId, listener) =>
      bus.watch(node, taskId, (seq) => {
        const stopped = clock.whenRunning();
        if (stopped) void stopped.then(() => listener(seq));
        else listener(seq);
      }),
  };
}
