import type { A2AClient, A2AErrorCode, ClientOptions } from 'parley-a2a';
import type { Attack } from '../hostile-server.ts';

/** One hostile server, and the way in which a call of it must end. */
export interface HostileEntry {
  readonly name: string;
  /** Responds to calls; the card is served as it should be, unless `serveCard` is set. */
  readonly attack?: (attack: Attack) => void | Promise<void>;
  readonly card?: object;
  readonly serveCard?: (attack: Attack) => void | Promise<void>;
  /** The call. By default a stream that is read to its end. */
  readonly call?: (client: A2AClient) => Promise<unknown>;
  readonly options?: ClientOptions;
  /** The codes of the error that ends the call; undefined where it succeeds. */
  readonly fails?: readonly A2AErrorCode[];
  /** The code of the error's cause. */
  readonly cause?: A2AErrorCode;
  /** What the call resolves with, in part. */
  readonly gives?: unknown;
  /** The most bytes that the server can write. Default 8 MiB, of which the sockets of both sides hold the most. */
  readonly mostBytes?: number;
  /** The most requests, the card's included. */
  readonly mostRequests: number;
}

export const MEBIBYTE = 2 ** 20;

/** Limits that are met soon. */
export const SMALL: ClientOptions = {
  limits: { cardBytes: 100_000, bodyBytes: MEBIBYTE, eventBytes: MEBIBYTE, taskBytes: 2 * MEBIBYTE },
};

export const getTask = (client: A2AClient): Promise<unknown> => client.getTask('t');
export const connect = (client: A2AClient): Promise<unknown> => client.agentCard();
export const send = (client: A2AClient): Promise<unknown> => client.sendMessage('hi');
/** Reads a stream to its end, and returns the kinds of its events, its text and the task. */
export async function read(client: A2AClient): Promise<unknown> {
  const stream = client.sendMessageStream('hi');
  const kinds: string[] = [];
  let text = '';
  for await (const event of stream) {
    kinds.push(event.kind);
    text += event.text;
  }
  return { kinds, text, result: await stream.result };
}
