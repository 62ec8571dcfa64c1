import { type Agent, authRequired, inputRequired, reject } from 'parley-a2a';
import { type RpcPeer, sendParams } from '../rpc.ts';
import { agentOf, hang } from '../script.ts';

export const TERMINAL = [
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
] as const;

export const INTERRUPTED = ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'] as const;

/** An agent that goes to the state which the message names, and works on without an end where it names none. */
export function agentOfStates(): Agent {
  return agentOf((task) => {
    switch (task.text) {
      case 'TASK_STATE_COMPLETED':
        return 'done';
      case 'TASK_STATE_FAILED':
        throw new Error('inner text');
      case 'TASK_STATE_REJECTED':
        throw reject('not this one');
      case 'TASK_STATE_INPUT_REQUIRED':
        return inputRequired('Which one?');
      case 'TASK_STATE_AUTH_REQUIRED':
        return authRequired('Log in first');
      default:
        return hang(task);
    }
  });
}

/** The id of a new task in this state, on a server that hosts `agentOfStates()`. */
export async function taskIn(peer: RpcPeer, state: string): Promise<string> {
  const { task } = await peer.call('SendMessage', sendParams(state, {}, { returnImmediately: true }));
  if (state === 'TASK_STATE_CANCELED') await peer.call('CancelTask', { id: task.id });
  for (;;) {
    const current = await peer.call('GetTask', { id: task.id });
    if (current.status.state === state) return task.id;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
