import { type Agent, type JsonValue, type Message, type TaskContext, textOf } from 'parley-a2a';
import { textOfTask } from '../../support/frames.ts';
import type { RpcPeer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

export const talk = { contextId: 'talk' };
export const lines = (messages: readonly Message[]) => messages.map((message) => `${message.role}: ${textOf(message)}`);

/** Says what a look at the conversation gives. */
export function looking(look: (task: TaskContext) => Promise<JsonValue | undefined>): Agent {
  return agentOf(async (task) => JSON.stringify((await look(task)) ?? null));
}

export async function seenBy(peer: RpcPeer, text: string, message: object = talk): Promise<unknown> {
  return JSON.parse(textOfTask(await peer.send(text, message)));
}
