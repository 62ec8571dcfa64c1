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

/** A part of what `process.report` has. */
interface Handle {
  readonly type: string;
  readonly localEndpoint?: { readonly port: number } | null;
  readonly remoteEndpoint?: { readonly port: number } | null;
}

/**
 * The connections of the process, by the ports of their ends: those too that do not keep it running, as the ones that wait for
 * the next webhook of a host.
 */
export function openConnections(): readonly string[] {
  const { report } = process;
  if (!report) throw new Error('This Node has no reports');
  // Names of hosts would be asked for. Types of Node do not know it yet.
  Object.assign(report, { excludeNetwork: true });
  const { libuv } = report.getReport() as { readonly libuv: readonly Handle[] };
  return libuv.flatMap(({ type, localEndpoint, remoteEndpoint }) =>
    type === 'tcp' && remoteEndpoint ? `${localEndpoint?.port} to ${remoteEndpoint.port}` : [],
  );
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
