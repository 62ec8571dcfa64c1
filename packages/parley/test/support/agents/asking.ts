import type { A2AServerOptions, TaskContext } from 'parley-a2a';
import { textOfParts } from '../frames.ts';
import { startServer, type Wire } from '../rpc.ts';
import { agentOf } from '../script.ts';

/** A server whose agent tells what came of a run that asks. */
export function asking(run: (task: TaskContext) => Promise<unknown>, options: Partial<A2AServerOptions> = {}) {
  return startServer(
    agentOf(async (task) => `got ${JSON.stringify(await run(task))}`),
    options,
  );
}

/** The words of the task's status. */
export const said = (task: Wire) => textOfParts(task.status.message?.parts);
