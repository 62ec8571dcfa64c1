import type { Part } from 'parley-a2a';
import { readSse } from '../../support/sse.ts';

/** A message as the live view tells it. */
export interface SeenMessage {
  readonly number: number;
  readonly epoch: number;
  readonly side: 'a' | 'b';
  readonly parts: readonly Part[];
  readonly html: string;
}

export interface SeenStanding {
  readonly epoch: number;
  readonly a: string;
  readonly b: string;
  readonly turn?: 'a' | 'b';
  readonly isOver: boolean;
  readonly isSettled: boolean;
}

/** The events of a pair after a message, until `enough` has come. */
export async function watched(
  url: string,
  enough: (messages: readonly SeenMessage[], standing: SeenStanding | undefined) => boolean,
  lastEventId?: number,
): Promise<{ readonly messages: readonly SeenMessage[]; readonly standings: readonly SeenStanding[] }> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) };
  const response = await fetch(`${url}/events`, { headers });
  if (!response.body || response.status !== 200) throw new Error(`The events were answered with ${response.status}`);
  const messages: SeenMessage[] = [];
  const standings: SeenStanding[] = [];
  for await (const { id, event, data } of readSse(response.body)) {
    if (event === 'standing') standings.push(JSON.parse(data));
    if (event === 'message') {
      const message: SeenMessage = JSON.parse(data);
      if (id !== String(message.number)) throw new Error(`Message ${message.number} came with the id ${id}`);
      messages.push(message);
    }
    if (enough(messages, standings.at(-1))) break;
  }
  return { messages, standings };
}
