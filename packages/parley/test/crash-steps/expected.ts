import { A2AServer } from 'parley-a2a';
import { RpcPeer, type Wire } from '../support/rpc.ts';
import { stepAgents } from './agent.ts';

/** The artifacts of a run that nothing interrupts. */
export async function uninterrupted(answer: string): Promise<Wire> {
  const server = new A2AServer({ agents: stepAgents({ at: async () => {}, effect: () => {} }) });
  const peer = new RpcPeer(server.fetch);
  const { id } = await peer.send('go');
  const task = await peer.send(answer, { taskId: id });
  await server.close();
  return task;
}

/** Notes come when they come; everything else is the same in every run. */
export function artifactsOf({ artifacts }: Wire): Wire {
  return artifacts.filter(({ artifactId }: Wire) => artifactId !== 'notes');
}
