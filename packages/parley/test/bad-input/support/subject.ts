import type { A2AServer, A2AServerOptions } from 'parley-a2a';
import { inputRequired } from 'parley-a2a';
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

export interface Subject {
  readonly server: A2AServer;
  readonly peer: RpcPeer;
  /** What went to the log. */
  readonly logged: Wire[];
  /** How often the agent was started. */
  readonly runs: () => number;
  /** Fails the test unless no task was made and no agent ran. */
  readonly expectNothingStarted: () => Promise<void>;
  /** Fails the test unless a right request is served and nothing is held. */
  readonly expectHealthy: () => Promise<void>;
}

/** The server that is given bad input: its agent takes everything and gives it back, or asks if it is told to. */
export function startSubject(options: Partial<A2AServerOptions> = {}): Subject {
  let runs = 0;
  const agent = agentOf(
    (task) => {
      runs += 1;
      return task.text === 'ask' ? inputRequired('Which one?') : task.parts;
    },
    { inputModes: ['*/*'], extendedCard: true },
  );
  const { server, peer, logged } = startServer(agent, { push: false, ...options });
  // A server warns when it is made of what its settings leave without use.
  logged.length = 0;
  return {
    server,
    peer,
    logged,
    runs: () => runs,
    async expectNothingStarted() {
      expect(runs).toBe(0);
      expect((await peer.call('ListTasks')).totalSize).toBe(0);
      expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
      expect(logged).toEqual([]);
    },
    async expectHealthy() {
      const task = await peer.send('still there?');
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(task.artifacts[0].parts).toEqual([{ text: 'still there?' }]);
      await eventually(() => server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
      expect(logged).toEqual([]);
    },
  };
}
