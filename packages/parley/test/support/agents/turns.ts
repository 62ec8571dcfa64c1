import { type Agent, inputRequired, textOf } from 'parley-a2a';
import type { RpcPeer, Wire } from '../rpc.ts';
import { agentOf, gate } from '../script.ts';

export const AT_ONCE = { returnImmediately: true };

/** Starts a task with the message `first`; gives its id. */
export async function begin(peer: RpcPeer): Promise<string> {
  return (await peer.send('first', {}, AT_ONCE)).id;
}

/** Sends a further message to a task, without waiting for the answer unless told otherwise. */
export function follow(peer: RpcPeer, taskId: string, text: string, configuration: Wire = AT_ONCE): Promise<Wire> {
  return peer.send(text, { taskId }, configuration);
}

export interface SeenTurn {
  readonly text: string;
  readonly history: readonly string[];
  readonly metadata: object;
}

/** An agent whose first turn waits for the test; each turn ends with the question `more than …?`. */
export function patientAgent(): { readonly agent: Agent; readonly turns: SeenTurn[]; readonly go: () => void } {
  const released = gate();
  const turns: SeenTurn[] = [];
  const agent = agentOf(async (task) => {
    turns.push({ text: task.text, history: task.history.map(textOf), metadata: task.metadata });
    if (task.text === 'first') await released.promise;
    return inputRequired(`more than ${task.text}?`);
  });
  return { agent, turns, go: released.resolve };
}

/** An agent that notes its runs; each of them writes `one `, waits for the test, and writes `two`. */
export function countingAgent(): { readonly agent: Agent; readonly runs: string[]; readonly go: () => void } {
  const released = gate();
  const runs: string[] = [];
  const agent = agentOf(async function* (task) {
    runs.push(task.text);
    yield 'one ';
    await released.promise;
    yield 'two';
  });
  return { agent, runs, go: released.resolve };
}
