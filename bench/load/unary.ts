import { Connection } from './connection.ts';

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

/** One answer as parsed JSON; an error of the protocol is thrown. */
export async function call(port: number, body: string): Promise<Record<string, unknown>> {
  const connection = await Connection.open(port);
  const parts: Buffer[] = [];
  await connection.request(body, (bytes) => parts.push(Buffer.from(bytes)));
  connection.close();
  const answer = JSON.parse(Buffer.concat(parts).toString()) as { result?: Record<string, unknown>; error?: unknown };
  if (!answer.result) throw new Error(`The server answered ${JSON.stringify(answer.error)}`);
  return answer.result;
}

/**
 * Keeps every connection busy with one request at a time, until `count` requests are answered or `until` says stop.
 * Answers with the latencies in milliseconds.
 */
export async function closedLoop(options: {
  readonly port: number;
  readonly connections: number;
  readonly count: number;
  readonly body: (index: number) => string;
  /** Lines of further headers, each with its end. */
  readonly headers?: string | undefined;
  /** Requests that the server sheds are not counted. Default: they are errors. */
  readonly mayShed?: boolean;
  readonly isOver?: () => boolean;
}): Promise<Latencies & { readonly count: number }> {
  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => Connection.open(options.port, options.headers)),
  );
  const latencies: number[] = [];
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (next < options.count && !options.isOver?.()) {
        const body = options.body(next++);
        let isError = false;
        const started = performance.now();
        await connection.request(body, (bytes) => {
          isError ||= bytes.subarray(0, 64).includes('"error"');
        });
        if (connection.wasShed && options.mayShed) continue;
        latencies.push(performance.now() - started);
        if (isError || connection.wasShed) throw new Error('The server answered with an error');
      }
      connection.close();
    }),
  );
  return { ...percentiles(latencies), count: latencies.length };
}

export function percentiles(values: readonly number[]): Latencies {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
