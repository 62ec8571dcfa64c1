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
        const parts: Buffer[] = [];
        const started = performance.now();
        await connection.request(body, (bytes) => parts.push(bytes));
        if (connection.wasShed && options.mayShed) continue;
        latencies.push(performance.now() - started);
        const isError = parts[0]?.subarray(0, MOST_HEAD).includes('"error"');
        if (!isError && !connection.wasShed) continue;
        // The other connections send nothing more: the next measurement must not share the server with them.
        next = options.count;
        throw new Error(`The server answered ${errorOf(parts)}`);
      }
      connection.close();
    }),
  );
  return { ...percentiles(latencies), count: latencies.length };
}

/** An error stands at the beginning of its response; later on, the word may be part of a result. */
const MOST_HEAD = 64;
const MOST_TEXT = 200;

/** The error of a response, short enough for a cell of the table; where it has no other form, the beginning of its body. */
function errorOf(parts: readonly Buffer[]): string {
  const text = Buffer.concat(parts).toString();
  try {
    const { error } = JSON.parse(text) as { error: { code: number; message: string } };
    return `${error.code} ${error.message}`.slice(0, MOST_TEXT);
  } catch {
    return text.slice(0, MOST_TEXT);
  }
}

export function percentiles(values: readonly number[]): Latencies {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
