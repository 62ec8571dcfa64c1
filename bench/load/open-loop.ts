import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { type Latencies, percentiles } from './unary.ts';

/** More requests than this do not wait at once: a server that is so far behind has failed anyway. */
const MOST_CONNECTIONS = 1000;
const TICK_MILLISECONDS = 1;
/** A generator that was held up sends no more than what was due in so many seconds: the rest was never offered. */
const MOST_CATCHING_UP = 0.02;

export interface Offered {
  readonly accepted: Latencies & { readonly count: number };
  readonly shed: number;
  /** Requests for which there was no connection. */
  readonly unsent: number;
  /** Requests that the generator was too late for. */
  readonly missed: number;
}

/** Sends requests at a rate, whether or not earlier ones are answered. */
export async function openLoop(options: {
  readonly port: number;
  readonly perSecond: number;
  readonly seconds: number;
  readonly body: () => string;
}): Promise<Offered> {
  const { port, perSecond, seconds, body } = options;
  const idle = await Promise.all(Array.from({ length: 64 }, () => Connection.open(port)));
  const pending = new Set<Promise<void>>();
  const latencies: number[] = [];
  let opened = idle.length;
  let shed = 0;
  let unsent = 0;
  let missed = 0;
  const one = async (): Promise<void> => {
    // A request is late from when it was due, also where a connection must be opened for it.
    const due = performance.now();
    const connection = await answered(port, idle.pop(), body());
    idle.push(connection);
    if (connection.wasShed) shed += 1;
    else latencies.push(performance.now() - due);
  };
  const started = performance.now();
  for (let sent = 0; ; ) {
    const elapsed = (performance.now() - started) / 1000;
    if (elapsed >= seconds) break;
    const due = elapsed * perSecond;
    if (due - sent > MOST_CATCHING_UP * perSecond) {
      const left = due - MOST_CATCHING_UP * perSecond;
      missed += left - sent;
      sent = left;
    }
    for (; sent < due; sent += 1) {
      if (idle.length === 0 && opened >= MOST_CONNECTIONS) {
        unsent += 1;
        continue;
      }
      if (idle.length === 0) opened += 1;
      const asking = one().finally(() => pending.delete(asking));
      pending.add(asking);
    }
    await sleep(TICK_MILLISECONDS);
  }
  await Promise.all(pending);
  for (const connection of idle) connection.close();
  return { accepted: { ...percentiles(latencies), count: latencies.length }, shed, unsent, missed: Math.round(missed) };
}

/** The connection over which a request was answered. The server may close a kept one while the request is on its way. */
async function answered(port: number, kept: Connection | undefined, body: string): Promise<Connection> {
  if (kept?.isOpen) {
    try {
      await kept.request(body, () => {});
      return kept;
    } catch {
      // Nothing came back: the next connection is new.
    }
  }
  const connection = await Connection.open(port);
  await connection.request(body, () => {});
  return connection;
}
