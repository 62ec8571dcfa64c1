import { Connection } from './connection.ts';

const NEWLINE = 10;

/** Counts SSE events, each ended by an empty line, in a body that may be cut anywhere. */
export class EventCounter {
  events = 0;
  bytes = 0;
  #endedLine = false;

  readonly add = (body: Buffer): void => {
    this.bytes += body.length;
    let from = this.#endedLine && body[0] === NEWLINE ? this.#count(1) : 0;
    for (;;) {
      const end = body.indexOf('\n\n', from, 'latin1');
      if (end < 0) break;
      from = this.#count(end + 2);
    }
    this.#endedLine = from < body.length && body[body.length - 1] === NEWLINE;
  };

  #count(next: number): number {
    this.events++;
    return next;
  }
}

/** Reads one stream to its end and checks that nothing is missing. */
export async function readStream(connection: Connection, body: string, expected: number): Promise<number> {
  const counter = new EventCounter();
  await connection.request(body, counter.add);
  if (counter.events < expected) throw new Error(`A stream had ${counter.events} events, not ${expected}`);
  return counter.events;
}

/** A stream that has begun: the id of its task, what has come so far, and its end. */
export interface OpenStream {
  readonly connection: Connection;
  readonly counter: EventCounter;
  readonly taskId: string;
  readonly ended: Promise<void>;
}

/** Starts a stream and resolves with its first event, from which the task's id is read. */
export async function openStream(port: number, body: string): Promise<OpenStream> {
  const connection = await Connection.open(port);
  const counter = new EventCounter();
  return new Promise((resolve, reject) => {
    let head = '';
    let ended: Promise<void> | undefined;
    const onBody = (bytes: Buffer): void => {
      counter.add(bytes);
      if (head === OPEN) return;
      head += bytes.toString();
      const taskId = /"task":\{"id":"([^"]+)"/.exec(head)?.[1];
      if (taskId === undefined || counter.events === 0) return;
      head = OPEN;
      // The request has returned by then: bytes never come while it is being written.
      if (ended) resolve({ connection, counter, taskId, ended });
    };
    ended = connection.request(body, onBody);
    ended.catch(reject);
  });
}

const OPEN = 'open';
