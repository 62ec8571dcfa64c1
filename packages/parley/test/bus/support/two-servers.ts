import type { TaskContext } from 'parley-a2a';
import { type A2AServer, type A2AServerOptions, memory } from 'parley-a2a';
import type { Bus, Store } from 'parley-a2a/ports';
import { eventually } from '../../support/eventually.ts';
import { type RpcFrame, type RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, hang } from '../../support/script.ts';

export interface TwoServers {
  readonly a: RpcPeer;
  readonly b: RpcPeer;
  readonly servers: readonly [A2AServer, A2AServer];
  /** Lets the run of `gated` write a text, and resolves when it is committed. */
  readonly write: (text: string) => Promise<void>;
  /** Ends the run of `gated`. */
  readonly end: () => void;
}

/** Two servers, each with its own end of a bus. `gated` writes what the test says; `wait` works until it is canceled. */
export function twoServers(
  busOf: () => Bus,
  limits: A2AServerOptions['limits'],
  store: () => Store = once(() => memory({ shared: true })),
): TwoServers {
  const running = Promise.withResolvers<TaskContext>();
  const over = Promise.withResolvers<void>();
  const agent = agentOf(async (task) => {
    if (task.text === 'wait') await hang(task);
    else if (task.text === 'gated') {
      running.resolve(task);
      await over.promise;
    }
  });
  const options = { limits, drainTimeout: 0, log: { warn() {}, error() {} } };
  const [a, b] = ['a', 'b'].map(() => startServer(agent, { ...options, store: store(), bus: busOf() }));
  if (!a || !b) throw new Error('There are two of them');
  return {
    a: a.peer,
    b: b.peer,
    servers: [a.server, b.server],
    write: async (text) => (await running.promise).write(text),
    end: () => over.resolve(),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export function begin(peer: RpcPeer, text: string): Promise<Wire> {
  return peer.send(text, {}, { returnImmediately: true });
}

export async function whenWorking(peer: RpcPeer, id: string): Promise<void> {
  await eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
}

export function hasText(text: string): (frame: RpcFrame) => boolean {
  return ({ result }) => result.artifactUpdate?.artifact.parts[0].text === text;
}

/** The places of frames in the log. */
export function idsOf(frames: readonly RpcFrame[]): readonly number[] {
  return frames.map(({ id }) => id ?? Number.NaN);
}
