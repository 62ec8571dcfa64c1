import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { queryObjects } from 'node:v8';

/** What a process holds. Everything that cannot be reached has been collected before it is counted. */
export interface Figures {
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Objects that are alive: exact, and not only those that keep the process running. */
  readonly sockets: number;
  readonly responses: number;
  readonly timers: number;
  readonly signals: number;
  /** Every listener and callback is one. */
  readonly functions: number;
  /** Processor time since the start. */
  readonly cpuMs: number;
}

const Timeout = (() => {
  const timer = setTimeout(() => {}, 0);
  clearTimeout(timer);
  return timer.constructor;
})();

// Each count looks at the whole heap, which takes about a tenth of a second.
function countOf(type: unknown): number {
  return queryObjects(type as never, { format: 'count' }) as unknown as number;
}

/** Connections that the event loop has open; quick. */
export function countConnections(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

export function takeFigures(): Figures {
  const { user, system } = process.cpuUsage();
  const sockets = countOf(Socket);
  const { heapUsed, rss } = process.memoryUsage();
  return {
    heapBytes: heapUsed,
    residentBytes: rss,
    sockets,
    responses: countOf(ServerResponse),
    timers: countOf(Timeout),
    signals: countOf(AbortSignal),
    functions: countOf(Function),
    cpuMs: (user + system) / 1_000,
  };
}
