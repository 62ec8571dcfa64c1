import type { TaskState } from 'parley-a2a';
import type { Side } from './epoch.ts';

export const WAITING = 'Waiting for the other side.';

export const OUT_OF_TURN =
  'It is the other side’s turn: speak when this task asks for input. This message was not passed on.';

export const PARTNER_MISSING =
  'Name the other participant in message.metadata.partner: callers are told apart here, and only who is named can join.';

export function taken(partner: string, id: string): string {
  return `${partner} cannot be let into ${id}: it has a context of that id. Choose another contextId.`;
}

export function opened(id: string): string {
  return (
    `A new pair is open: ${id}. Send your first message with this contextId and give the id to the other side, who ` +
    'does the same. This message was not passed on.'
  );
}

export function welcome(side: Side, id: string): string {
  return side === 'a'
    ? `You are the first in pair ${id}. Your message is kept for the other side, who joins with contextId ${id}.`
    : `You have joined pair ${id}. What the other side has said comes next, and then it is your turn.`;
}

export function complete(id: string): string {
  return (
    `Pair ${id} has two participants already; who is one of them names the own task (taskId) with each message. To ` +
    'open a new pair, send a message without a contextId.'
  );
}

/** What the one who stays is told. */
export function left(state: TaskState): string {
  return state === 'canceled'
    ? 'The other side has left, so this talk is over.'
    : `The task of the other side is ${state}, so this talk is over.`;
}
